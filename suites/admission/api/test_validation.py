"""ADM: which AdmissionChecks and Workloads are refused by their schema (AC-003, AC-010…015, AC-117…126)."""

from kueue_conformance import rows, scenario, within

GROUP, KIND, NAME = "example.com", "Budget", "small"


def parameters(**fields):
    """Return a reference to a parameters object with some fields changed; None leaves one out."""
    reference = {"apiGroup": GROUP, "kind": KIND, "name": NAME} | fields
    return {key: value for key, value in reference.items() if value is not None}


@scenario(
    "ADM-160",
    "an AdmissionCheck with a bad controller name or parameters reference is refused",
    requirement=(
        "docs-2024#controller-name",
        "kep-993#controller-name-required",
        "kep-993#parameters-reference",
    ),
    shows="SC-160 AC-011 AC-013 AC-014 AC-015",
    since="0.15",
    cases=rows(
        "example spec field",
        ("empty-controller", {"controllerName": ""}, "spec.controllerName"),
        ("no-controller", {}, "spec.controllerName"),
        (
            "no-group",
            {"controllerName": "x", "parameters": parameters(apiGroup=None)},
            "spec.parameters.apiGroup",
        ),
        (
            "bad-group",
            {"controllerName": "x", "parameters": parameters(apiGroup="Not A Group")},
            "spec.parameters.apiGroup",
        ),
        ("no-kind", {"controllerName": "x", "parameters": parameters(kind=None)}, "spec.parameters.kind"),
        ("bad-kind", {"controllerName": "x", "parameters": parameters(kind="1")}, "spec.parameters.kind"),
        ("no-name", {"controllerName": "x", "parameters": parameters(name=None)}, "spec.parameters.name"),
        ("bad-name", {"controllerName": "x", "parameters": parameters(name="a.b")}, "spec.parameters.name"),
    ),
    clauses={"a": "422 Invalid, naming the field"},
)
def test_bad_admission_check_is_refused(kueue_cluster, example, spec, field):
    refusal = kueue_cluster.try_to_create_invalid("AdmissionCheck", spec)

    assert refusal.is_invalid(field), f"a: {refusal}"


@scenario(
    "ADM-161",
    "parameters of an AdmissionCheck may change, its controller may not",
    requirement=("docs-2024#parameters", "docs-2024#controller-name"),
    shows="SC-161 AC-011 AC-012",
    since="0.15",
    revision=2,
    clauses={"a": "parameters can be changed and removed", "b": "the controller name is immutable"},
)
def test_updates_of_an_admission_check(kueue_cluster):
    check = kueue_cluster.make_check(parameters=parameters())
    controller = check.spec["controllerName"]

    changed, after_change = check.try_to_change(parameters=parameters(name="large")), check.spec
    removed, after_removal = check.try_to_change(parameters=None), check.spec
    moved, emptied = (check.try_to_change(controllerName=name) for name in ("example.com/other", ""))

    assert (changed.is_accepted, after_change["parameters"]) == (True, parameters(name="large")), (
        f"a: {changed}"
    )
    assert (removed.is_accepted, "parameters" in after_removal) == (True, False), f"a: {removed}"
    assert moved.is_invalid("spec.controllerName"), f"b: {moved}"
    assert emptied.is_invalid("spec.controllerName"), f"b: {emptied}"
    assert check.spec["controllerName"] == controller, "b: the controller's name is what it was"


@scenario(
    "ADM-162",
    "a check's entry must be complete and have one of the four states",
    requirement="docs-2024#four-states",
    shows="AC-117 AC-118 AC-119 AC-120 CC-026",
    since="0.15",
    cases=rows(
        "example entry",
        ("other-state", {"state": "Maybe"}),
        ("no-state", {"state": None}),
        ("no-time", {"lastTransitionTime": None}),
        ("no-message", {"message": None}),
        ("negative-delay", {"requeueAfterSeconds": -1}),
    ),
    clauses={"a": "422 Invalid"},
)
def test_bad_entry_is_refused(kueue_cluster, example, entry):
    queue = kueue_cluster.make_queue(checks=1, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))

    refusal = queue.checks[0].try_to_change_entry(workload, entry)

    assert refusal.is_invalid("status.admissionChecks"), f"a: {refusal}"


@scenario(
    "ADM-163",
    "the queue of a Workload cannot change while it holds quota",
    requirement="kep-993#stage-one",
    shows="SC-166 AC-096",
    since="0.15",
    level="should",
    clauses={"a": "422 Invalid while reserved"},
)
def test_queue_is_immutable_while_reserved(kueue_cluster):
    queue, other = kueue_cluster.make_queue(checks=1), kueue_cluster.make_queue(checks=1)
    workload = queue.submit()
    within("reserve", workload.is_prechecked)

    refusal = workload.try_to_move(other)

    assert "immutable" in refusal.message, f"a: {refusal}"


@scenario(
    "ADM-164",
    "AdmissionCheck is a cluster-scoped kind of its own",
    requirement="kep-993#check-is-cluster-scoped",
    shows="AC-001 AC-010",
    clauses={"a": "it is served without a namespace"},
)
def test_admission_check_is_cluster_scoped(kueue_cluster):
    assert kueue_cluster.scope_of("AdmissionCheck") == "Cluster", "a: AdmissionCheck is served cluster-scoped"

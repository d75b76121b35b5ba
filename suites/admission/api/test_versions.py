"""ADM: v1beta1 beside v1beta2 (AC-039…042, AC-097, AC-200…211; SC-170, SC-172)."""

from kueue_conformance import always, cross, either, rows, scenario, within

OLD, NEW = "v1beta1", "v1beta2"
TEMPLATE = {
    "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "registry.k8s.io/pause:3.10"}]}
}
SOURCES = {"kueue": "kueue.x-k8s.io/workloadpriorityclass", "pods": "scheduling.k8s.io/priorityclass"}


def by_class(source, name="high"):
    return {"priorityClassSource": SOURCES.get(source, source), "priorityClassName": name}


@scenario(
    "ADM-008",
    "the check list is the same for both ways in which a v1beta1 ClusterQueue refers to checks",
    requirement=("docs-2024#either-field", "kueue-api#versions"),
    shows="SC-008 AC-201",
    level="may",
    since="0.7",
    cases=rows("version", ("v1beta1",)),
    clauses={"a": "by a list of names", "b": "by a strategy"},
)
def test_v1beta1_fields_mean_the_same(make_queue, version):
    by_names = make_queue(checks=2)
    by_strategy = make_queue(checks=by_names.checks)
    by_strategy.set_checks(*by_names.checks)

    first, second = by_names.submit(), by_strategy.submit()

    within("settle", lambda: first.lists_checks(*by_names.checks), clause="a")
    within("settle", lambda: second.lists_checks(*by_names.checks), clause="b")


@scenario(
    "ADM-180",
    "in v1beta1 a Workload's priority class is a name and a source, and needs a priority",
    requirement="kueue-api#priority",
    shows="SC-170 AC-097",
    since="0.15",
    level="should",
    cases=rows(
        "example spec code version",
        ("kueues-class", {**by_class("kueue"), "priority": 1}, 200, OLD),
        ("pods-class", {**by_class("pods"), "priority": 1}, 200, OLD),
        ("no-class", {"priority": 1}, 200, OLD),
        ("word-without-name", {"priorityClassSource": SOURCES["kueue"], "priority": 1}, 200, OLD),
        ("no-priority", by_class("kueue"), 422, OLD),
        ("other-word", {**by_class("other"), "priority": 1}, 422, OLD),
        ("bad-name", {**by_class("kueue", "@"), "priority": 1}, 422, OLD),
    ),
    clauses={"a": "taken, or 422 Invalid"},
)
def test_priority_class_in_v1beta1(kueue_cluster, example, spec, code, version):
    pod_sets = [{"name": "main", "count": 1, "template": TEMPLATE}]

    answer = kueue_cluster.try_to_create("Workload", {"podSets": pod_sets, **spec})

    assert answer.code == code, f"a: {answer}"


@scenario(
    "ADM-181",
    "a Workload written in one version is read in the other",
    requirement="kueue-api#versions",
    shows="SC-172 AC-206 AC-209",
    since="0.15",
    level="should",
    revision=2,
    cases=rows(
        "version other source",
        *((version, other, source) for version, other in ((OLD, NEW),) for source in SOURCES),
    ),
    clauses={
        "a": "its class is a reference in v1beta2",
        "b": "and a word and a name in v1beta1",
        "c": "the rest is the same",
    },
)
def test_workload_in_both_versions(queue, version, other, source):
    workload = queue.submit(**by_class(source), priority=3)
    within("reserve", workload.is_prechecked)

    old, new = (workload.in_version(read_version)["spec"] for read_version in (version, other))

    group, kind = {
        "kueue": ("kueue.x-k8s.io", "WorkloadPriorityClass"),
        "pods": ("scheduling.k8s.io", "PriorityClass"),
    }[source]
    reference = {"group": group, "kind": kind, "name": "high"}
    assert new["priorityClassRef"] == reference, f"a: {new}"
    assert by_class(source).items() <= old.items(), f"b: {old}"
    assert (old["priority"], old["queueName"]) == (new["priority"], new["queueName"]), (
        "c: the rest is the same"
    )


@scenario(
    "ADM-799",
    "v1beta1 of Kueue's kinds is defined and not served",
    requirement="kueue-api#versions",
    shows="KV-31",
    since="0.20.0",
    also=("kep993",),
    level="may",
    needs=("webhooks",),
    clauses={"a": "an object is there in v1beta2", "b": "and not in v1beta1"},
)
def test_older_version_is_not_served(kueue_cluster):
    created = kueue_cluster.make_object("AdmissionCheck", spec={"controllerName": "example.com/c"})

    assert created.is_served_in(NEW), "a: it is there in v1beta2"
    assert created.is_served_in(OLD).negate(), "b: it is not there in v1beta1"


@scenario(
    "ADM-182",
    "a ClusterQueue written in one version is read in the other",
    requirement="kueue-api#versions",
    shows="SC-172 AC-200 AC-201 AC-203",
    since="0.15",
    level="should",
    cases=rows("version", (OLD,)),
    clauses={
        "a": "the cohort has its name",
        "b": "checks are a strategy in both",
        "c": "words of old are today's",
    },
)
def test_cluster_queue_in_both_versions(kueue_cluster, version):
    words = {"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"}
    queue = kueue_cluster.make_queue(checks=2, cohort="team", flavorFungibility=words)

    old, new = (queue.in_version(version)["spec"] for version in (OLD, NEW))

    strategy = {"admissionChecks": [{"name": check.name} for check in queue.checks]}
    today = {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"}
    assert (old.get("cohort"), new.get("cohortName")) == ("team", "team"), "a: the cohort has its name"
    assert old.get("admissionChecksStrategy") == new.get("admissionChecksStrategy") == strategy, (
        f"b: {old} {new}"
    )
    assert old.get("flavorFungibility") == new.get("flavorFungibility") == today, f"c: {old}"


@scenario(
    "ADM-234",
    "a v1beta1 ClusterQueue that refers to checks in both ways requires those of its list of names",
    requirement=("docs-2024#either-field", "kueue-api#versions"),
    shows="SC-234 AC-202 AC-005 AC-042",
    level="may",
    since="0.15",
    revision=2,
    cases=rows("version", ("v1beta1",)),
    clauses={"a": "the list of names counts"},
)
def test_both_v1beta1_fields(kueue_cluster, version):
    named, in_strategy = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = kueue_cluster.make_queue(
        checks=[named], admissionChecksStrategy={"admissionChecks": [{"name": in_strategy.name}]}
    )

    workload = queue.submit()

    within("settle", lambda: workload.lists_checks(named) and workload.is_prechecked(), clause="a")
    always(workload.is_prechecked, clause="a")


@scenario(
    "ADM-317",
    "a check that was required by its name in v1beta1 is required like any other",
    requirement=("docs-2024#either-field", "kueue-api#versions"),
    shows="AC-042 AC-201",
    since="0.15",
    level="should",
    cases=cross(version=(OLD,), last=(1, 2)),
    clauses={"a": "both hold back, the last admits", "b": "v1beta2 shows them as a strategy"},
)
def test_checks_by_name_hold_back(make_queue, version, last):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    strategy = queue.in_version(NEW)["spec"]["admissionChecksStrategy"]["admissionChecks"]
    *others_ready, waiting = queue.checks if last == 2 else queue.checks[::-1]

    [check.answer(workload, "Ready") for check in others_ready]
    always(workload.is_prechecked, clause="a")
    waiting.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="a")
    assert strategy == [{"name": check.name} for check in queue.checks], f"b: {strategy}"


@scenario(
    "ADM-832",
    "a LocalQueue that an older release has stored in v1beta1 is read in v1beta2, or nothing reads it",
    requirement="kueue-api#versions",
    shows="KV-32 AC-005",
    since="0.20.0",
    level="may",
    needs=("webhooks", "virtual time"),
    clauses={"a": "it is read, or not", "b": "a new one is read"},
)
def test_stored_in_an_older_version(kueue_cluster):
    queue = kueue_cluster.make_queue_without_local()
    spec = {"clusterQueue": queue.name}
    old = kueue_cluster.make_object_stored_in(OLD, "LocalQueue", spec=spec)
    new = kueue_cluster.make_object("LocalQueue", spec=spec)

    either(
        "react",
        {"it is read": lambda: old.is_served_in(NEW), "it is not": lambda: old.is_served_in(NEW).negate()},
        until={"it is not": "<0.20.6"},
        clause="a",
    )
    assert new.spec.get("clusterQueue") == queue.name, f"b: {new.spec}"

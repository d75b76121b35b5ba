"""ADM: what Kueue's webhooks refuse, and what its API takes (AC-092…127, AC-160…163; SC-162…171, SC-173)."""

from kueue_conformance import either, rows, scenario, within

WEBHOOKS = ("webhooks",)
TEMPLATE = {
    "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "registry.k8s.io/pause:3.10"}]}
}
GATE = "kueue.x-k8s.io/admission-gated-by"
KUEUE, PODS = "kueue.x-k8s.io", "scheduling.k8s.io"
UPDATES = "podSetUpdates"
MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism"


def pod_sets(count=1, **fields):
    return [{"name": "main", "count": count, "template": TEMPLATE, **fields}]


def class_of(kind="WorkloadPriorityClass", group=KUEUE, name="high"):
    return {"kind": kind, "group": group, "name": name}


@scenario(
    "ADM-165",
    "podSetUpdates of a check name existing pod sets, and are well-formed",
    requirement="kueue-api#pod-set-updates",
    shows="SC-162 AC-124 AC-125 AC-126",
    since="0.15",
    level="should",
    needs=WEBHOOKS,
    cases=rows(
        "example update code",
        ("empty", {}, 200),
        ("all-of-it", {"labels": {"a": "b"}, "annotations": {"a": "b"}, "nodeSelector": {"a": "b"}}, 200),
        ("unknown-pod-set", {"name": "other", "labels": {"a": "b"}}, 403),
        ("bad-label-name", {"labels": {"bad key!": "b"}}, 403),
        ("bad-label-value", {"labels": {"a": "bad value!"}}, 403),
        ("bad-annotation-name", {"annotations": {"bad key!": "b"}}, 403),
        ("bad-selector-name", {"nodeSelector": {"bad key!": "b"}}, 403),
        ("bad-toleration", {"tolerations": [{"key": "bad key!", "value": "x"}]}, 403),
        ("toleration-without-key", {"tolerations": [{"operator": "Equal", "value": "x"}]}, 422),
    ),
    clauses={"a": "it is taken, or refused by webhook (403) or schema (422)"},
)
def test_pod_set_updates_are_judged(queue, example, update, code):
    workload = queue.submit_until("prechecked")

    answer = queue.checks[0].try_to_answer(workload, "Ready", updates=[{"name": "main", **update}])

    assert answer.code == code, f"a: {answer}"


@scenario(
    "ADM-780",
    "two podSetUpdates of a check for one pod set are refused, or taken",
    requirement="kueue-api#pod-set-updates",
    shows="KV-36 AC-124",
    since="0.15",
    gates=("WorkloadValidateUniquePodSetUpdates",),
    level="may",
    needs=WEBHOOKS,
    clauses={"a": "a second update of a pod set", "b": "updates of two pod sets are taken"},
)
def test_second_update_of_a_pod_set(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked", podSets=kueue_cluster.pod_sets("main", "more"))
    once = [{"name": "main", "labels": {"a": "b"}}]

    twice = queue.checks[0].try_to_answer(
        workload, "Ready", updates=[*once, {"name": "main", "nodeSelector": {"a": "b"}}]
    )
    other = queue.checks[1].try_to_answer(
        workload, "Ready", updates=[*once, {"name": "more", "labels": {"a": "b"}}]
    )

    either(
        "react",
        {"it is refused": lambda: twice.was_denied(UPDATES), "it is taken": lambda: twice.is_accepted},
        until={"it is taken": "<0.21.0-rc.3"},
        clause="a",
    )
    assert other.is_accepted, f"b: {other}"


@scenario(
    "ADM-166",
    "QuotaReserved is refused for a Workload without an admission",
    requirement="kueue-api#reservation-says-where",
    shows="SC-163 AC-113 KV-79",
    since="0.15",
    level="should",
    needs=WEBHOOKS,
    clauses={"a": "403, naming status.admission", "b": "Kueue's own reservation is accepted"},
    revision=2,
)
def test_reservation_without_admission_is_refused(make_queue):
    queue = make_queue(checks=1, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))

    answer = workload.try_to_set_condition("QuotaReserved")
    queue.set_quota("1")

    assert answer.was_denied("status.admission"), f"a: {answer}"
    within("reserve", workload.is_prechecked, clause="b")


@scenario(
    "ADM-167",
    "podSetUpdates of a Ready check do not change while it is Ready",
    requirement="kueue-api#said-with-ready",
    shows="SC-164 AC-127",
    since="0.15",
    level="should",
    needs=WEBHOOKS,
    clauses={"a": "podSetUpdates cannot be changed", "b": "they are not left out", "c": "the message can"},
)
def test_what_was_said_with_ready_stands(make_queue):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    check, _ = queue.checks
    updates = [{"name": "main", "labels": {"a": "b"}}]
    check.answer(workload, "Ready", updates=updates)

    changed = check.try_to_answer(workload, "Ready", updates=[{"name": "main", "labels": {"a": "c"}}])
    left_out = check.try_to_answer(workload, "Ready")
    reworded = check.try_to_answer(workload, "Ready", updates=updates, message="still fine")

    assert changed.was_denied(UPDATES), f"a: {changed}"
    assert left_out.was_denied(UPDATES), f"b: {left_out}"
    assert reworded.is_accepted, f"c: {reworded}"


@scenario(
    "ADM-168",
    "a reservation is not changed after it was made",
    requirement="kueue-api#reservation-says-where",
    shows="SC-165 AC-111",
    since="0.15",
    level="should",
    needs=WEBHOOKS,
    cases=rows(
        "example change",
        ("queue", {"clusterQueue": "other"}),
        ("assignment", {"podSetAssignments": [{"name": "main", "count": 1, "flavors": {"cpu": "other"}}]}),
        ("taken-away", None),
    ),
    clauses={"a": "403, naming status.admission"},
)
def test_reservation_is_not_changed(queue, example, change):
    workload = queue.submit_until("prechecked")

    answer = workload.try_to_change(status={"admission": change})

    assert answer.was_denied("status.admission"), f"a: {answer}"


@scenario(
    "ADM-169",
    "the requests of a Workload can change until it holds quota, and not afterwards",
    requirement="kueue-api#asked-for",
    shows="SC-166 AC-161 C-18",
    since="0.15",
    level="should",
    needs=WEBHOOKS,
    cases=rows("reserved", (False,), (True,)),
    clauses={"a": "taken before, 403 while reserved"},
)
def test_what_is_asked_for(make_queue, reserved):
    queue = make_queue(checks=1, cpu="10" if reserved else "0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.is_prechecked() if reserved else workload.lists_checks(*queue.checks))

    answer = workload.try_to_change(spec={"podSets": pod_sets(count=2)})

    assert answer.was_denied("spec.podSets") if reserved else answer.is_accepted, f"a: {answer}"


@scenario(
    "ADM-170",
    "the priority of a Workload may change, and its priority class may not while it holds quota",
    requirement="kueue-api#priority",
    shows="SC-167 AC-097 AC-098",
    since="0.15",
    level="should",
    cases=rows(
        "example before change reserved code",
        ("priority-before", class_of(), {"priority": 7}, False, 200),
        ("priority-while-reserved", class_of(), {"priority": 7}, True, 200),
        ("class-before", class_of(), {"priorityClassRef": class_of(name="low")}, False, 200),
        ("name-of-kueues-class", class_of(), {"priorityClassRef": class_of(name="low")}, True, 200),
        (
            "name-of-pods-class",
            class_of("PriorityClass", PODS),
            {"priorityClassRef": class_of("PriorityClass", PODS, "low")},
            True,
            422,
        ),
        ("kind-and-group", class_of(), {"priorityClassRef": class_of("PriorityClass", PODS)}, True, 422),
        ("taken-away", class_of(), {"priorityClassRef": None}, True, 422),
        ("added", None, {"priorityClassRef": class_of()}, True, 422),
        ("added-before", None, {"priorityClassRef": class_of()}, False, 200),
        ("no-priority", class_of(), {"priority": None}, False, 422),
    ),
    clauses={"a": "it is taken, or 422 Invalid"},
)
def test_priority_and_its_class(make_queue, example, before, change, reserved, code):
    queue = make_queue(checks=1, cpu="10" if reserved else "0")
    fields = {"priority": 3, **({"priorityClassRef": before} if before else {})}
    workload = queue.submit(cpu="1", **fields)
    within("settle", lambda: workload.is_prechecked() if reserved else workload.lists_checks(*queue.checks))

    answer = workload.try_to_change(spec=change)

    assert answer.code == code, f"a: {answer}"


@scenario(
    "ADM-171",
    "the priority class of a Workload has a kind that fits its group",
    requirement="kueue-api#priority",
    shows="SC-167 AC-097",
    since="0.15",
    level="should",
    cases=rows(
        "example reference",
        ("pods-class-of-kueue", class_of("PriorityClass")),
        ("kueues-class-of-pods", class_of(group=PODS)),
        ("unknown-group", class_of(group="example.com")),
        ("unknown-kind", class_of("Class")),
        ("no-name", class_of(name="")),
    ),
    clauses={"a": "422 Invalid, naming the reference", "b": "one that fits is taken"},
    revision=2,
)
def test_class_fits_its_group(kueue_cluster, example, reference):
    spec = {"podSets": pod_sets(), "priority": 1}

    answer = kueue_cluster.try_to_create("Workload", {**spec, "priorityClassRef": reference})
    fitting = kueue_cluster.try_to_create("Workload", {**spec, "priorityClassRef": class_of()})

    assert answer.is_invalid("spec.priorityClassRef"), f"a: {answer}"
    assert fitting.is_accepted, f"b: {fitting}"


@scenario(
    "ADM-172",
    "the maximum execution time of a Workload can change until it is admitted",
    requirement="kueue-api#execution-time",
    shows="SC-168 AC-100 R-04",
    since="0.15",
    level="should",
    cases=rows("stage code", ("prechecked", 200), ("admitted", 422)),
    clauses={"a": "taken while only reserved, 422 when admitted"},
)
def test_execution_time(queue, stage, code):
    workload = queue.submit_until(stage, maximumExecutionTimeSeconds=3600)

    answer = workload.try_to_change(spec={"maximumExecutionTimeSeconds": 7200})

    assert answer.code == code, f"a: {answer}"


@scenario(
    "ADM-173",
    "the reclaimable pods of a Workload do not decrease while it holds quota",
    requirement="kueue-api#reclaimable-pods",
    shows="SC-169 AC-115",
    since="0.15",
    level="should",
    needs=WEBHOOKS,
    clauses={
        "a": "more pods may become reclaimable",
        "b": "not more than there are",
        "c": "less may not",
        "d": "the list is not removed",
    },
)
def test_pods_given_back(queue):
    workload = queue.submit_until("admitted", count=3)

    def gives_back(count):
        return workload.try_to_change(status={"reclaimablePods": [{"name": "main", "count": count}]})

    assert gives_back(2).is_accepted, "a: more may be given back"
    assert gives_back(4).was_denied("count"), "b: not more than there are"
    assert gives_back(1).was_denied("count"), "c: less may not"
    assert workload.try_to_change(status={"reclaimablePods": []}).was_denied("reclaimablePods"), (
        "d: the list is not removed"
    )


@scenario(
    "ADM-174",
    "a check is restricted to flavors that its ClusterQueue has",
    requirement="kueue-api#flavors-of-checks",
    shows="SC-171 AC-041",
    since="0.18",
    level="should",
    needs=WEBHOOKS,
    clauses={
        "a": "a flavor of the queue is taken",
        "b": "another one is refused",
        "c": "a used flavor cannot be removed",
    },
)
def test_flavors_of_checks(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1, flavors=2)
    first, second = queue.flavors
    name = queue.checks[0].name
    rule = lambda flavor: {"admissionChecks": [{"name": name, "onFlavors": [flavor]}]}  # noqa: E731

    taken = queue.try_to_change(admissionChecksStrategy=rule(second))
    unknown = queue.try_to_change(admissionChecksStrategy=rule("other"))
    removed = queue.try_to_set_flavors(first)

    assert taken.is_accepted, f"a: {taken}"
    assert unknown.was_denied("onFlavors[0]"), f"b: {unknown}"
    assert removed.was_denied("onFlavors[0]"), f"c: {removed}"


@scenario(
    "ADM-782",
    "a ClusterQueue stored with a check for a flavor that it lacks can be changed otherwise, or not before that is right",
    requirement="kueue-api#flavors-of-checks",
    shows="KV-37 AC-041",
    since="0.18",
    gates=("RejectUpdatesToCQWithInvalidOnFlavors",),
    level="may",
    needs=(*WEBHOOKS, "virtual time"),
    serial=True,
    clauses={"a": "another change, with the check as it was", "b": "a change that takes the flavor away"},
)
def test_stored_with_a_flavor_that_it_lacks(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    name = queue.checks[0].name
    strategy = {"admissionChecks": [{"name": name, "onFlavors": ["other"]}]}
    with kueue_cluster.suspend_validation("ClusterQueue"):
        stored = queue.try_to_change(admissionChecksStrategy=strategy)

    other = queue.try_to_change(queueingStrategy="StrictFIFO")
    mended = queue.try_to_change(admissionChecksStrategy={"admissionChecks": [{"name": name}]})

    assert stored.is_accepted, f"a: {stored}"
    either(
        "react",
        {"it is refused": lambda: other.was_denied("onFlavors[0]"), "it is taken": lambda: other.is_accepted},
        until={"it is taken": "<0.20.0"},
        clause="a",
    )
    assert mended.is_accepted, f"b: {mended}"


@scenario(
    "ADM-783",
    "a minimum parallelism of more than 32 bits is refused, or what is left of it counts",
    requirement="kueue-api#quirks",
    shows="KV-57",
    since="0.19",
    level="may",
    needs=WEBHOOKS,
    clauses={"a": "a number whose last 32 bits are within bounds", "b": "one within bounds is taken"},
)
def test_minimum_parallelism_of_more_than_32_bits(kueue_cluster):
    queue, spec = kueue_cluster.make_queue(), {"suspend": True, "parallelism": 3, "completions": 3}

    large, right = (
        kueue_cluster.try_to_create(
            "Job",
            {**spec, "template": TEMPLATE},
            labels={"kueue.x-k8s.io/queue-name": queue.name},
            annotations={MIN_PARALLELISM: f"{least}"},
        )
        for least in (2**32 + 2, 2)
    )

    either(
        "react",
        {
            "it is refused": lambda: large.was_denied(MIN_PARALLELISM),
            "it is taken": lambda: large.is_accepted,
        },
        until={"it is taken": "<0.19.6, 0.20.0"},
        clause="a",
    )
    assert right.is_accepted, f"b: {right}"


@scenario(
    "ADM-175",
    "gates of a Workload are names with a domain, given at its creation",
    requirement="kueue-api#gates",
    shows="SC-173 AC-163 C-19",
    since="0.19",
    gates=("AdmissionGatedBy",),
    level="should",
    needs=WEBHOOKS,
    cases=rows(
        "example gates code",
        ("two", "example.com/a,example.com/b", 200),
        ("no-domain", "a", 403),
        ("empty", "example.com/a,,example.com/b", 403),
        ("twice", "example.com/a,example.com/a", 403),
        ("long", "example.com/" + "a" * 52, 403),
    ),
    clauses={"a": "taken, or 403", "b": "a good one is taken"},
    revision=2,
)
def test_gates_are_names(kueue_cluster, example, gates, code):
    answer = kueue_cluster.try_to_create("Workload", {"podSets": pod_sets()}, annotations={GATE: gates})
    good = kueue_cluster.try_to_create(
        "Workload", {"podSets": pod_sets()}, annotations={GATE: "example.com/a"}
    )

    assert answer.code == code, f"a: {answer}"
    assert good.is_accepted, f"b: {good}"


@scenario(
    "ADM-176",
    "gates of a Workload can be removed, but not added or changed",
    requirement="kueue-api#gates",
    shows="SC-173 AC-163",
    since="0.19",
    gates=("AdmissionGatedBy",),
    level="should",
    needs=WEBHOOKS,
    cases=rows(
        "example before after code",
        ("one-is-lifted", "example.com/a,example.com/b", "example.com/b", 200),
        ("all-are-lifted", "example.com/a", None, 200),
        ("one-is-added", "example.com/a", "example.com/a,example.com/b", 403),
        ("late", "", "example.com/a", 403),
    ),
    clauses={"a": "taken, or 403"},
)
def test_gates_only_shrink(queue, example, before, after, code):
    workload = queue.submit(annotations={GATE: before} if before else {})
    within(
        "settle",
        lambda: workload.has_reason("QuotaReserved", "AdmissionGated" if before else "QuotaReserved"),
    )

    answer = workload.try_to_change(metadata={"annotations": {GATE: after}})

    assert answer.code == code, f"a: {answer}"

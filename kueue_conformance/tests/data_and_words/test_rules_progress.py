"""Safety rules about what is owed at rest: to a Workload, to its Job, to what waits in a queue (AC-285, 290,
332…335, 363, 367, 381, 384, Q-125, Q-370).
"""

import pytest

from .control_plane_stories import (
    EARLIER,
    LATER,
    LOCAL,
    broken_rules,
    change,
    condition,
    creation,
    entry,
    event,
    queue,
    refusal,
    with_quota,
    workload,
)

OWNER = {"apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": "u-1", "controller": True}
FLAVOR = {"metadata": {"name": "small"}, "spec": {}}
EVENTS = [
    change(None, event(reason), "Event") for reason in ("QuotaReserved", "Admitted", "EvictedDueToPreempted")
]


def job(*, suspend=True, active=0, node=None, annotations=None, count=1):
    """Return a Job that its Workload is for."""
    template = {"metadata": {"annotations": annotations or {}}, "spec": {"nodeSelector": node or {}}}
    return {
        "metadata": {"name": "job", "namespace": "ns", "uid": "u-1"},
        "spec": {"suspend": suspend, "parallelism": count, "template": template},
        "status": {"active": active} if active else {},
    }


def of_job(workload_of_job):
    """Return a Workload as that of the Job."""
    pods = [{"name": "main", "count": 1, "template": {"spec": {}}}]
    return {
        **workload_of_job,
        "metadata": {**workload_of_job["metadata"], "ownerReferences": [OWNER]},
        "spec": {**workload_of_job["spec"], "podSets": pods},
    }


def rules(subject_workload, *other_changes, checks=None, dialect="v0.19", settled=True):
    """Return the rules that a Workload breaks when it is at rest."""
    return broken_rules(
        *other_changes,
        change(subject_workload, subject_workload, actor="kueue-conformance"),
        queues=[queue(cpu="9", checks=checks)],
        dialect=dialect,
        settled=(11 + len(other_changes),) if settled else (),
    )


SOON = {"requeueState": {"requeueAt": LATER}}
WAITS = condition("Requeued", "False", reason="AdmissionCheck")
OWED = {
    "AC-285": (with_quota(checks=[entry("a", "Ready")]), {"a": []}, ["AC-285"]),
    "AC-285 no checks": (with_quota(), None, ["AC-285"]),
    "it is admitted": (with_quota("Admitted", checks=[entry("a", "Ready")]), {"a": []}, []),
    "a check is open": (with_quota(checks=[entry("a")]), {"a": []}, []),
    "it leaves": (with_quota("Evicted", checks=[entry("a", "Ready")]), {"a": []}, []),
    "it backs off": (with_quota(checks=[entry("a", "Ready")], **SOON), {"a": []}, []),
    "AC-290": (with_quota("Admitted", checks=[entry("a", "Retry")]), {"a": []}, ["AC-290"]),
    "its delay runs": (with_quota("Admitted", checks=[entry("a", "Retry")], **SOON), {"a": []}, []),
    "a Retry without quota": (workload(checks=[entry("a", "Retry")]), {"a": []}, []),
    "AC-290 Rejected": (with_quota("Admitted", checks=[entry("a", "Rejected")]), {"a": []}, ["AC-290"]),
    "AC-290 it is marked": (workload("DeactivationTarget"), None, ["AC-290"]),
    "it is inactive": (workload("DeactivationTarget", spec={"active": False}), None, []),
    "AC-384 one is missing": (workload(), {"a": []}, ["AC-384"]),
    "AC-384 one too many": (with_quota("Admitted", checks=[entry("a", "Ready"), entry("b", "Ready")]), {"a": []}, ["AC-384"]),
    "a check of some flavors": (workload(), {"a": ["small"], "b": ["large"]}, ["AC-384"]),
    "a finished one": (workload("Finished"), {"a": []}, []),
    "a gated one": ({**workload(), "metadata": {"name": "work", "namespace": "ns", "generation": 1, "annotations": {"kueue.x-k8s.io/admission-gated-by": "x"}}}, {"a": []}, []),
    "more than it can list": (workload(), {key: [] for key in "abcdefghi"}, []),
    "AC-290 it is not requeued": (workload(WAITS), None, ["AC-290"]),
    "its back-off runs": (workload(WAITS, **SOON), None, []),
    "its back-off is over": (workload(WAITS, requeueState={"requeueAt": EARLIER}), None, ["AC-290"]),
    "drained": (workload(condition("Requeued", "False", reason="ClusterQueueStopped")), None, []),
}  # fmt: skip


@pytest.mark.parametrize(("subject_workload", "checks", "expected"), OWED.values(), ids=OWED)
def test_what_is_owed_to_a_workload(subject_workload, checks, expected):
    assert rules(subject_workload, checks=checks) == expected


def test_what_is_owed_may_come_while_something_happens():
    assert rules(with_quota(), settled=False) == []


def test_what_the_server_has_refused_may_come_later():
    subject_workload = with_quota()
    there = change(subject_workload, subject_workload, actor="kueue-conformance")

    assert "AC-285" not in broken_rules(
        there, settled=(11,), refused=[refusal("status.conditions[0].reason: Required value")]
    )


def test_nothing_is_owed_to_what_is_being_deleted():
    subject_workload = with_quota()
    subject_workload["metadata"]["deletionTimestamp"] = LATER

    assert rules(subject_workload) == []


def test_nothing_is_owed_through_a_stopped_local_queue():
    stopped = {**LOCAL, "spec": {**LOCAL["spec"], "stopPolicy": "Hold"}}

    assert rules(workload(), change(LOCAL, stopped, "LocalQueue", "user"), checks={"a": []}) == []


EVICTED = with_quota("Admitted", "Evicted")
JOBS = {
    "AC-333": (with_quota("Admitted"), job(), ["AC-333"]),
    "it runs": (with_quota("Admitted"), job(suspend=False), []),
    "AC-335": (workload(), job(suspend=False), ["AC-335"]),
    "it waits": (workload(), job(), []),
    "AC-290": (EVICTED, job(), ["AC-290"]),
    "it has pods": (EVICTED, job(active=1), []),
    "it is over": (workload("Finished"), job(suspend=False), []),
}


@pytest.mark.parametrize(("subject_workload", "other", "expected"), JOBS.values(), ids=JOBS)
def test_what_is_owed_to_a_job(subject_workload, other, expected):
    assert (
        rules(of_job(subject_workload), creation(FLAVOR, "ResourceFlavor"), creation(other, "Job"))
        == expected
    )


def test_a_job_may_wait_for_a_flavor_that_was_late():
    subject_workload = of_job(with_quota("Admitted"))
    there = change(subject_workload, subject_workload, actor="kueue-conformance")

    assert (
        broken_rules(creation(job(), "Job"), there, creation(FLAVOR, "ResourceFlavor"), settled=(13,)) == []
    )


STARTED = change(job(), job(suspend=False), "Job")
STARTS = {
    "AC-335": (workload(), STARTED, ["AC-335"]),
    "an admitted one": (with_quota("Admitted"), STARTED, []),
    "a user's": (workload(), change(job(), job(suspend=False), "Job", "kueue-conformance"), []),
    "AC-363": (with_quota("Admitted"), change(job(), job(suspend=False, node={"a": "b"}), "Job"), ["AC-363"]),
    "AC-363 other pods": (with_quota("Admitted"), change(job(), job(suspend=False, count=2), "Job"), ["AC-363"]),
    "as its user wants": (with_quota("Admitted"), change(job(node={"a": "b"}), job(suspend=False, node={"a": "b"}), "Job"), []),
    "by a check": (
        with_quota("Admitted", checks=[entry("a", "Ready", podSetUpdates=[{"name": "main", "nodeSelector": {"a": "b"}, "annotations": {"c": "d"}}])]),
        change(job(), job(suspend=False, node={"a": "b"}, annotations={"c": "d"}), "Job"), [],
    ),
    "AC-363 another annotation": (with_quota("Admitted"), change(job(), job(suspend=False, annotations={"e": "f"}), "Job"), ["AC-363"]),
    "AC-363 no annotation": (
        with_quota("Admitted", checks=[entry("a", "Ready", podSetUpdates=[{"name": "main", "annotations": {"c": "d"}}])]), STARTED, ["AC-363"],
    ),
    "AC-363 no toleration": (
        with_quota("Admitted", checks=[entry("a", "Ready", podSetUpdates=[{"name": "main", "tolerations": [{"key": "c"}]}])]), STARTED, ["AC-363"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("subject_workload", "start", "expected"), STARTS.values(), ids=STARTS)
def test_a_start(subject_workload, start, expected):
    there = change(
        of_job(subject_workload), of_job(subject_workload), actor="kueue-conformance", seconds=-60.0
    )

    assert broken_rules(creation(FLAVOR, "ResourceFlavor"), there, start) == expected


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        pytest.param(job(annotations={"a": "b"}), ["AC-367"], id="AC-367"),
        pytest.param(job(), [], id="as it was"),
        pytest.param(job(annotations={"a": "b"}, active=1), [], id="pods are left"),
    ],
)
def test_a_job_that_waits_again(last, expected):
    runs = job(suspend=False, annotations={"a": "b"})
    admitted, waits = of_job(with_quota("Admitted")), of_job(workload())
    story = [
        change(admitted, admitted, actor="kueue-conformance", seconds=-60.0),
        change(job(), runs, "Job"),
        change(admitted, waits, actor="kueue-conformance"),
        change(runs, last, "Job"),
    ]

    assert broken_rules(*story, settled=(14,)) == expected


@pytest.mark.parametrize(("active", "expected"), [(1, ["AC-332"]), (0, [])])
def test_quota_of_running_pods(active, expected):
    there, gone = (
        of_job(EVICTED),
        of_job(workload("Evicted", condition("Admitted", "False", "2027-01-15T08:00:00Z"))),
    )
    runs = change(job(), job(active=active), "Job", "kueue-conformance", seconds=-60.0)

    assert broken_rules(runs, change(there, gone)) == expected


HAPPENS = {
    "a reservation": (workload(), with_quota()),
    "an admission": (with_quota(), with_quota("Admitted")),
    "an eviction": (with_quota("Admitted"), with_quota("Admitted", condition("Evicted", reason="Preempted"))),
}


@pytest.mark.parametrize(("before", "after"), HAPPENS.values(), ids=HAPPENS)
def test_what_happens_is_told(before, after):
    story = change(before, after, seconds=1.0)
    last = change(after, {**after, "spec": {**after["spec"], "active": False}}, actor="kueue-conformance")

    assert "AC-381" in broken_rules(story, settled=(11,))
    assert "AC-381" not in broken_rules(story, *EVENTS, last, settled=(11,))
    assert "AC-381" not in broken_rules(story, kinds=frozenset({"Workload"}), settled=(11,))


def waiting(name="work", cpu="1", **pod):
    """Return a Workload that anything may take."""
    container = {"name": "c", "resources": {"requests": {"cpu": cpu}}}
    pods = [{"name": "main", "count": 1, "template": {"spec": {"containers": [container], **pod}}}]
    return workload(name=name, spec={"podSets": pods})


def active(pending=1, strategy="BestEffortFIFO", **quota):
    cluster_queue = queue(**quota)
    spec = {**cluster_queue["spec"], "namespaceSelector": {}, "queueingStrategy": strategy}
    spec["resourceGroups"] = [
        {**resource_group, "coveredResources": ["cpu"]} for resource_group in spec["resourceGroups"]
    ]
    return {
        **cluster_queue,
        "spec": spec,
        "status": {"conditions": [condition("Active")], "pendingWorkloads": pending},
    }


LEAVES = condition("Evicted", reason="Preempted")
OTHER, TAINTED = waiting("other", cpu="9"), {**FLAVOR, "spec": {"nodeTaints": [{"key": "a"}]}}
LINES = {
    "Q-125": (active(), [waiting()], ["Q-125"]),
    "it does not fit": (active(), [waiting(cpu="2")], []),
    "its pods are choosy": (active(), [waiting(nodeSelector={"a": "b"})], []),
    "Q-125 behind one that does not fit": (active(2), [OTHER, waiting()], ["Q-125"]),
    "behind the head of a strict queue": (active(2, "StrictFIFO"), [OTHER, waiting()], []),
    "Q-125 beside one that goes on": (
        active(cpu="2"),
        [with_quota("Admitted", name="other"), waiting()],
        ["Q-125"],
    ),
    "its victim has not gone": (
        active(cpu="2"),
        [with_quota("Admitted", LEAVES, name="other"), waiting()],
        [],
    ),
    "Q-370": (active(2), [waiting(cpu="2")], ["Q-370"]),
    "Q-370 none": (active(0), [waiting(cpu="2")], ["Q-370"]),
    "it is sent back": (
        active(),
        [{**waiting(), "status": {"admissionChecks": [entry("a", "Retry")]}}],
        ["AC-384"],
    ),
}


@pytest.mark.parametrize("until", [60.0, 1.0], ids=["for a while", "for a moment"])
@pytest.mark.parametrize(("there", "line", "expected"), LINES.values(), ids=LINES)
def test_what_waits(there, line, expected, until):
    story = [change(pending, pending, actor="kueue-conformance") for pending in line]

    rules_broken = broken_rules(
        creation(FLAVOR, "ResourceFlavor"), *story, queues=[there], settled=(11 + len(story),), until=until
    )

    assert rules_broken == (expected if until > 2 else [rule for rule in expected if rule.startswith("AC")])


def test_a_flavor_with_taints_may_not_do():
    story = [creation(TAINTED, "ResourceFlavor"), change(waiting(), waiting(), actor="kueue-conformance")]

    assert broken_rules(*story, queues=[active()], settled=(12,), until=60.0) == []


def test_a_local_queue_counts_its_own():
    counted = {**LOCAL, "status": {"pendingWorkloads": 3}}
    story = [
        change(LOCAL, counted, "LocalQueue", seconds=-60.0),
        change(waiting(cpu="2"), waiting(cpu="2"), actor="kueue-conformance"),
    ]

    assert broken_rules(*story, queues=[active()], settled=(12,), until=60.0) == ["Q-370"]


@pytest.mark.parametrize(
    ("counted", "expected"), [(1, []), (0, [])], ids=["until it is written again", "or at once"]
)
def test_a_cluster_queue_may_count_what_a_stopped_local_queue_leaves(counted, expected):
    stopped = {**LOCAL, "spec": {**LOCAL["spec"], "stopPolicy": "Hold"}}
    story = [
        change(waiting(cpu="2"), waiting(cpu="2"), actor="kueue-conformance"),
        change(LOCAL, stopped, "LocalQueue", actor="kueue-conformance"),
    ]

    assert broken_rules(*story, queues=[active(counted)], settled=(12,), until=60.0) == expected


def test_a_cluster_queue_whose_status_is_written_later_counts_no_more():
    stopped = {**LOCAL, "spec": {**LOCAL["spec"], "stopPolicy": "Hold"}}
    story = [
        change(waiting(cpu="2"), waiting(cpu="2"), actor="kueue-conformance"),
        change(LOCAL, stopped, "LocalQueue", actor="kueue-conformance"),
        change(active(0), active(1), "ClusterQueue"),
    ]

    assert broken_rules(*story, queues=[active(0)], settled=(13,), until=60.0) == ["Q-370"]


def test_what_waits_for_pods_blocks_those_behind_it():
    first = {
        **waiting("first"),
        "status": {"conditions": [condition("QuotaReserved", "False", reason="WaitingForPodsReady")]},
    }
    there = with_quota("Admitted", name="other"), first, waiting()
    flavor = creation(FLAVOR, "ResourceFlavor")
    story = [flavor, *(change(item, item, actor="kueue-conformance") for item in there)]

    assert "Q-125" not in broken_rules(*story, queues=[active(2, cpu="9")], settled=(14,), until=60.0)
    alone = flavor, story[1], story[3]
    assert "Q-125" in broken_rules(*alone, queues=[active(1, cpu="9")], settled=(13,), until=60.0)

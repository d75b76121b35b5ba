"""Safety rules about what is owed at rest: to a Workload, to its Job, to what waits in a queue (AC-285, 290,
332…335, 363, 367, 381, 384, Q-125, Q-370).
"""

import pytest

from .control_plane_stories import (
    EARLIER,
    LATER,
    LOCAL,
    broken,
    change,
    condition,
    entry,
    event,
    made,
    queue,
    refusal,
    reserved,
    workload,
)

OWNER = {"apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": "u-1", "controller": True}
FLAVOR = {"metadata": {"name": "small"}, "spec": {}}
EVENTS = [change(None, event(one), "Event") for one in ("QuotaReserved", "Admitted", "EvictedDueToPreempted")]


def job(*, suspend=True, active=0, node=None, annotations=None, count=1):
    """Return a Job that its Workload is for."""
    template = {"metadata": {"annotations": annotations or {}}, "spec": {"nodeSelector": node or {}}}
    return {
        "metadata": {"name": "job", "namespace": "ns", "uid": "u-1"},
        "spec": {"suspend": suspend, "parallelism": count, "template": template},
        "status": {"active": active} if active else {},
    }


def of_job(thing):
    """Return a Workload as that of the Job."""
    pods = [{"name": "main", "count": 1, "template": {"spec": {}}}]
    return {
        **thing,
        "metadata": {**thing["metadata"], "ownerReferences": [OWNER]},
        "spec": {**thing["spec"], "podSets": pods},
    }


def rules(thing, *others, checks=None, dialect="v0.19", settled=True):
    """Return the rules that a Workload breaks when it is at rest."""
    return broken(
        *others,
        change(thing, thing, actor="kueue-conformance"),
        queues=[queue(cpu="9", checks=checks)],
        dialect=dialect,
        settled=(11 + len(others),) if settled else (),
    )


SOON = {"requeueState": {"requeueAt": LATER}}
WAITS = condition("Requeued", "False", reason="AdmissionCheck")
OWED = {
    "AC-285": (reserved(checks=[entry("a", "Ready")]), {"a": []}, ["AC-285"]),
    "AC-285 no checks": (reserved(), None, ["AC-285"]),
    "it is admitted": (reserved("Admitted", checks=[entry("a", "Ready")]), {"a": []}, []),
    "a check is open": (reserved(checks=[entry("a")]), {"a": []}, []),
    "it leaves": (reserved("Evicted", checks=[entry("a", "Ready")]), {"a": []}, []),
    "it backs off": (reserved(checks=[entry("a", "Ready")], **SOON), {"a": []}, []),
    "AC-290": (reserved("Admitted", checks=[entry("a", "Retry")]), {"a": []}, ["AC-290"]),
    "its delay runs": (reserved("Admitted", checks=[entry("a", "Retry")], **SOON), {"a": []}, []),
    "a Retry without quota": (workload(checks=[entry("a", "Retry")]), {"a": []}, []),
    "AC-290 Rejected": (reserved("Admitted", checks=[entry("a", "Rejected")]), {"a": []}, ["AC-290"]),
    "AC-290 it is marked": (workload("DeactivationTarget"), None, ["AC-290"]),
    "it is inactive": (workload("DeactivationTarget", spec={"active": False}), None, []),
    "AC-384 one is missing": (workload(), {"a": []}, ["AC-384"]),
    "AC-384 one too many": (reserved("Admitted", checks=[entry("a", "Ready"), entry("b", "Ready")]), {"a": []}, ["AC-384"]),
    "a check of some flavors": (workload(), {"a": ["small"], "b": ["large"]}, ["AC-384"]),
    "a finished one": (workload("Finished"), {"a": []}, []),
    "a gated one": ({**workload(), "metadata": {"name": "work", "namespace": "ns", "generation": 1, "annotations": {"kueue.x-k8s.io/admission-gated-by": "x"}}}, {"a": []}, []),
    "more than it can list": (workload(), {key: [] for key in "abcdefghi"}, []),
    "AC-290 it is not requeued": (workload(WAITS), None, ["AC-290"]),
    "its back-off runs": (workload(WAITS, **SOON), None, []),
    "its back-off is over": (workload(WAITS, requeueState={"requeueAt": EARLIER}), None, ["AC-290"]),
    "drained": (workload(condition("Requeued", "False", reason="ClusterQueueStopped")), None, []),
}  # fmt: skip


@pytest.mark.parametrize(("thing", "checks", "found"), OWED.values(), ids=OWED)
def test_what_is_owed_to_a_workload(thing, checks, found):
    assert rules(thing, checks=checks) == found


def test_what_is_owed_may_come_while_something_happens():
    assert rules(reserved(), settled=False) == []


def test_what_the_server_has_refused_may_come_later():
    thing = reserved()
    there = change(thing, thing, actor="kueue-conformance")

    assert "AC-285" not in broken(
        there, settled=(11,), refused=[refusal("status.conditions[0].reason: Required value")]
    )


def test_nothing_is_owed_to_what_is_being_deleted():
    thing = reserved()
    thing["metadata"]["deletionTimestamp"] = LATER

    assert rules(thing) == []


def test_nothing_is_owed_through_a_stopped_local_queue():
    stopped = {**LOCAL, "spec": {**LOCAL["spec"], "stopPolicy": "Hold"}}

    assert rules(workload(), change(LOCAL, stopped, "LocalQueue", "user"), checks={"a": []}) == []


EVICTED = reserved("Admitted", "Evicted")
JOBS = {
    "AC-333": (reserved("Admitted"), job(), ["AC-333"]),
    "it runs": (reserved("Admitted"), job(suspend=False), []),
    "AC-335": (workload(), job(suspend=False), ["AC-335"]),
    "it waits": (workload(), job(), []),
    "AC-290": (EVICTED, job(), ["AC-290"]),
    "it has pods": (EVICTED, job(active=1), []),
    "it is over": (workload("Finished"), job(suspend=False), []),
}


@pytest.mark.parametrize(("thing", "other", "found"), JOBS.values(), ids=JOBS)
def test_what_is_owed_to_a_job(thing, other, found):
    assert rules(of_job(thing), made(FLAVOR, "ResourceFlavor"), made(other, "Job")) == found


def test_a_job_may_wait_for_a_flavor_that_was_late():
    thing = of_job(reserved("Admitted"))
    there = change(thing, thing, actor="kueue-conformance")

    assert broken(made(job(), "Job"), there, made(FLAVOR, "ResourceFlavor"), settled=(13,)) == []


STARTED = change(job(), job(suspend=False), "Job")
STARTS = {
    "AC-335": (workload(), STARTED, ["AC-335"]),
    "an admitted one": (reserved("Admitted"), STARTED, []),
    "a user's": (workload(), change(job(), job(suspend=False), "Job", "kueue-conformance"), []),
    "AC-363": (reserved("Admitted"), change(job(), job(suspend=False, node={"a": "b"}), "Job"), ["AC-363"]),
    "AC-363 other pods": (reserved("Admitted"), change(job(), job(suspend=False, count=2), "Job"), ["AC-363"]),
    "as its user wants": (reserved("Admitted"), change(job(node={"a": "b"}), job(suspend=False, node={"a": "b"}), "Job"), []),
    "by a check": (
        reserved("Admitted", checks=[entry("a", "Ready", podSetUpdates=[{"name": "main", "nodeSelector": {"a": "b"}, "annotations": {"c": "d"}}])]),
        change(job(), job(suspend=False, node={"a": "b"}, annotations={"c": "d", "e": "f"}), "Job"), [],
    ),
    "AC-363 no annotation": (
        reserved("Admitted", checks=[entry("a", "Ready", podSetUpdates=[{"name": "main", "annotations": {"c": "d"}}])]), STARTED, ["AC-363"],
    ),
    "AC-363 no toleration": (
        reserved("Admitted", checks=[entry("a", "Ready", podSetUpdates=[{"name": "main", "tolerations": [{"key": "c"}]}])]), STARTED, ["AC-363"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("thing", "start", "found"), STARTS.values(), ids=STARTS)
def test_a_start(thing, start, found):
    there = change(of_job(thing), of_job(thing), actor="kueue-conformance", seconds=-60.0)

    assert broken(made(FLAVOR, "ResourceFlavor"), there, start) == found


@pytest.mark.parametrize(
    ("last", "found"),
    [
        pytest.param(job(annotations={"a": "b"}), ["AC-367"], id="AC-367"),
        pytest.param(job(), [], id="as it was"),
        pytest.param(job(annotations={"a": "b"}, active=1), [], id="pods are left"),
    ],
)
def test_a_job_that_waits_again(last, found):
    runs = job(suspend=False, annotations={"a": "b"})
    admitted, waits = of_job(reserved("Admitted")), of_job(workload())
    story = [
        change(admitted, admitted, actor="kueue-conformance", seconds=-60.0),
        change(job(), runs, "Job"),
        change(admitted, waits, actor="kueue-conformance"),
        change(runs, last, "Job"),
    ]

    assert broken(*story, settled=(14,)) == found


@pytest.mark.parametrize(("active", "found"), [(1, ["AC-332"]), (0, [])])
def test_quota_of_running_pods(active, found):
    there, gone = (
        of_job(EVICTED),
        of_job(workload("Evicted", condition("Admitted", "False", "2027-01-15T08:00:00Z"))),
    )
    runs = change(job(), job(active=active), "Job", "kueue-conformance", seconds=-60.0)

    assert broken(runs, change(there, gone)) == found


HAPPENS = {
    "a reservation": (workload(), reserved()),
    "an admission": (reserved(), reserved("Admitted")),
    "an eviction": (reserved("Admitted"), reserved("Admitted", condition("Evicted", reason="Preempted"))),
}


@pytest.mark.parametrize(("before", "after"), HAPPENS.values(), ids=HAPPENS)
def test_what_happens_is_told(before, after):
    story = change(before, after, seconds=1.0)
    last = change(after, {**after, "spec": {**after["spec"], "active": False}}, actor="kueue-conformance")

    assert "AC-381" in broken(story, settled=(11,))
    assert "AC-381" not in broken(story, *EVENTS, last, settled=(11,))
    assert "AC-381" not in broken(story, kinds=frozenset({"Workload"}), settled=(11,))


def waiting(name="work", cpu="1", **pod):
    """Return a Workload that anything may take."""
    container = {"name": "c", "resources": {"requests": {"cpu": cpu}}}
    pods = [{"name": "main", "count": 1, "template": {"spec": {"containers": [container], **pod}}}]
    return workload(name=name, spec={"podSets": pods})


def active(pending=1, strategy="BestEffortFIFO", **quota):
    found = queue(**quota)
    spec = {**found["spec"], "namespaceSelector": {}, "queueingStrategy": strategy}
    spec["resourceGroups"] = [{**one, "coveredResources": ["cpu"]} for one in spec["resourceGroups"]]
    return {
        **found,
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
        [reserved("Admitted", name="other"), waiting()],
        ["Q-125"],
    ),
    "its victim has not gone": (
        active(cpu="2"),
        [reserved("Admitted", LEAVES, name="other"), waiting()],
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
@pytest.mark.parametrize(("there", "line", "found"), LINES.values(), ids=LINES)
def test_what_waits(there, line, found, until):
    story = [change(one, one, actor="kueue-conformance") for one in line]

    seen = broken(
        made(FLAVOR, "ResourceFlavor"), *story, queues=[there], settled=(11 + len(story),), until=until
    )

    assert seen == (found if until > 2 else [one for one in found if one.startswith("AC")])


def test_a_flavor_with_taints_may_not_do():
    story = [made(TAINTED, "ResourceFlavor"), change(waiting(), waiting(), actor="kueue-conformance")]

    assert broken(*story, queues=[active()], settled=(12,), until=60.0) == []


def test_a_local_queue_counts_its_own():
    told = {**LOCAL, "status": {"pendingWorkloads": 3}}
    story = [
        change(LOCAL, told, "LocalQueue", seconds=-60.0),
        change(waiting(cpu="2"), waiting(cpu="2"), actor="kueue-conformance"),
    ]

    assert broken(*story, queues=[active()], settled=(12,), until=60.0) == ["Q-370"]

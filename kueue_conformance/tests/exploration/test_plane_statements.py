"""Statements of the model beyond quota: queues, order, preemption, resets, delays, Jobs."""

from copy import deepcopy

import pytest

from kueue_conformance.exploration.control_planes.model import contradictions
from kueue_conformance.exploration.control_planes.state import State

from .test_plane_model import FLAVOR, LOCAL, cohort, condition, queue, snapshot, workload

FACTS = {
    "reset-on-eviction": True,
    "requeued-condition": True,
    "retry-delay": "requeue",
    "check-problem-reasons": ["AdmissionCheckNotFound", "AdmissionCheckInactive"],
}
NOON = "2026-01-01T12:00:00Z"
NOON_SECONDS = 1767268800.0


def cluster(*workloads, queues=None, **objects):
    return snapshot(
        Workload=workloads,
        ClusterQueue=queues or [guarded(queue("q", "4"))],
        LocalQueue=[{**LOCAL, "status": {"conditions": [{**condition("Active"), "reason": "Ready"}]}}],
        ResourceFlavor=[guarded(FLAVOR)],
        **objects,
    )


def guarded(stored, reason="Ready"):
    """Return an object with Kueue's finalizer, and the reason of its Active condition."""
    metadata = {**stored["metadata"], "finalizers": ["kueue.x-k8s.io/resource-in-use"]}
    result = {**stored, "metadata": metadata}
    if "status" in result:
        active = [{**item, "reason": reason} for item in result["status"]["conditions"]]
        result["status"] = {"conditions": active}
    return result


def of(workload, *, priority=0, created=NOON, true=(), requeue_at="", limit=None, uid="", **reasons):
    """Return a Workload with a priority, a time, and conditions for reasons."""
    conditions = [*workload["status"]["conditions"]]
    conditions += [
        {**condition(name, "False" if name == "Requeued" else "True"), "reason": reason}
        for name, reason in reasons.items()
    ]
    spec = {**workload["spec"], "priority": priority}
    if limit:
        spec["maximumExecutionTimeSeconds"] = limit
    status = {**workload["status"], "conditions": conditions}
    if requeue_at:
        status["requeueState"] = {"requeueAt": requeue_at}
    metadata = {**workload["metadata"], "creationTimestamp": created, "generation": 1, "uid": uid}
    return {**workload, "metadata": metadata, "spec": spec, "status": status}


def statements(after, before=None, **fields):
    fields = {"facts": FACTS, "time": NOON_SECONDS + 100, "acts": 1, **fields}
    state = State(after, before or snapshot(), **fields)
    return {item.statement for item in contradictions(state)}


@pytest.mark.parametrize(
    ("stored", "reason", "is_right"),
    [
        pytest.param(queue("q", "4"), "Ready", True, id="Ready"),
        pytest.param(queue("q", "4", active="False"), "Ready", False, id="nothing is wrong"),
        pytest.param(queue("q", "4", stop="Hold", active="False"), "Stopped", True, id="stopped"),
        pytest.param(queue("q", "4", stop="Hold"), "Ready", False, id="stopped, and Ready"),
        pytest.param(
            queue("q", "4", checks="k", active="False"), "AdmissionCheckNotFound", True, id="no check"
        ),
        pytest.param(queue("q", "4", checks="k"), "Ready", False, id="no check, and Ready"),
    ],
)
def test_a_cluster_queue_says_whether_it_is_active(stored, reason, is_right):
    state = cluster(queues=[guarded(stored, reason)])
    state.objects["LocalQueue"] = {}

    assert statements(state) == (set() if is_right else {"active"})


def test_a_local_queue_follows_its_cluster_queue():
    right, wrong = cluster(), cluster()
    wrong.objects["LocalQueue"]["local"] = {
        **LOCAL,
        "status": {"conditions": [{**condition("Active", "False"), "reason": "ClusterQueueIsInactive"}]},
    }

    assert (statements(right), statements(wrong)) == (set(), {"active"})


def test_what_is_in_use_is_guarded_and_what_is_not_goes():
    unguarded, stays = cluster(), cluster()
    unguarded.objects["ResourceFlavor"]["f"] = FLAVOR
    check = {"metadata": {"name": "k", "deletionTimestamp": NOON}, "status": {"conditions": []}}
    stays.objects["AdmissionCheck"]["k"] = guarded(check)

    assert (statements(unguarded), statements(stays)) == ({"finalizers"}, {"finalizers"})


def test_the_entries_of_an_evicted_workload_are_pending():
    evicted = of(workload("w", "9", checks=[("k", "Ready")]), Evicted="Preempted")

    assert statements(cluster(evicted)) == {"resets"}
    assert statements(cluster(evicted), facts={}) == set()


def test_what_waits_in_queues_that_run_is_requeued():
    waiting = of(workload("w", "9"), Requeued="ClusterQueueStopped")

    assert statements(cluster(waiting)) == {"requeue"}
    assert statements(cluster(of(workload("w", "9"), Requeued="Deactivated"))) == set()


def test_a_delay_that_is_over_is_removed():
    over = of(workload("w", "9"), requeue_at=NOON)

    assert statements(cluster(over)) == {"delay"}
    assert statements(cluster(over), time=NOON_SECONDS - 1) == set()


def test_a_time_limit_ends_what_is_admitted():
    admitted = of(workload("w", "2", "QuotaReserved", "Admitted"), limit=60)
    for item in admitted["status"]["conditions"]:
        item["lastTransitionTime"] = NOON

    assert statements(cluster(admitted)) == {"time-limit"}
    assert statements(cluster(admitted), time=NOON_SECONDS + 50) == set()


def test_an_inactive_workload_is_evicted():
    assert statements(cluster(of(workload("w", "9", active=False)))) == {"deactivation"}


def test_what_is_stopped_holds_quota_for_what_is_admitted_alone():
    held = [guarded(queue("q", "4", stop="Hold", checks="k", active="False"), "Stopped")]
    reserved = workload("w", "2", "QuotaReserved", checks=[("k", "Pending")])
    state = cluster(reserved, queues=held)
    state.objects["LocalQueue"] = {
        "local": {
            **LOCAL,
            "status": {"conditions": [{**condition("Active", "False"), "reason": "ClusterQueueIsInactive"}]},
        }
    }

    assert statements(state) == {"hold"}


@pytest.mark.parametrize("strategy", ["StrictFIFO", "BestEffortFIFO"])
@pytest.mark.parametrize(
    ("of_first", "of_second", "is_right"),
    [
        pytest.param({"priority": 5}, {}, False, id="a lower priority overtakes"),
        pytest.param({}, {"created": "2026-01-01T12:00:05Z"}, False, id="a newer one overtakes"),
        pytest.param({}, {}, True, id="equals"),
        pytest.param({}, {"priority": 5}, True, id="a higher priority comes first"),
    ],
)
def test_queues_have_an_order(strategy, of_first, of_second, is_right):
    queues = [guarded(queue("q", "4", strategy=strategy))]
    first, second = of(workload("w-1", "3"), **of_first), of(workload("w-2", "3"), **of_second)
    reserved = of(workload("w-2", "3", "QuotaReserved", "Admitted"), **of_second)
    before, after = cluster(first, second, queues=queues), cluster(first, reserved, queues=queues)

    observed = statements(after, before)

    assert observed == (set() if is_right else {"order"})


def test_a_best_effort_queue_lets_a_smaller_one_overtake():
    first, second = of(workload("w-1", "4"), priority=5), of(workload("w-2", "3"))
    reserved = of(workload("w-2", "3", "QuotaReserved", "Admitted"))

    assert statements(cluster(first, reserved), cluster(first, second)) == set()


def test_nothing_that_others_precede_is_expected_to_move_in_a_strict_queue():
    queues = [guarded(queue("q", "4", strategy="StrictFIFO"))]
    head, small = of(workload("w-1", "9"), priority=5), of(workload("w-2", "2"))

    assert statements(cluster(head, small, queues=queues)) == set()
    assert statements(cluster(small, queues=queues)) == {"progress"}


@pytest.mark.parametrize(
    ("policy", "of_victim", "is_stuck"),
    [
        ("LowerPriority", 0, True),
        ("LowerPriority", 5, False),
        ("Never", 0, False),
        ("LowerOrNewerEqualPriority", 0, True),
    ],
)
def test_what_may_preempt_does_not_wait(policy, of_victim, is_stuck):
    preempting = guarded(queue("q", "4"))
    preempting["spec"]["preemption"] = {"withinClusterQueue": policy}
    victim = of(workload("w-1", "3", "QuotaReserved", "Admitted"), priority=of_victim)
    waiting = of(workload("w-2", "3"), priority=5)

    observed = statements(cluster(victim, waiting, queues=[preempting]))

    assert observed == ({"progress"} if is_stuck else set())


def test_quota_that_comes_free_behind_a_stopped_local_queue_is_forgotten():
    held = {**LOCAL, "spec": {**LOCAL["spec"], "stopPolicy": "HoldAndDrain"}}
    holder, waiting = of(workload("w-1", "3", "QuotaReserved", "Admitted")), of(workload("w-2", "3"))
    before, after = cluster(holder, waiting), cluster(of(workload("w-1", "3")), waiting)
    after.objects["LocalQueue"]["local"] = held

    assert State(after, before).forgets_free_quota()
    assert not State(before, before).forgets_free_quota()
    assert statements(cluster(waiting), has_forgotten_quota=True) == set()


def test_what_becomes_a_victim_by_its_priority_wakes_nothing():
    preempting = guarded(queue("q", "4"))
    preempting["spec"]["preemption"] = {"withinClusterQueue": "LowerPriority"}
    victim, waiting = workload("w-1", "3", "QuotaReserved", "Admitted"), of(workload("w-2", "3"), priority=5)
    before = cluster(of(deepcopy(victim), priority=9), waiting, queues=[preempting])
    after = cluster(of(deepcopy(victim), priority=1), waiting, queues=[preempting])

    assert State(after, before).has_lowered_priority_of_holder()
    assert not State(before, after).has_lowered_priority_of_holder()
    assert statements(after) == {"progress"}
    assert statements(after, has_lowered_priority=True) == set()


@pytest.mark.parametrize(("reclaim", "is_stuck"), [("Any", True), ("Never", False)])
def test_quota_that_others_have_borrowed_is_reclaimed(reclaim, is_stuck):
    lender, borrower = guarded(queue("q", "4", "c")), guarded(queue("r", "2", "c"))
    lender["spec"]["preemption"] = {"reclaimWithinCohort": reclaim}
    victim = of(workload("w-1", "5", "QuotaReserved", "Admitted", queue="r"))
    state = cluster(victim, of(workload("w-2", "3")), queues=[lender, borrower], Cohort=[cohort("c", "0")])

    assert statements(state) == ({"progress"} if is_stuck else set())


@pytest.mark.parametrize(
    ("spec", "fields", "is_right"),
    [
        ({}, {}, True),
        ({"nodeTaints": [{"key": "k", "effect": "NoSchedule"}]}, {}, False),
        (
            {"nodeTaints": [{"key": "k", "effect": "NoSchedule"}]},
            {"tolerations": [{"operator": "Exists"}]},
            True,
        ),
        ({}, {"nodeSelector": {"example.com/flavor": "f1"}}, True),
        ({}, {"nodeSelector": {"example.com/flavor": "f2"}}, False),
        ({}, {"nodeSelector": {"example.com/zone": "z"}}, True),
    ],
)
def test_pods_get_a_flavor_that_suits_them(spec, fields, is_right):
    reserved = workload("w", "2", "QuotaReserved", "Admitted")
    reserved["spec"]["podSets"][0]["template"]["spec"].update(fields)
    state = cluster(reserved)
    state.objects["ResourceFlavor"]["f"] = guarded({**FLAVOR, "spec": {**FLAVOR["spec"], **spec}})

    assert statements(state) == (set() if is_right else {"placement"})


def job(selector=None, parallelism=1, **status):
    pods = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "2"}}}]}
    if selector:
        pods["nodeSelector"] = selector
    spec = {"suspend": not selector, "parallelism": parallelism, "template": {"metadata": {}, "spec": pods}}
    return {"metadata": {"name": "job"}, "spec": spec, "status": status}


@pytest.mark.parametrize(
    ("true", "of_job", "expected"),
    [
        (["QuotaReserved", "Admitted"], {"selector": {"example.com/flavor": "f1"}}, set()),
        (["QuotaReserved", "Admitted"], {"selector": {"example.com/flavor": "f2"}}, {"job-templates"}),
        ([], {}, {"progress"}),
        ([], {"parallelism": 2}, {"progress", "job-templates"}),
    ],
)
def test_the_pods_of_a_job_are_those_of_its_workload(true, of_job, expected):
    owned = workload("w", "2", *true, owner="job")

    assert statements(cluster(owned, Job=[job(**of_job)])) == expected


def test_the_workload_of_a_job_that_has_ended_is_finished():
    ended = job(conditions=[condition("Complete")])

    assert statements(cluster(workload("w", "9", owner="job"), Job=[ended])) == {"finished-jobs"}

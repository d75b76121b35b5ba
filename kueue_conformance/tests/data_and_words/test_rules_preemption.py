"""Stories of preemptions: which Workloads may be evicted for which,
and when none has to be (Q-166, Q-251, Q-318).
"""

import pytest

from .control_plane_stories import EARLIER, NOW, broken_rules, change, condition, queue, with_quota, workload

UID = "0a1b"
MESSAGE = f"Preempted to accommodate a workload (UID: {UID}, JobUID: UNKNOWN) due to a reason"
LOCAL = {"metadata": {"name": "elsewhere", "namespace": "ns"}, "spec": {"clusterQueue": "other"}}


def pods(cpu):
    container = {"name": "main", "resources": {"requests": {"cpu": cpu}}}
    return [{"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}]


def preemptor(priority=1, cpu="1", local="local"):
    new_workload = workload(name="new", spec={"priority": priority, "podSets": pods(cpu), "queueName": local})
    return {**new_workload, "metadata": {**new_workload["metadata"], "uid": UID}}


def preemption(priority=0, reason="InClusterQueue", cpu="1"):
    """Return the write that evicts a Workload of the queue for another one."""
    before = with_quota("Admitted", cpu=cpu, spec={"priority": priority, "podSets": pods(cpu)})
    eviction_conditions = [
        condition(name, time=NOW, reason=why, message=MESSAGE)
        for name, why in (("Evicted", "Preempted"), ("Preempted", reason))
    ]
    return before, {
        **before,
        "status": {**before["status"], "conditions": [*before["status"]["conditions"], *eviction_conditions]},
    }


def with_policies(cluster_queue, **policies):
    return {**cluster_queue, "spec": {**cluster_queue["spec"], "preemption": policies}}


def story(new, victim, *queues):
    before, after = victim
    there = [
        change(None, manifest, kind, "user")
        for manifest, kind in ((LOCAL, "LocalQueue"), (before, "Workload"), (new, "Workload"))
    ]
    return broken_rules(*there, change(before, after), queues=queues, settled=(13,))


LOWER = {"withinClusterQueue": "LowerPriority"}
NEWER = {"withinClusterQueue": "LowerOrNewerEqualPriority"}
BORROWS = {
    "reclaimWithinCohort": "Any",
    "borrowWithinCohort": {"policy": "LowerPriority", "maxPriorityThreshold": 0},
}
WITHIN = {
    "a lower one": (LOWER, 0, "InClusterQueue", []),
    "an equal one": (LOWER, 1, "InClusterQueue", ["Q-251"]),
    "an equal one that may be newer": (NEWER, 1, "InClusterQueue", []),
    "a higher one": (NEWER, 2, "InClusterQueue", ["Q-251"]),
    "none may go": ({"withinClusterQueue": "Never"}, 0, "InClusterQueue", ["Q-251"]),
    "by default none may go": ({}, 0, "InClusterQueue", ["Q-251"]),
    "for a reason that does not fit": (LOWER, 0, "InCohortReclamation", ["Q-251"]),
}
ACROSS = {
    "any borrower": ({"reclaimWithinCohort": "Any"}, 9, "InCohortReclamation", []),
    "a lower one": ({"reclaimWithinCohort": "LowerPriority"}, 0, "InCohortReclamation", []),
    "a higher one": ({"reclaimWithinCohort": "LowerPriority"}, 9, "InCohortReclamation", ["Q-251"]),
    "none may go": (LOWER, 0, "InCohortReclamation", ["Q-251"]),
    "below the threshold": (BORROWS, 0, "InCohortReclaimWhileBorrowing", []),
    "above the threshold": ({**BORROWS, "borrowWithinCohort": {"policy": "LowerPriority", "maxPriorityThreshold": -1}}, 0, "InCohortReclaimWhileBorrowing", ["Q-251"]),
    "by a borrower that may not": ({"reclaimWithinCohort": "Any"}, 0, "InCohortReclaimWhileBorrowing", ["Q-251"]),
    "for a reason that does not fit": ({"reclaimWithinCohort": "Any"}, 0, "InClusterQueue", ["Q-251"]),
}  # fmt: skip
NEEDS = {
    "there is no room": ("1", "1", []),
    "there is room for both": ("2", "1", ["Q-166"]),
    "there is room for half of it": ("2", "2", []),
}


@pytest.mark.parametrize(("policies", "priority", "reason", "rules"), WITHIN.values(), ids=WITHIN)
def test_a_victim_in_the_same_queue(policies, priority, reason, rules):
    assert story(preemptor(), preemption(priority, reason), with_policies(queue("1"), **policies)) == rules


@pytest.mark.parametrize(("policies", "priority", "reason", "rules"), ACROSS.values(), ids=ACROSS)
def test_a_victim_in_another_queue(policies, priority, reason, rules):
    queues = (queue("0", cohort="tree"), with_policies(queue("1", cohort="tree", name="other"), **policies))

    assert story(preemptor(local="elsewhere"), preemption(priority, reason), *queues) == rules


@pytest.mark.parametrize(("quota", "cpu", "rules"), NEEDS.values(), ids=NEEDS)
def test_a_victim_is_needed(quota, cpu, rules):
    assert story(preemptor(cpu=cpu), preemption(), with_policies(queue(quota), **LOWER)) == rules


def test_what_is_free_may_be_kept_for_another_one():
    waits = change(None, workload(name="waits", spec={"podSets": pods("9")}), actor="user")
    before, after = preemption()
    there = [change(None, created, actor="user") for created in (before, preemptor())]

    rules = broken_rules(
        *there, waits, change(before, after), queues=[with_policies(queue("2"), **LOWER)], settled=(13,)
    )

    assert rules == []


def test_admitted_is_taken_back_with_the_quota_only():
    assert broken_rules(change(with_quota("Admitted"), with_quota(condition("Admitted", "False", NOW)))) == [
        "Q-318"
    ]


@pytest.mark.parametrize(
    ("said", "is_broken"), [([], False), ([EARLIER], False), ([NOW], True)], ids=["nothing", "older", "new"]
)
def test_a_preemptor_that_has_not_seen_the_admission_evicts(said, is_broken):
    not_admitted = [condition("Admitted", "False", moment) for moment in said]
    before, after = with_quota(condition("Admitted", "True", NOW)), with_quota("Evicted", *not_admitted)

    assert ("Q-318" in broken_rules(change(before, after))) is is_broken

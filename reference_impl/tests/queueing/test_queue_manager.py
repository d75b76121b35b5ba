"""The queue manager: Workloads come, change, give quota back and leave (Q-050, Q-380)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.workload.view import Workload

from ..scheduling.queue_side import CORRECTED, Cluster, group
from .queue_events import (
    acts_of,
    admit,
    change,
    cluster_queue,
    local_queue,
    make_cluster,
    names_in_order,
    of_another_class,
    reprioritize,
)

KNOWN = {
    "Q-060 no such LocalQueue": ("other", ("", False)),
    "a LocalQueue of no ClusterQueue": ("lost", ("gone", False)),
    "both": ("lq", ("cq", True)),
}


@pytest.mark.parametrize(("name", "expected"), KNOWN.values(), ids=KNOWN)
def test_cluster_queue_of_a_local_queue(name: str, expected: tuple[str, bool]) -> None:
    cluster = make_cluster()
    cluster.notes.local_queue(None, local_queue("lost", to="gone"))

    assert cluster.queue_manager.cluster_queue_for("ns", name) == expected


WORKLOAD_EVENTS = {
    "comes": (make_cluster, lambda cluster: cluster.cpu("w", 1, queue="lq"), ["work"]),
    "gets its reservation": (
        lambda: make_cluster().cpu("w", 1, queue="lq"),
        lambda cluster: cluster.run_all(),
        ["work"],
    ),
    "is deleted": (lambda: admit(make_cluster()), lambda cluster: cluster.remove("w"), ["wake", "work"]),
    "is deleted while it waits": (
        lambda: make_cluster().cpu("w", 1, queue="lq"),
        lambda cluster: cluster.remove("w"),
        ["wake", "work"],
    ),
}


@pytest.mark.parametrize(("start", "act", "acts"), WORKLOAD_EVENTS.values(), ids=WORKLOAD_EVENTS)
def test_a_workload_makes_the_status_of_its_queues_change_with_the_next_batch_q_380(
    start: Any, act: Any, acts: list[str]
) -> None:
    acts_seen = acts_of(start(), act)

    assert [act_seen for act_seen in acts_seen if isinstance(act_seen, str)] == acts
    assert {act_seen for act_seen in acts_seen if not isinstance(act_seen, str)} == {
        ("cq", "later"),
        ("ns/lq", "later"),
    }


HELD = {
    "Q-051 the priority of another class": (of_another_class, True),
    "QC-05 another priority without a class": (reprioritize, False),
    "Q-051 reclaimed pods": (
        lambda cluster: change(cluster, reclaimablePods=[{"name": "main", "count": 1}]),
        True,
    ),
    "a verdict": (
        lambda cluster: change(cluster, admissionChecks=[{"name": "c", "state": "Ready"}]),
        False,
    ),
    "Q-051 released": (lambda cluster: change(cluster, conditions=[], admission=None), True),
    "Q-140 switched off": (
        lambda cluster: cluster.put(
            Workload(
                {
                    **cluster.objects["ns/w"].object,
                    "spec": {**cluster.objects["ns/w"].spec, "active": False},
                }
            )
        ),
        True,
    ),
}


@pytest.mark.parametrize(("act", "wakes"), HELD.values(), ids=HELD)
def test_what_holds_quota_wakes_others_when_it_gives_some_back(act: Any, wakes: bool) -> None:
    assert ("wake" in acts_of(admit(make_cluster()), act)) is wakes


def test_every_other_priority_wakes_without_the_defect_qc_05() -> None:
    assert "wake" in acts_of(admit(make_cluster(follows=CORRECTED)), reprioritize)


def below(*objects: str, **fields: Any) -> Cluster:
    """Queue cq in cohort low, which is below high where it has an object; these of the two have one."""
    cluster = make_cluster(**fields)
    for name in objects:
        parent = {"parentName": "high"} if name == "low" else {}
        cluster.notes.cohort(None, {"metadata": {"name": "low" if name == "root" else name}, "spec": parent})
    return cluster.queue("cq", group("cpu", default=[4]), cohortName="low", local="lq")


STATUS_WAKES = {
    "below a Cohort object": (below("low"), True),
    "one more object further up": (below("high", "low"), True),
    "the object is the root": (below("root"), False),
    "an implicit cohort": (below(), False),
    "a Cohort object elsewhere": (below("high"), False),
    "without the defect": (below("low", follows=CORRECTED), False),
}


@pytest.mark.parametrize(("cluster", "wakes"), STATUS_WAKES.values(), ids=STATUS_WAKES)
def test_a_status_of_a_cluster_queue_wakes_its_tree_below_a_cohort_object_qc_03(
    cluster: Cluster, wakes: bool
) -> None:
    before = cluster_queue(cohortName="low")
    after = {**before, "status": {"pendingWorkloads": 1}}

    assert ("wake" in acts_of(cluster, lambda cluster: cluster.notes.cluster_queue(before, after))) is wakes


def test_what_ended_and_is_deleted_later_wakes_again_only_when_it_goes() -> None:
    cluster = admit(make_cluster())
    done = {
        "type": "Finished",
        "status": "True",
        "reason": "Succeeded",
        "message": "",
        "lastTransitionTime": "x",
    }
    conditions = [*cluster.objects["ns/w"].conditions, done]

    assert "wake" in acts_of(cluster, lambda cluster: change(cluster, conditions=conditions))
    assert "wake" not in acts_of(cluster, lambda cluster: change(cluster, clusterName="x"))


def test_what_may_not_wait_any_more_leaves_its_queue_q_003() -> None:
    cluster = make_cluster().cpu("w", 1, queue="lq")
    condition = {"type": "QuotaReserved", "status": "False", "reason": "OnHold", "message": ""}

    change(cluster, conditions=[condition])

    assert names_in_order(cluster) == []


def test_waking_asks_for_a_cycle_q_050() -> None:
    assert acts_of(make_cluster(), lambda cluster: cluster.queue_manager.wake_now()) == ["work"]


def test_heads_of_a_cohort_that_were_seen_come_along_with_a_new_one_q_226() -> None:
    cluster = Cluster().flavors()
    for name in ("one", "two"):
        cluster.queue(name, group("cpu", default=[2]), cohortName="all", queueingStrategy="StrictFIFO")
    cluster.cpu("big", 9, queue="one").run()
    alone = cluster.run()

    both = set(cluster.cpu("w", 1, queue="two").run())

    assert (alone, both) == ({}, {"big", "w"})


def test_heads_of_another_tree_do_not_come_along_p_036() -> None:
    cluster = Cluster().flavors()
    for name in ("one", "two"):
        cluster.queue(name, group("cpu", default=[2]), queueingStrategy="StrictFIFO")
    cluster.cpu("big", 9, queue="one").run()

    assert set(cluster.cpu("w", 1, queue="two").run()) == {"w"}

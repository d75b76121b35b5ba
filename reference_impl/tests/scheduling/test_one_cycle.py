"""Heads of one cycle: in which order they are processed, and what the first ones leave to the others (Q-220,
Q-231, AC-469, AC-472).
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.scheduling.entry import Requeue, usage_within_limits

from .preemption.arenas import Arena, policies
from .queue_side import Cluster, group
from .test_boundaries import CPU, make_node
from .test_planning import CHECKED, LOWER, WAITS, make_plans

FIRST = {
    "the more important one": ({"priority": 1, "created": 5}, {"priority": 2, "created": 9}, "b"),
    "the older one": ({"created": 9}, {"created": 5}, "b"),
    "of the same age the lower uid": ({"created": 5}, {"created": 5}, "a"),
}


@pytest.mark.parametrize(("first_workload", "other", "first"), FIRST.values(), ids=FIRST)
@pytest.mark.parametrize("turned", [False, True], ids=["a before b", "b before a"])
def test_of_two_that_want_the_same_quota_one_is_first_q_220(
    first_workload: Any, other: Any, first: str, turned: bool
) -> None:
    cluster = Cluster().flavors().queue("lender", group("cpu", default=[1]), cohortName="all")
    for name in "ba" if turned else "ab":
        cluster.queue(name, group("cpu", default=[0]), cohortName="all")
    cluster.cpu("a", 1, queue="a", **first_workload).cpu("b", 1, queue="b", **other)

    assert cluster.run()[first] == "reserved"


def test_behind_one_that_waits_for_pods_the_others_of_the_cycle_are_tried_again_q_231() -> None:
    cluster = Cluster(block_admission=True).flavors()
    for name in ("first", "second", "third"):
        cluster.queue(name, group("cpu", default=[1])).cpu(name, 1, queue=name)

    assert cluster.run() == {"first": "reserved", "second": "waits", "third": ""}


LEVELS = {"nothing": (0, 2), "from the next cohort": (1, 4), "from one further up": (2, 4)}


@pytest.mark.parametrize(("level", "amount"), LEVELS.values(), ids=LEVELS)
def test_what_is_kept_free_depends_on_whether_it_borrows_q_227(level: int, amount: int) -> None:
    entry: Any = SimpleNamespace(assignment=SimpleNamespace(borrowing_level=level, usage={CPU: 5}))

    assert usage_within_limits(entry, make_node(3, nominal=5, borrowing_limit=2)) == {CPU: amount}


def test_a_preemption_is_skipped_only_where_that_is_said_mt_003() -> None:
    head: Any = None

    assert not Requeue(head, RequeueReason.NO_FIT).is_preemption_skipped


@pytest.mark.parametrize("checks", [CHECKED, {}], ids=["reserves first", "preempts first"])
def test_what_a_plan_that_gave_way_had_taken_is_there_for_others_of_the_cycle_ac_472(checks: Any) -> None:
    arena = Arena().checked("c", preemptionPolicy="AfterCheckPassedOrOnDemand")
    reclaims = policies("LowerPriority", "LowerPriority")
    arena.queue("cq", group("cpu", default=[0]), cohortName="all", preemption=LOWER, **CHECKED)
    arena.queue("late", group("cpu", default=[4]), cohortName="all", preemption=reclaims, **checks)
    arena.member("beside", "all", cpu=2)
    arena.holds("low", "cq", -1, cpu=4, admitted=True).holds("waits", "cq", 1, since=1, cpu=4, message=WAITS)
    make_plans(arena)

    verdicts = arena.cpu("late", 4, priority=2, queue="late").cpu("beside", 2, queue="beside").run()

    assert verdicts["beside"] == "reserved"
    assert "reserved" in verdicts["late"] or "Pending the preemption of 1 workload" in verdicts["late"]


def test_two_of_one_cycle_do_not_count_on_the_same_victim_ac_469() -> None:
    arena = Arena().checked("c", preemptionPolicy="AfterCheckPassedOrOnDemand")
    for name in ("a", "b"):
        reclaims = policies(reclaim="Any")
        arena.queue(name, group("cpu", default=[2]), cohortName="all", preemption=reclaims, **CHECKED)
    arena.member("borrows", "all", cpu=0).holds("low", "borrows", -1, cpu=4, admitted=True)
    make_plans(arena)

    verdicts = arena.cpu("first", 2, queue="a", priority=2).cpu("second", 2, queue="b", priority=1).run()

    assert verdicts["first"] == "reserved"
    assert verdicts["second"] != "reserved"

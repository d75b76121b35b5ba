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
from .test_boundaries import CPU, node
from .test_planning import CHECKED, LOWER, WAITS, planned

FIRST = {
    "the more important one": ({"priority": 1, "created": 5}, {"priority": 2, "created": 9}, "b"),
    "the older one": ({"created": 9}, {"created": 5}, "b"),
    "of the same age the lower uid": ({"created": 5}, {"created": 5}, "a"),
}


@pytest.mark.parametrize(("one", "other", "first"), FIRST.values(), ids=FIRST)
@pytest.mark.parametrize("turned", [False, True], ids=["a before b", "b before a"])
def test_of_two_that_want_the_same_quota_one_is_first_q_220(
    one: Any, other: Any, first: str, turned: bool
) -> None:
    found = Cluster().flavors().queue("lender", group("cpu", default=[1]), cohortName="all")
    for name in "ba" if turned else "ab":
        found.queue(name, group("cpu", default=[0]), cohortName="all")
    found.cpu("a", 1, queue="a", **one).cpu("b", 1, queue="b", **other)

    assert found.run()[first] == "reserved"


def test_behind_one_that_waits_for_pods_the_others_of_the_cycle_are_tried_again_q_231() -> None:
    found = Cluster(block_admission=True).flavors()
    for name in ("first", "second", "third"):
        found.queue(name, group("cpu", default=[1])).cpu(name, 1, queue=name)

    assert found.run() == {"first": "reserved", "second": "waits", "third": ""}


LEVELS = {"nothing": (0, 2), "from the next cohort": (1, 4), "from one further up": (2, 4)}


@pytest.mark.parametrize(("level", "amount"), LEVELS.values(), ids=LEVELS)
def test_what_is_kept_free_depends_on_whether_it_borrows_q_227(level: int, amount: int) -> None:
    entry: Any = SimpleNamespace(assignment=SimpleNamespace(borrowing_level=level, usage={CPU: 5}))

    assert usage_within_limits(entry, node(3, nominal=5, borrowing_limit=2)) == {CPU: amount}


def test_a_preemption_is_skipped_only_where_that_is_said_mt_003() -> None:
    head: Any = None

    assert not Requeue(head, RequeueReason.NO_FIT).is_preemption_skipped


@pytest.mark.parametrize("checks", [CHECKED, {}], ids=["reserves first", "preempts first"])
def test_what_a_plan_that_gave_way_had_taken_is_there_for_others_of_the_cycle_ac_472(checks: Any) -> None:
    found = Arena().checked("c", preemptionPolicy="AfterCheckPassedOrOnDemand")
    reclaims = policies("LowerPriority", "LowerPriority")
    found.queue("cq", group("cpu", default=[0]), cohortName="all", preemption=LOWER, **CHECKED)
    found.queue("late", group("cpu", default=[4]), cohortName="all", preemption=reclaims, **checks)
    found.member("beside", "all", cpu=2)
    found.holds("low", "cq", -1, cpu=4, admitted=True).holds("waits", "cq", 1, since=1, cpu=4, message=WAITS)
    planned(found)

    told = found.cpu("late", 4, priority=2, queue="late").cpu("beside", 2, queue="beside").run()

    assert told["beside"] == "reserved"
    assert "reserved" in told["late"] or "Pending the preemption of 1 workload" in told["late"]


def test_two_of_one_cycle_do_not_count_on_the_same_victim_ac_469() -> None:
    found = Arena().checked("c", preemptionPolicy="AfterCheckPassedOrOnDemand")
    for name in ("a", "b"):
        reclaims = policies(reclaim="Any")
        found.queue(name, group("cpu", default=[2]), cohortName="all", preemption=reclaims, **CHECKED)
    found.member("borrows", "all", cpu=0).holds("low", "borrows", -1, cpu=4, admitted=True)
    planned(found)

    told = found.cpu("first", 2, queue="a", priority=2).cpu("second", 2, queue="b", priority=1).run()

    assert told["first"] == "reserved"
    assert told["second"] != "reserved"

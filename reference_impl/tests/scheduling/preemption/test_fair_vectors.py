"""Preemption under fair sharing: what a real Kueue was seen to do,
and the cases of the design (QC-13, KEP-1714).
"""

from __future__ import annotations

from typing import Any

import pytest

from .arenas import FairArena, policies

OWN, OWED, FAIR = "InClusterQueue", "InCohortReclamation", "InCohortFairSharing"
FINAL, INITIAL = "LessThanOrEqualToFinalShare", "LessThanInitialShare"
ANY = policies(reclaim="Any")
LOWER = policies("LowerPriority", "Any")


def equals(
    *names: str, cohort: int = 0, nominal: int = 0, weights: Any = (), preemption: Any = ANY
) -> FairArena:
    """Queues with the same quota under one cohort."""
    arena = FairArena().cohort("co", cpu=cohort)
    for index, name in enumerate(names):
        weight = weights[index] if weights else None
        arena.member(name, "co", preemption, weight, cpu=nominal)
    return arena


def test_the_queue_with_the_largest_share_gives_what_is_owed_to_a_nominal_quota_qc_13() -> None:
    arena = equals("a", "b", "d", nominal=3).holds("b1", "b", cpu=4).holds("d1", "d", cpu=5)
    assert arena.targets("a", -1, {"cpu": 2}) == {"d1": OWED}


def test_what_is_owed_is_taken_whatever_the_shares_are_qc_13() -> None:
    arena = equals("a", "b", nominal=2, weights=("0", "3")).holds("b1", "b", cpu=4)
    assert arena.targets("a", 0, {"cpu": 2}) == {"b1": OWED}
    assert arena.targets("a", 0, {"cpu": 3}) == {}


def make_crowded(*strategies: str) -> FairArena:
    """a has all of 8: a big one, a small one and a smaller one."""
    arena = FairArena(*strategies).cohort("co", cpu=8)
    for name in "ab":
        arena.member(name, "co", ANY, cpu=0)
    return arena.holds("big", "a", -5, cpu=5).holds("small", "a", 0, cpu=2).holds("smaller", "a", 1, cpu=1)


@pytest.mark.parametrize(
    ("strategies", "cores", "expected"),
    [
        pytest.param((), 2, {"big": FAIR}, id="less is left to a, but not less than b has"),
        pytest.param((FINAL,), 3, {"big": FAIR}, id="as much is left to a as b has"),
        pytest.param((FINAL,), 4, {}, id="none leaves enough to a"),
        pytest.param((FINAL, INITIAL), 4, {"big": FAIR}, id="by what a had before"),
        pytest.param((INITIAL,), 4, {"big": FAIR}, id="by what a had before alone"),
        pytest.param((INITIAL,), 8, {}, id="b would have as much as a had"),
    ],
)
def test_strategies_say_who_may_take_from_whom_q_272(
    strategies: tuple[str, ...], cores: int, expected: dict[str, str]
) -> None:
    assert make_crowded(*strategies).targets("b", 0, {"cpu": cores}) == expected


def test_priority_matters_inside_of_a_queue_only() -> None:
    arena = equals("a", "b", cohort=4).holds("a1", "a", 9, cpu=2).holds("a2", "a", 5, cpu=2)
    assert arena.targets("b", -9, {"cpu": 2}) == {"a2": FAIR}


def test_a_weight_of_two_may_have_twice_as_much() -> None:
    arena = equals("a", "b", cohort=9, weights=("1", "2"))
    for number in range(6):
        arena.holds(f"a{number}", "a", since=number, cpu=1)
    for number in range(3):
        arena.holds(f"b{number}", "b", cpu=1)
    assert arena.targets("b", 0, {"cpu": 1}) == {"a5": FAIR}
    arena.remove("a5").remove("a4").remove("a3")
    for number in range(3, 6):
        arena.holds(f"b{number}", "b", cpu=1)
    assert arena.targets("b", 0, {"cpu": 1}) == {}


def test_a_queue_that_weighs_nothing_gives_all_and_takes_from_its_like_by_what_it_borrows() -> None:
    arena = equals("a", "b", "z", cohort=4, weights=("0", "1", "0"))
    arena.holds("a1", "a", 5, since=1, cpu=2).holds("a2", "a", 5, cpu=2)
    assert arena.targets("b", 0, {"cpu": 4}) == {"a1": FAIR, "a2": FAIR}
    assert arena.targets("z", -9, {"cpu": 2}) == {"a1": FAIR}
    arena = equals("a", "b", cohort=4, weights=("0", "1")).holds("b1", "b", cpu=4)
    assert arena.targets("a", 9, {"cpu": 1}) == {}


def test_sides_are_compared_below_the_common_ancestor() -> None:
    arena = FairArena().cohort("root", cpu=8).cohort("left", "root").cohort("right", "root")
    for name, cohort in (("a", "left"), ("b", "left"), ("c", "right")):
        arena.member(name, cohort, ANY, cpu=0)
    arena.holds("a1", "a", cpu=1).holds("b1", "b", cpu=5).holds("c1", "c", cpu=2)
    # Without b1 the left side would have less than the right one, without a1 still more.
    assert arena.targets("c", 0, {"cpu": 1}) == {"a1": FAIR}
    assert arena.targets("c", 0, {"cpu": 2}) == {"b1": FAIR}
    # a has less than c, but its side has more: it may take from b only, with which it shares that side.
    assert arena.targets("a", 0, {"cpu": 2}) == {"b1": FAIR}
    assert arena.targets("b", 0, {"cpu": 1}) == {}


def test_the_own_queue_gives_by_priority() -> None:
    arena = equals("a", "b", cohort=4, preemption=LOWER)
    arena.holds("a1", "a", -1, cpu=2).holds("b1", "b", cpu=2)
    assert arena.targets("a", 0, {"cpu": 2}) == {"a1": OWN}
    assert arena.targets("a", -1, {"cpu": 2}) == {}


def test_what_was_evicted_goes_first() -> None:
    arena = equals("a", "b", cohort=4).holds("a1", "a", 9, evicted=True, cpu=2).holds("a2", "a", cpu=2)
    assert arena.targets("b", 0, {"cpu": 2}) == {"a1": FAIR}


def test_a_stopped_queue_gives_nothing_qc_08() -> None:
    arena = FairArena().cohort("co", cpu=4).member("b", "co", ANY, cpu=0)
    arena.member("a", "co", ANY, cpu=0)
    arena.queue("a", cohortName="co", stopPolicy="Hold")
    arena.holds("a1", "a", cpu=4)
    assert arena.targets("b", 0, {"cpu": 2}) == {}


def test_a_preemptor_that_borrows_is_looked_after_where_it_may_reclaim_q_167() -> None:
    arena = equals("a", "b", cohort=4).holds("a1", "a", since=1, cpu=2).holds("a2", "a", cpu=2)
    verdicts = arena.cpu("w", 2, queue="b").run()
    assert verdicts["w"].endswith("Pending the preemption of 1 workload(s)")
    assert arena.preempted == {"w": {"a1": FAIR}}


@pytest.mark.parametrize("leaving", ["b1", "c1"])
def test_of_queues_of_equal_shares_the_one_gives_whose_workload_leaves_anyway_q_262(leaving: str) -> None:
    arena = equals("a", "b", "c", cohort=6)
    for name, queue, priority in (("b1", "b", 9), ("c1", "c", 0)):
        arena.holds(name, queue, priority, cpu=3, evicted=name == leaving)
    assert arena.targets("a", 0, {"cpu": 1}) == {leaving: FAIR}

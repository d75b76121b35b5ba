"""Preemption in the cycle: who waits for victims, who is skipped,
who gets what they leave (Q-224…Q-230, Q-293…Q-296).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.workload.view import Workload

from .preemption.arenas import Arena, limited, policies
from .queue_side import CORRECTED, WORLDS, Cluster, group, pod_set

LOWER = policies("LowerPriority")
SHORT = "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, "
OVERLAP = "Workload has overlapping preemption targets with another workload"
SKIPPED = "Workload no longer fits after processing another workload"


def waits(missing: int, victims: int) -> str:
    return f"{SHORT}{missing} more needed. Pending the preemption of {victims} workload(s)"


def alone(cores: int = 4, **spec: Any) -> Arena:
    return Arena().queue("cq", group("cpu", default=[cores]), preemption=LOWER, **spec)


def test_quota_goes_to_the_preemptor_once_its_victim_let_go_s_050() -> None:
    arena = alone().cpu("low", 4, priority=-1)
    arena.run_all()

    assert arena.cpu("high", 2).run_all() == {"high": waits(2, 1)}
    assert arena.preempted == {"high": {"low": "InClusterQueue"}}
    assert not arena.objects["ns/high"].has_quota_reservation

    arena.release("low")
    assert arena.run_all()["high"] == "reserved"
    assert arena.objects["ns/low"].condition("Preempted")["status"] == "True"


def test_what_was_preempted_and_is_reserved_again_says_what_was_q_296() -> None:
    arena = alone().cpu("low", 4, priority=-1)
    arena.run_all()
    arena.cpu("high", 2).run_all()
    arena.release("low").run_all()
    arena.remove("high").wake().run_all()
    low = arena.objects["ns/low"]

    assert low.has_quota_reservation
    for kind in ("Preempted", "Evicted"):
        assert low.condition(kind)["status"] == "False"
        assert low.condition(kind)["message"] == "Previously: preempted"


def test_a_victim_on_its_way_is_found_again_and_counted_q_293() -> None:
    arena = alone().holds("low", "cq", -1, cpu=2).holds("lower", "cq", -2, cpu=2)
    assert arena.cpu("high", 2).run_all() == {"high": waits(2, 1)}
    arena.holds("lowest", "cq", -3, cpu=0)
    arena.queue_manager.ledger.cohort_trees.touch("cq")

    assert arena.run()["high"] == waits(2, 1)
    assert arena.preempted == {"high": {"lower": "InClusterQueue"}}


def two_claimants(victims: int) -> Arena:
    """What c borrows is reclaimed by a and b in one cycle."""
    arena = Arena()
    for name in ("a", "b"):
        arena.member(name, "all", policies(reclaim="Any"), cpu=2)
    arena.member("c", "all", cpu=0)
    for number in range(victims):
        arena.holds(f"victim-{number}", "c", cpu=4 // victims)
    return arena.cpu("first", 2, queue="a").cpu("second", 2, queue="b")


def test_of_two_that_want_the_same_victim_one_is_skipped_q_227() -> None:
    arena = two_claimants(1)

    assert arena.run() == {"first": waits(2, 1), "second": OVERLAP}
    arena.release("victim-0")
    assert arena.run_all() | {"victim-0": ""} == {"first": "reserved", "second": "reserved", "victim-0": ""}


def test_who_was_skipped_finds_a_victim_of_its_own_when_the_first_one_let_go_s_057() -> None:
    arena = two_claimants(2)
    assert arena.run_all()["second"] == OVERLAP
    assert arena.preempted == {"first": {"victim-0": "InCohortReclamation"}}

    arena.release("victim-0").run_all()
    assert arena.objects["ns/first"].has_quota_reservation
    assert arena.preempted["second"] == {"victim-1": "InCohortReclamation"}


def test_the_claim_of_a_preemptor_is_kept_from_later_heads_q_229() -> None:
    arena = Arena().member("a", "all", LOWER, cpu=4).member("b", "all", cpu=0)
    arena.holds("low", "a", -1, cpu=3)
    arena.cpu("high", 4, queue="a", priority=1).cpu("borrower", 1, queue="b")

    assert arena.run() == {"high": waits(3, 1), "borrower": SKIPPED}


TWICE = {"v0.19": "reserved", "without defects": SKIPPED, "kep993": SKIPPED}


@pytest.mark.parametrize(("world", "second"), TWICE.items(), ids=TWICE)
def test_what_victims_still_hold_beyond_the_claim_is_given_once_or_twice_q_224(
    world: str, second: str
) -> None:
    arena = Arena(follows=WORLDS[world]).member("a", "all", LOWER, cpu=5)
    arena.member("b", "all", cpu=0).member("c", "all", cpu=0).holds("low", "a", -1, cpu=4)
    arena.cpu("high", 3, queue="a", priority=1).cpu("one", 1, queue="b").cpu("two", 1, queue="c")

    assert arena.run() == {"high": waits(2, 1), "one": "reserved", "two": second}


GUARDED = {"LowerPriority": SKIPPED, "Never": SKIPPED, "Any": "reserved"}


@pytest.mark.parametrize(("reclaim", "expected"), GUARDED.items(), ids=GUARDED)
def test_a_blocked_head_keeps_its_space_unless_it_can_reclaim_it_q_226(reclaim: str, expected: str) -> None:
    arena = Arena().member("a", "all", policies(reclaim=reclaim), cpu=4).member("b", "all", cpu=0)
    arena.holds("equal", "a", 0, cpu=3)
    arena.cpu("blocked", 2, queue="a").cpu("borrower", 1, queue="b")

    assert arena.run() == {"blocked": f"{SHORT}1 more needed", "borrower": expected}


def test_a_newcomer_does_not_pass_a_preemptor_that_waits_q_022() -> None:
    arena = alone(queueingStrategy="BestEffortFIFO").holds("low", "cq", -1, cpu=4)
    arena.cpu("high", 3, priority=1).run_all()
    arena.cpu("higher", 3, priority=2).run_all()
    arena.release("low")

    assert arena.run()["high"] == "reserved"
    assert arena.run() == {"higher": waits(2, 1)}
    assert arena.preempted["higher"] == {"high": "InClusterQueue"}


def test_in_strict_order_the_more_important_one_goes_first_q_022() -> None:
    arena = alone(queueingStrategy="StrictFIFO").holds("low", "cq", -1, cpu=4)
    arena.cpu("high", 3, priority=1).run_all()
    arena.cpu("higher", 3, priority=2).run_all()

    assert "reserved" in arena.release("low").run()["higher"]


def test_all_of_it_by_preemption_goes_before_a_part_that_fits_now_q_187() -> None:
    arena = alone().holds("low", "cq", -1, cpu=2)
    arena.workload("w", pod_set(count=4, requests={"cpu": 1}, min_count=1))

    assert arena.run() == {"w": waits(2, 1)}


def test_a_part_may_need_preemption_as_well_q_185() -> None:
    arena = alone().holds("low", "cq", -1, cpu=2).holds("high", "cq", 1, cpu=1)
    arena.workload("w", pod_set(count=4, requests={"cpu": 1}, min_count=2))

    assert arena.run() == {"w": waits(2, 1)}
    arena.release("low").run_all()
    assert arena.admission("w")["podSetAssignments"][0]["count"] == 3


def short_of_pods(*counts: int, **fields: Any) -> Cluster:
    """A queue of five pods; each holder has so many."""
    arena = Arena(**fields).queue("cq", group("cpu", "pods", default=[10, 5]), preemption=LOWER)
    for number, count in enumerate(counts):
        arena.holds(f"h{number}", "cq", -1, since=number, cpu=count, pods=count)
    return arena.workload("w", pod_set(count=4, requests={"cpu": 1}))


def test_pods_are_not_searched_for_only_tested_qc_06() -> None:
    assert short_of_pods(2, 3).run() == {"w": SKIPPED}
    assert short_of_pods(5).run()["w"].endswith("Pending the preemption of 1 workload(s)")


def test_pods_are_searched_for_without_the_defect_qc_06() -> None:
    arena = short_of_pods(2, 3, follows=CORRECTED)

    assert arena.run()["w"].endswith("Pending the preemption of 2 workload(s)")


HIDDEN = {"v0.19": {}, "without defects": {"w": {"low": "InClusterQueue"}}}


@pytest.mark.parametrize(("world", "expected"), HIDDEN.items(), ids=HIDDEN)
def test_a_flavor_that_fits_by_borrowing_hides_what_is_short_qc_07(
    world: str, expected: dict[str, dict[str, str]]
) -> None:
    """Sparing with borrowing, one resource fits so and the
    other needs a preemption, which v0.19 never issues.
    """
    quotas = {"cpu": limited(1), "memory": limited(4)}
    sparing = {
        "whenCanBorrow": "TryNextFlavor",
        "whenCanPreempt": "TryNextFlavor",
        "preference": "PreemptionOverBorrowing",
    }
    arena = Arena(follows=WORLDS[world]).queue(
        "a",
        group(*quotas, default=list(quotas.values())),
        cohortName="all",
        preemption=LOWER,
        flavorFungibility=sparing,
    )
    arena.member("b", "all", cpu=4, memory=0).holds("low", "a", -1, cpu=0, memory=4)
    arena.workload("w", pod_set(requests={"cpu": 2, "memory": 2}), queue="a")

    assert (arena.run() == {"w": SKIPPED}) is (not expected)
    assert arena.preempted == expected


def test_a_flavor_at_which_the_search_stops_is_taken_although_another_is_better_q_155() -> None:
    eager = {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "MayStopSearch"}
    arena = Arena().flavors("f", "g")
    arena.queue(
        "a",
        group("cpu", f=[1], g=[2]),
        cohortName="all",
        flavorFungibility=eager,
        preemption=policies(reclaim="Any"),
    )
    arena.queue("b", group("cpu", f=[1], g=[0]), cohortName="all")
    arena.holds("b1", "b", cpu_at_g=2).cpu("w", 2, queue="a")

    assert arena.run()["w"].endswith("flavor g, 2 more needed. Pending the preemption of 1 workload(s)")


def test_who_waits_looks_again_when_a_priority_changes_p_036() -> None:
    arena = alone(queueingStrategy="StrictFIFO").holds("equal", "cq", 0, cpu=4)
    assert arena.cpu("w", 2).run_all() == {"w": f"{SHORT}2 more needed"}
    equal = arena.objects["ns/equal"].object
    arena.put(Workload({**equal, "spec": {**equal["spec"], "priority": -1}}))

    assert arena.run_all() == {"w": waits(2, 1)}

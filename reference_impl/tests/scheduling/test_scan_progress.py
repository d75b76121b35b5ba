"""A search for flavors resumes in the next cycle behind its last tried flavor (Q-037, Q-178…Q-180)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.queueing.last_assignment import LastAssignment, record_assignment
from reference_impl.kueue.workload.view import Workload

from .preemption.arenas import Arena, policies
from .queue_side import Cluster, flavor, group, pod_set

SKIPPED = "Workload no longer fits after processing another workload"
EAGER = {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"}
CPU = ("main", "cpu")


def short(missing: int, of: str = "cpu", at: str = "f") -> str:
    return f"insufficient unused quota for {of} in flavor {at}, {missing} more needed"


def two_borrowers(*, at_g: int, **spec: Any) -> Cluster:
    """Both a and b would take the same 2 cores of f that lender has; at g there are some more."""
    cluster = Cluster().flavors("f", "g")
    for name in ("a", "b"):
        cluster.queue(name, group("cpu", f=[0], g=[0]), cohortName="all", flavorFungibility=EAGER, **spec)
    cluster.queue("lender", group("cpu", f=[2], g=[at_g]), cohortName="all")
    return cluster.cpu("first", 2, queue="a").cpu("second", 2, queue="b")


def test_what_was_skipped_tries_the_next_flavor_at_once_q_180() -> None:
    cluster = two_borrowers(at_g=2)

    assert cluster.run() == {"first": "reserved", "second": SKIPPED}
    assert cluster.run() == {"second": "reserved"}
    assert cluster.flavors_of("second") == {"main": {"cpu": "g"}}


def test_the_flavors_before_are_not_told_again_q_178() -> None:
    cluster = two_borrowers(at_g=1)
    cluster.run()

    assert cluster.run() == {
        "second": "couldn't assign flavors to pod set main: insufficient quota for cpu in flavor g, "
        "previously considered podsets requests (0) + current podset request (2) > maximum capacity (1)"
    }


def test_flavors_that_were_tried_at_another_sight_are_tried_again_q_038() -> None:
    """Of a head that stays, the end of one search says nothing of the flavors before it."""
    cluster = two_borrowers(at_g=1, queueingStrategy="StrictFIFO")
    cluster.run()
    at_g = cluster.run()

    second = cluster.run()

    assert "flavor g" in at_g["second"]
    assert "flavor f" in second["second"]
    assert cluster.run() == {}


def make_crossed() -> Arena:
    """At f each resource alone can be preempted for, both together cannot; at g both fit."""
    arena = Arena().flavors(*(flavor(name) for name in ("f", "g")))
    reclaims = policies("LowerPriority", "Any")
    quotas = group("cpu", "memory", f=[2, 2], g=[2, 2])
    arena.queue("a", quotas, cohortName="all", preemption=reclaims, flavorFungibility=EAGER)
    arena.queue("b", group("cpu", "memory", f=[0, 0], g=[0, 0]), cohortName="all")
    arena.holds("borrower", "b", -1, cpu_at_f=2)
    return arena.holds("low", "a", -1, memory_at_f=2)


def test_a_flavor_without_targets_is_left_for_the_next_one_at_once_q_042() -> None:
    arena = make_crossed().workload("w", pod_set(requests={"cpu": 2, "memory": 2}), queue="a")

    message = f"couldn't assign flavors to pod set main: {short(2)}, {short(2, 'memory')}"
    assert arena.run() == {"w": message}
    assert arena.pending("a") == (1, 0)
    assert arena.run() == {"w": "reserved"}
    assert set(arena.flavors_of("w")["main"].values()) == {"g"}


def test_after_the_last_flavor_the_search_starts_anew_q_178() -> None:
    arena = make_crossed().holds("there", "a", 1, cpu_at_g=2, memory_at_g=2)
    arena.workload("w", pod_set(requests={"cpu": 2, "memory": 2}), queue="a")
    arena.run()

    at_g = f"couldn't assign flavors to pod set main: {short(2, at='g')}, {short(2, 'memory', at='g')}"
    assert arena.run() == {"w": at_g}
    assert arena.pending("a") == (0, 1)
    assert arena.run() == {}
    assert short(2) in arena.wake().run()["w"]


def change(cluster: Cluster, name: str, **spec: Any) -> Cluster:
    old = cluster.objects[f"ns/{name}"].object
    return cluster.put(Workload({**old, "spec": {**old["spec"], **spec}}))


def test_the_record_outlives_an_update_q_037() -> None:
    arena = make_crossed().workload("w", pod_set(requests={"cpu": 2, "memory": 2}), queue="a")
    arena.run()

    assert change(arena, "w", active=True).run() == {"w": "reserved"}


def test_the_record_is_dropped_when_something_else_is_asked_for_q_179() -> None:
    arena = make_crossed().workload("w", pod_set(requests={"cpu": 2, "memory": 2}), queue="a")
    arena.run()
    less = [pod_set(requests={"cpu": 2, "memory": 1})]

    assert short(2) in change(arena, "w", podSets=less).run()["w"]


def test_a_list_of_flavors_that_became_shorter_is_searched_from_its_start() -> None:
    cluster = two_borrowers(at_g=2)
    cluster.run()
    cluster.queue("b", group("cpu", f=[0]), cohortName="all", flavorFungibility=EAGER)

    assert cluster.run()["second"].startswith("couldn't assign flavors to pod set main: insufficient")


HOLDS = {
    "the next cycle, whatever was freed": (1, 1, True),
    "later, nothing was freed": (0, 5, True),
    "later, something was freed": (1, 2, False),
}


@pytest.mark.parametrize(("freed", "cycles", "expected"), HOLDS.values(), ids=HOLDS)
def test_how_long_a_record_holds_q_179(freed: int, cycles: int, expected: bool) -> None:
    scan = LastAssignment({CPU: 0}, generation=3, cycle=7, tree_state=(1, frozenset()))

    assert scan.is_current(3 + freed, 7 + cycles) is expected


def test_stops_that_come_back_for_the_same_tree_end_the_search() -> None:
    first = record_assignment(None, {CPU: 0}, 1, 1, sight=(4, frozenset()))
    second = record_assignment(first, {("other", "cpu"): 0}, 1, 2, sight=(4, frozenset()))

    assert second is not None
    assert record_assignment(second, {CPU: 0}, 1, 3, sight=(4, frozenset())) is None
    assert record_assignment(second, {CPU: 0}, 1, 3, sight=(5, frozenset())) is not None
    assert record_assignment(second, {}, 1, 3, sight=(5, frozenset())) is None


def test_a_search_goes_on_behind_the_flavor_at_which_it_stopped_q_178() -> None:
    scan = LastAssignment({CPU: 1}, 1, 1, (0, frozenset()))

    assert [
        scan.next_flavor_index(*CPU),
        scan.next_flavor_index("main", "memory"),
        scan.next_flavor_index("other", "cpu"),
    ] == [2, 0, 0]


def holds(generation: int, cycle: int) -> bool:
    return LastAssignment({CPU: 0}, 5, 5, (0, frozenset())).is_current(generation, cycle)


def test_a_record_holds_for_a_cycle_or_as_long_as_no_room_was_made_q_179() -> None:
    assert [holds(5, 9), holds(4, 9), holds(6, 6), holds(6, 7)] == [True, True, True, False]

"""A Workload whose reservation is refused again and again waits, longer each time."""

from __future__ import annotations

from reference_impl.api.resource import Key
from reference_impl.kueue.scheduling.refused_reservations import RefusedReservations

POISON = Key("ns", "poison")


def test_it_is_tried_at_once_five_times_and_then_waits_longer_each_time() -> None:
    refused = RefusedReservations()

    assert [refused.count(POISON, "u") for _ in range(8)] == [0, 0, 0, 0, 0, 1.0, 2.0, 4.0]
    assert refused.count(POISON, "another of its name") == 0


def test_a_wait_is_over_once() -> None:
    refused = RefusedReservations()
    refused.wait(POISON, "team", 10.0)

    assert (refused.pop_due(9.9), refused.next_due) == ({}, 10.0)
    assert refused.pop_due(10.0) == {"team": {POISON}}
    assert (refused.pop_due(11.0), refused.next_due) == ({}, None)


def test_one_that_holds_its_quota_begins_anew() -> None:
    refused = RefusedReservations()
    for _ in range(6):
        refused.count(POISON, "u")
    refused.wait(POISON, "team", 10.0)
    refused.forget(POISON)

    assert (refused.count(POISON, "u"), refused.next_due) == (0, None)

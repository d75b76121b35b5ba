"""What a ClusterQueue does with heads that were seen, with the preemptor that stands first, and with what was
put aside (Q-022, Q-032, Q-042…Q-050, P-036, QC-04).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.rules import V0_19
from reference_impl.kueue.queueing.strategies import RequeueReason, Strategy

from .test_pending_queue import EVERYBODY, NOW, counts, names, pending, queue_of

SIGHT, OTHER = (1, frozenset({"ns/a"})), (2, frozenset({"ns/a"}))


def says(message: str, name: str = "a", **fields: Any) -> PendingWorkload:
    """Return a Workload about which a cycle wrote this."""
    condition = {"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": message}
    return pending(name, conditions=[condition], **fields)


def seen(*messages: str, sight: Any = SIGHT) -> ClusterQueue:
    """Return a queue whose head was looked at before each of these messages was written."""
    queue = queue_of(pending("a"), pending("b", cpu="2"))
    for message in messages:
        queue.block(sight)
        queue.push(says(message), NOW)
    return queue


def test_a_head_that_was_seen_needs_no_other_look_p_036() -> None:
    queue = queue_of(pending("a"))
    assert not queue.is_blocked(SIGHT)

    queue.block(SIGHT)

    assert (queue.is_blocked(SIGHT), queue.is_blocked(OTHER)) == (True, False)


def test_what_is_written_about_a_head_has_it_looked_at_once_more_qc_04() -> None:
    assert not seen("one").is_blocked(SIGHT)
    assert seen("one", "two").is_blocked(SIGHT)
    assert seen("one", "two", "one").is_blocked(SIGHT)


def test_another_sight_has_it_looked_at_again_qc_04() -> None:
    queue = seen("one")

    queue.block(OTHER)
    queue.push(says("two"), NOW)

    assert not queue.is_blocked(OTHER)


@pytest.mark.parametrize("change", [{"priority": 1}, {"generation": 2}], ids=["priority", "generation"])
def test_a_change_of_the_workload_has_it_looked_at_again_q_032(change: Any) -> None:
    queue = queue_of(pending("a"))
    queue.requeue(queue.pop() or pending("a"), RequeueReason.PENDING_PREEMPTION, NOW)
    queue.block(SIGHT)
    queue.push(says("one"), NOW)
    queue.block(SIGHT)

    queue.push(says("two", **change), NOW)

    assert not queue.is_blocked(SIGHT)


def test_what_is_written_about_another_one_changes_nothing_for_the_head_p_036() -> None:
    queue = seen()
    queue.block(SIGHT)

    queue.push(says("one", "b", cpu="2"), NOW)

    assert queue.is_blocked(SIGHT)


def test_each_head_is_looked_at_once_more_for_itself_qc_04() -> None:
    queue = seen("one")
    queue.delete("ns/a")
    queue.block(SIGHT)

    queue.push(says("one", "b", cpu="2"), NOW)

    assert not queue.is_blocked(SIGHT)


STICKS = {
    "Q-022 as it is": (V0_19, Strategy.BEST_EFFORT_FIFO, "ns/a"),
    "Q-022 StrictFIFO": (V0_19, Strategy.STRICT_FIFO, None),
    "Q-504 as it was": (replace(V0_19, has_sticky_workload=False), Strategy.BEST_EFFORT_FIFO, None),
}


@pytest.mark.parametrize(("rules", "strategy", "sticky"), STICKS.values(), ids=STICKS)
def test_a_preemptor_stands_first_where_the_order_is_not_strict(
    rules: Any, strategy: Strategy, sticky: str | None
) -> None:
    queue = ClusterQueue(strategy, rules)
    queue.push(pending("a"), NOW)
    popped = queue.pop()
    assert popped is not None

    queue.requeue(popped, RequeueReason.PENDING_PREEMPTION, NOW)

    assert queue.sticky == sticky


def test_only_a_preemptor_stands_first_q_022() -> None:
    queue = queue_of(pending("a"))

    queue.requeue(queue.pop() or pending("a"), RequeueReason.FAILED_AFTER_NOMINATION, NOW)

    assert queue.sticky is None


def test_the_first_place_is_free_once_the_preemptor_has_left_q_022() -> None:
    queue = queue_of(*(pending(name) for name in "abc"))
    queue.stick("ns/c")

    queue.delete("ns/b")
    assert (queue.sticky, names(queue)) == ("ns/c", ["c", "a"])
    queue.delete("ns/c")
    queue.delete("ns/unknown")
    queue.push(pending("c"), NOW)

    assert (queue.sticky, names(queue)) == (None, ["a", "c"])


def test_a_preemptor_keeps_its_place_when_another_one_stands_first_q_022() -> None:
    queue = queue_of(pending("a"), pending("b", cpu="2"))
    queue.requeue(queue.pop() or pending("a"), RequeueReason.NO_FIT, NOW)

    queue.stick("ns/a")
    queue.stick("ns/b")

    assert (queue.is_inadmissible("ns/a"), queue.is_inadmissible("ns/b"), names(queue)) == (
        True,
        False,
        ["b", "a"],
    )


EQUALS = {
    "Q-045 as it is": (V0_19, Strategy.BEST_EFFORT_FIFO, (0, 2)),
    "Q-504 as it was": (replace(V0_19, parks_equivalent_workloads=False), Strategy.BEST_EFFORT_FIFO, (1, 1)),
    "StrictFIFO": (V0_19, Strategy.STRICT_FIFO, (2, 0)),
}


@pytest.mark.parametrize(("rules", "strategy", "expected"), EQUALS.values(), ids=EQUALS)
def test_equals_are_put_aside_where_the_order_is_not_strict(
    rules: Any, strategy: Strategy, expected: tuple[int, int]
) -> None:
    queue = ClusterQueue(strategy, rules)
    for name in "ab":
        queue.push(pending(name), NOW)

    queue.requeue(queue.pop() or pending("a"), RequeueReason.NO_FIT, NOW)

    assert counts(queue) == expected


def make_doomed() -> ClusterQueue:
    """Return a queue in which a does not fit; b and c, its equals, came before and after the attempt."""
    queue = queue_of(pending("a"), pending("b"))
    queue.requeue(queue.pop() or pending("a"), RequeueReason.NO_FIT, NOW)
    queue.push(pending("c"), NOW)
    return queue


def test_what_is_put_aside_with_its_equals_is_parked_q_045() -> None:
    queue = make_doomed()

    assert [queue.is_inadmissible(f"ns/{name}") for name in "abcd"] == [True, True, True, False]
    assert (queue.head(), counts(queue), names(queue)) == (None, (0, 3), ["a", "b", "c"])


def test_what_was_put_aside_is_tried_in_order_once_it_is_woken_q_050() -> None:
    queue = make_doomed()

    queue.queue_inadmissible_workloads(EVERYBODY, NOW)

    assert counts(queue) == (3, 0)
    for name in "abc":
        assert queue.pop().workload.name == name  # type: ignore[union-attr]
    assert queue.pop() is None


@pytest.mark.parametrize("is_woken", [False, True], ids=["put aside", "woken"])
def test_what_was_put_aside_may_leave_and_come_back(is_woken: bool) -> None:
    queue = make_doomed()
    if is_woken:
        queue.queue_inadmissible_workloads(EVERYBODY, NOW)
    for name in "abc":
        queue.delete(f"ns/{name}")
    assert (queue.pending, queue.head(), counts(queue)) == (0, None, (0, 0))

    queue.push(pending("c"), NOW)

    assert counts(queue) == ((1, 0) if is_woken else (0, 1))


def test_what_is_put_aside_stays_so_when_it_changes_without_importance_q_032() -> None:
    queue = make_doomed()

    queue.push(says("one", "c"), NOW)
    queue.push(says("one", "b"), NOW)
    assert counts(queue) == (0, 3)
    queue.push(pending("c", priority=2), NOW)

    assert (counts(queue), names(queue)) == ((1, 2), ["c", "a", "b"])


def test_newcomers_are_tried_once_the_queue_was_woken_q_034() -> None:
    queue = make_doomed()
    queue.queue_inadmissible_workloads(lambda _: False, NOW)

    queue.push(pending("d"), NOW)

    assert counts(queue) == (1, 3)


def test_an_event_counts_for_the_cycle_during_which_it_came_q_042() -> None:
    queue = queue_of(pending("a"))
    queue.queue_inadmissible_workloads(EVERYBODY, NOW)

    assert queue.requeue(queue.pop() or pending("a"), RequeueReason.NO_FIT, NOW) is False


LATER = {"requeueState": {"requeueAt": "2033-01-01T00:00:00Z"}}


def test_what_waits_for_its_backoff_is_parked_whatever_the_reason_q_042() -> None:
    queue = queue_of(pending("a"))
    queue.pop()

    assert queue.requeue(pending("a", **LATER), RequeueReason.FAILED_AFTER_NOMINATION, NOW) is False
    assert counts(queue) == (0, 1)


def test_one_in_the_heap_stays_there_when_a_backoff_is_written_q_033() -> None:
    queue = queue_of(pending("a"))

    queue.push(pending("a", **LATER), NOW)

    assert counts(queue) == (1, 0)


def test_what_comes_back_with_its_local_queue_keeps_its_place_q_036() -> None:
    queue = make_doomed()

    queue.restore(pending("a"))
    queue.restore(pending("d"))

    assert (counts(queue), queue.head().workload.name) == ((1, 3), "d")  # type: ignore[union-attr]


def test_a_workload_is_found_with_both_of_its_positions() -> None:
    queue = queue_of(pending("a", queue="other"), pending("b"), pending("c"))

    stored = queue.find("ns/c")

    assert stored is not None
    assert stored[1:] == (2, 1)
    assert queue.find("ns/d") is None


def test_a_generation_that_was_never_looked_at_stirs_nothing_q_032() -> None:
    queue = queue_of(pending("a", generation=3))
    assert queue.entries["ns/a"].evaluated is None

    queue.pop()

    assert queue.entries["ns/a"].evaluated == 3

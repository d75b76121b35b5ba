"""What the scheduler does with the verdicts of a cycle: what goes back into the queue, and as what, and when
the next cycle begins (Q-041, Q-201, Q-230, Q-231, Q-234).
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from reference_impl.api.resource import Key
from reference_impl.kueue.queueing.heads import Head, pop_heads
from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.scheduling.entry import Drop, Requeue
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.errors import ApiError

from .queue_side import group
from .test_scheduler import Bench, alone

W = Key("ns", "w")


def cycle(bench: Any) -> RequeueAfter | None:
    """Run one cycle, and carry out nothing that it has written."""
    requeue_after: RequeueAfter | None = asyncio.run(bench.scheduler.reconcile("cycle"))
    return requeue_after


def queue_of(bench: Any) -> Any:
    return bench.cluster.queue_manager.queues.cluster_queues["cq"]


def pop_head(bench: Any) -> Head:
    """Return the head of the only queue, which is in flight by now."""
    manager = bench.cluster.queue_manager
    (head,) = pop_heads(manager.queues, manager.catalogue, manager.ledger.cohort_trees)
    return head


def test_a_cycle_with_heads_has_another_one_follow_at_once_q_201() -> None:
    bench = Bench(alone(1).cpu("w", 2))

    assert (cycle(bench), cycle(bench)) == (RequeueAfter(0), None)


def test_the_task_to_wake_tries_again_what_was_put_aside() -> None:
    bench = Bench(alone(1).cpu("w", 2)).run()
    bench.cluster.queue("cq", group("cpu", default=[2]))
    before = bench.cluster.pending()

    assert asyncio.run(bench.scheduler.reconcile("wake")) is None

    assert (before, bench.cluster.pending()) == ((0, 1), (1, 0))


def test_what_has_changed_during_the_cycle_goes_back_as_it_is_by_now_q_041() -> None:
    bench = Bench(alone(1).cpu("w", 2))
    newer = {**bench.store.get(W), "status": {}}
    bench.store.put(W, newer)

    cycle(bench)

    assert queue_of(bench).entries["ns/w"].pending.workload.object is newer


def test_what_is_gone_after_the_cycle_goes_back_into_no_queue_q_041() -> None:
    bench = Bench(alone(1).cpu("w", 2))
    bench.store.put(W, None)

    cycle(bench)

    assert "ns/w" not in queue_of(bench).entries


def test_what_holds_quota_already_leaves_the_queue_q_210() -> None:
    bench = Bench(alone(1).cpu("w", 2))
    head = pop_head(bench)

    bench.scheduler._carry_out(Drop(head))

    assert "ns/w" not in queue_of(bench).entries


@pytest.mark.parametrize(("message", "writes"), [("", []), ("why", [W])], ids=["nothing", "something"])
def test_only_what_is_to_be_said_is_written(message: str, writes: list[Key]) -> None:
    bench = Bench(alone(1).cpu("w", 2))

    bench.scheduler._carry_out(Requeue(pop_head(bench), RequeueReason.GENERIC, message))

    assert bench.writes == writes


def test_a_cycle_does_not_wait_for_the_message_of_what_was_put_aside_q_241() -> None:
    bench = Bench(alone(1).cpu("w", 2))
    cycle(bench)

    bench.cluster.queue("other", group("cpu", default=[1])).cpu("late", 2, queue="other")

    assert cycle(bench) == RequeueAfter(0)


def test_a_cycle_waits_for_the_message_of_a_strict_head_q_241() -> None:
    """The head of a StrictFIFO queue is tried again at once: a reservation that follows would take
    the place of a message that is not written yet, and nobody would read why it had waited.
    """
    bench = Bench(alone(1, queueingStrategy="StrictFIFO").cpu("w", 2))
    cycle(bench)

    bench.cluster.queue("other", group("cpu", default=[1])).cpu("late", 2, queue="other")

    assert cycle(bench) is None


def test_a_reservation_that_could_not_be_written_is_a_head_again_q_234() -> None:
    bench = Bench(alone(2).cpu("w", 1), ApiError(500, "InternalError", "no")).run()

    assert cycle(bench) == RequeueAfter(0)


def test_a_reservation_counts_for_its_local_queue_until_it_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    acts = []
    manager = alone(2).queue_manager.__class__
    monkeypatch.setattr(
        manager, "charge", lambda _, workload, queue, usage: acts.append((workload.name, queue))
    )
    monkeypatch.setattr(manager, "discharge", lambda _, workload: acts.append(workload.name))

    Bench(alone(2).cpu("w", 1), ApiError(500, "InternalError", "no")).run()

    assert acts == [("w", "cq"), "w"]


@pytest.mark.parametrize("state", ["gone", "not to be queued"])
def test_a_preemptor_that_may_not_be_queued_any_more_is_told_nothing_and_holds_nobody_up_q_241(
    state: str,
) -> None:
    bench = Bench(alone(1).cpu("w", 2))
    head, requeue_after = pop_head(bench), bench.store.get(W)
    bench.scheduler._unwritten[W] = None
    bench.store.put(
        W, None if state == "gone" else {**requeue_after, "spec": {**requeue_after["spec"], "active": False}}
    )

    bench.scheduler._note_preemption(head, "why", 1, None, 0)

    assert (bench.writes, bench.scheduler._unwritten) == ([], {})


def test_a_preemptor_whose_evictions_all_failed_is_a_head_again_after_a_while_q_044() -> None:
    bench = Bench(alone(1).cpu("w", 2))
    bench.scheduler._note_preemption(pop_head(bench), "why", 1, None, 1)
    due = bench.scheduler._retries["cq"]

    bench.scheduler._retry(due - 1)
    early = dict(bench.scheduler._retries)
    bench.scheduler._retry(due)

    assert (early, bench.scheduler._retries) == ({"cq": due}, {})
    assert pop_head(bench).pending.key == "ns/w"


def block() -> Any:
    """Two Workloads of one core each; the first one is admitted, and its pods are not ready."""
    bench = Bench(alone(2).cpu("first", 1))
    bench.scheduler.cycle = replace(bench.scheduler.cycle, block_admission=True)
    bench.run()
    says(bench, "first", bench.status)
    bench.cluster.cpu("second", 1)
    bench.store.put(Key("ns", "second"), bench.cluster.objects["ns/second"].object)
    return bench


def says(bench: Any, name: str, status: Any) -> None:
    bench.cluster.put(Workload({**bench.cluster.objects[f"ns/{name}"].object, "status": status}))


def test_where_admission_is_blocked_the_next_one_is_told_and_waits_q_231() -> None:
    bench = block()

    bench.run()

    status, reason, message = bench.conditions()["QuotaReserved"]
    assert (status, reason) == ("False", "Waiting")
    assert "PodsReady" in message
    assert cycle(bench) is None


def test_where_admission_is_blocked_the_next_one_goes_on_once_all_pods_are_ready_q_231() -> None:
    bench = block()
    first = bench.status
    bench.run()

    ready = {
        "type": "PodsReady",
        "status": "True",
        "reason": "Started",
        "message": "",
        "lastTransitionTime": "2023-11-14T22:00:00Z",
    }
    says(bench, "first", {**first, "conditions": [*first["conditions"], ready]})
    bench.run()

    assert bench.conditions()["QuotaReserved"][0] == "True"


def test_a_head_that_is_gone_while_admission_is_blocked_is_told_nothing() -> None:
    bench = block()
    bench.store.put(Key("ns", "second"), None)

    cycle(bench)

    assert bench.writes == []

"""The scheduler: runs cycles while there are heads worth a look, and has the verdicts written (scheduling §6, Q-200, Q-234).

A cycle runs without a pause on the loop, so nothing changes under it (Q-202). Writes follow in the background, those
of one Workload in their order; a reservation counts from the moment it is decided (Q-141).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from ..queueing.board import Board
from ..queueing.heads import Head, pop_heads
from ..queueing.pending import Pending
from ..queueing.strategies import Reason
from ..runtime.clock import Clock
from ..runtime.controller import Again
from ..runtime.metrics import Registry
from ..runtime.store import Store
from ..workload.rules import Rules
from ..workload.view import Workload
from . import reservation
from .assignment import Assignment
from .considered import flavors_considered
from .cycle import Cycle, Drop, Requeue, Reserve, Verdict, Wait
from .outcomes import RETRY_SECONDS, Outcome, Writer

UNSEEN: Final = -1
"""No tree has this version: a head put back with it is looked at again in any case (P-036)."""
WAKE_SECONDS: Final = 1.0
"""Notifications are gathered for so long before parked Workloads are tried again (Q-050)."""

Task = Literal["cycle", "wake"]


@dataclass(slots=True)
class Scheduler:
    """Takes heads from the board and gives verdicts to the writer."""

    board: Board
    cycle: Cycle
    rules: Rules
    clock: Clock
    metrics: Registry
    workloads: Store
    writer: Writer
    later: Callable[[float], None] = field(init=False)
    """Have another cycle run after so many seconds."""
    _waiting: bool = field(default=False)

    async def reconcile(self, task: Task) -> Again | None:
        """Wake what is parked, or run one cycle; another one follows as long as heads are found (Q-201)."""
        if task == "wake":
            self.board.wake_now()
            return None
        if self._waiting and not self.board.ledger.all_ready:
            return None
        started = self.clock.now()
        heads = pop_heads(self.board.queues, self.board.catalogue, self.board.ledger.forest)
        if not heads:
            return None
        verdicts = self.cycle.run(heads)
        self._waiting = any(isinstance(verdict, Wait) for verdict in verdicts)
        for verdict in verdicts:
            self._carry_out(verdict)
        self._measure(verdicts, self.clock.now() - started)
        return Again(0)

    def _carry_out(self, verdict: Verdict) -> None:
        match verdict:
            case Reserve(head, assignment):
                self._reserve(head, assignment)
            case Requeue(head, reason, message):
                self._wait(head, reason, message)
            case Wait(head):
                self._wait_for_pods(head)
            case Drop(head):
                self.board.queues.delete(head.pending.key)

    def _reserve(self, head: Head, assignment: Assignment) -> None:
        """Count the usage at once, so that later heads see it (Q-141)."""
        workload = head.pending.workload
        spec = self.board.catalogue.cluster_queues[head.cluster_queue]
        draft = reservation.reserved(workload, assignment, spec, self.rules, self.clock.now())
        outcome = Outcome(workload, self.rules.shaped(draft.status), flavors_considered(assignment))
        self.board.ledger.put(outcome.result)
        self.writer.put(outcome)

    def _wait(self, head: Head, reason: Reason, message: str) -> None:
        newest = self._back(head, reason)
        if newest is None or not message:
            return
        now = self.clock.now()
        draft = reservation.waiting(newest.workload, message, newest.requests, self.rules, now)
        self.writer.put(Outcome(newest.workload, self.rules.shaped(draft.status)))

    def _wait_for_pods(self, head: Head) -> None:
        newest = self._back(head, Reason.FAILED_AFTER_NOMINATION)
        if newest is not None:
            draft = reservation.blocked(newest.workload, self.rules, self.clock.now())
            self.writer.put(Outcome(newest.workload, self.rules.shaped(draft.status)))

    def _back(self, head: Head, reason: Reason) -> Pending | None:
        """Put a head back as it is now, unless it no longer belongs into a queue (Q-041)."""
        key = head.pending.workload.api_key
        obj = self.workloads.get(key)
        if obj is None or not (workload := Workload(obj)).queueable:
            self.board.queues.delete(head.pending.key)
            return None
        pending = head.pending if obj is head.pending.workload.object else self.board.pending(workload)
        self.board.queues.requeue(pending, reason, self.clock.now(), head.version)
        return pending

    def failed(self, workload: Workload, *, gone: bool) -> None:
        """Take a reservation back that could not be written, and try again unless the Workload is gone (Q-234)."""
        obj = self.workloads.get(workload.api_key)
        newest = None if obj is None or gone else Workload(obj)
        if newest is None or not newest.holds_quota:
            self.board.ledger.remove(workload.key)
        if newest is None or not newest.queueable:
            self.board.queues.delete(workload.key)
            return
        pending = self.board.pending(newest)
        self.board.queues.requeue(pending, Reason.FAILED_AFTER_NOMINATION, self.clock.now(), UNSEEN)
        self.later(RETRY_SECONDS)

    def _measure(self, verdicts: Sequence[Verdict], seconds: float) -> None:
        reserved = any(isinstance(verdict, Reserve) for verdict in verdicts)
        result = "success" if reserved else "inadmissible"
        self.metrics.increment("kueue_admission_attempts_total", result)
        self.metrics.observe("kueue_admission_attempt_duration_seconds", result, value=seconds)

"""The scheduler: runs cycles while there are heads worth a look,
and has the verdicts written (scheduling §6, Q-200, Q-234).

A cycle runs without a pause on the loop, so nothing changes under it (Q-202). Writes follow in the
background, those of one Workload in their order; a reservation counts from the moment it is decided (Q-141).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from ...api.resource import Json, Key
from ...runtime.clock import Clock
from ...runtime.controller import RequeueAfter
from ...runtime.metrics import Registry
from ...runtime.store import Store
from ..checks.entries import Checks
from ..checks.preemption_policy import delaying
from ..queueing.heads import Head, pop_heads
from ..queueing.last_assignment import LastAssignment
from ..queueing.pending import PendingWorkload
from ..queueing.queue_manager import QueueManager
from ..queueing.strategies import RequeueReason
from ..quota.cluster_queue import ClusterQueueSpec
from ..workload import messages
from ..workload.rules import WorkloadRules
from ..workload.unreserved import UnreservedReason
from ..workload.view import Workload
from . import reservation, texts
from .assignment import Assignment
from .cycle import Cycle
from .entry import Drop, Preempt, Requeue, Reserve, Verdict, WaitForPodsReady
from .evictions import Evictions
from .metrics import RECOMPUTATIONS
from .outcomes import RETRY_SECONDS, OutcomeWriter, SchedulingOutcome
from .preemption.targets import PreemptionTarget
from .refused_reservations import RefusedReservations

Task = Literal["cycle", "wake"]


@dataclass(slots=True)
class Scheduler:
    """Takes heads from the queue manager and gives verdicts to the writer."""

    queue_manager: QueueManager
    cycle: Cycle
    rules: WorkloadRules
    clock: Clock
    metrics: Registry
    workloads: Store
    writer: OutcomeWriter
    evictions: Evictions
    later: Callable[[float], None] = field(init=False)
    """Have another cycle run after so many seconds."""
    _waiting: bool = field(default=False)
    _retries: dict[str, float] = field(default_factory=dict)
    """ClusterQueues whose head could not evict all of its victims, and when it tries again."""
    _unwritten: dict[Key, str | None] = field(default_factory=dict)
    """Heads that are tried again at once, as soon as it is written why they were not taken, or for what they
    wait, and seen.

    What is written has the revision that the informer must have got beyond.
    """

    _refused: RefusedReservations = field(default_factory=RefusedReservations)

    async def reconcile(self, task: Task) -> RequeueAfter | None:
        """Wake parked Workloads, or run one cycle; another one follows as long as heads are found (Q-201)."""
        if task == "wake":
            self.queue_manager.wake_now()
            return None
        # Heads of the cycle before are judged again only when what was written about
        # them is seen: otherwise the same state would be judged twice.
        if self._unseen() or (self._waiting and not self.queue_manager.ledger.are_all_pods_ready):
            return None
        started = self.clock.now()
        self._retry(started)
        self._wake_refused(started)
        heads = pop_heads(
            self.queue_manager.queues, self.queue_manager.catalogue, self.queue_manager.ledger.cohort_trees
        )
        if not heads:
            return None
        verdicts = self.cycle.run(heads)
        self._waiting = any(isinstance(verdict, WaitForPodsReady) for verdict in verdicts)
        for verdict in verdicts:
            self._carry_out(verdict)
        self._measure(verdicts, self.clock.now() - started)
        # Another cycle at once: heads behind those that were taken have not been looked
        # at.
        return RequeueAfter(0)

    def _carry_out(self, verdict: Verdict) -> None:
        match verdict:
            case Reserve(head, assignment, targets):
                self._reserve(head, assignment, len(targets))
            case Preempt(head, message, targets):
                self._preempt(head, message, targets)
            case Requeue():
                self._wait(verdict)
            case WaitForPodsReady(head):
                self._wait_for_pods(head)
            case Drop(head):
                self.queue_manager.queues.delete(head.pending.key)

    def _reserve(self, head: Head, assignment: Assignment, preemptions: int) -> None:
        """Count the usage at once, so that later heads see it (Q-141);
        some of it may wait for preemptions (AC-440).
        """
        workload = head.pending.workload
        spec = self.queue_manager.catalogue.cluster_queues[head.cluster_queue]
        draft = reservation.reserve(workload, assignment, spec, self.rules, self.clock.now(), preemptions)
        delayed = self._delaying_checks(assignment, spec, preemptions) if preemptions else ""
        considered = self.cycle.rules.describe_flavors(assignment)
        outcome = SchedulingOutcome(workload, self.rules.prune_status(draft.status), considered, delayed)
        # Before the write, so that the next cycle sees it; `take_back` undoes it
        #
        self.queue_manager.ledger.put(outcome.updated_workload)
        self.queue_manager.charge(workload, head.cluster_queue, assignment.usage)
        self.writer.put(outcome)

    def _delaying_checks(self, assignment: Assignment, spec: ClusterQueueSpec, preemptions: int) -> str:
        """Say which of the checks that will be listed delay preemptions, empty when none does (AC-489)."""
        names = self.rules.required_checks(
            spec.checks, frozenset(spec.groups.flavors), assignment.assigned_flavors
        )
        policies = {
            name: check.preemption_policy for name, check in self.queue_manager.catalogue.checks.items()
        }
        undecided = Checks().sync(names, self.clock.now())
        if self.rules.may_preempt(undecided, policies):
            return ""
        return messages.preemptions_delayed(preemptions, sorted(delaying(names, policies)))

    def _wait(self, verdict: Requeue) -> None:
        newest, at_once = self._back(verdict.head, verdict.reason, verdict.last_assignment, verdict.cause)
        if newest is None or not verdict.message:
            return
        if at_once:
            self._unwritten[newest.workload.api_key] = None
        self._write_waiting(newest, verdict.message, verdict.cause)

    def resume(self, key: Key, stored: Json | None) -> None:
        """Go on once all is written, and seen, that the cycle before
        said of heads which are tried again at once (Q-241).
        """
        if key not in self._unwritten:
            return
        if stored is None:
            del self._unwritten[key]
        else:
            self._unwritten[key] = stored["metadata"].get("resourceVersion", "")
        self.queue_manager.listener.work()

    def _unseen(self) -> bool:
        """Tell whether a write of the cycle before is under way;
        an event of the informer brings the next cycle (Q-041).
        """
        for key, revision in [*self._unwritten.items()]:
            if revision is not None and self._shows(key, revision):
                del self._unwritten[key]
        return bool(self._unwritten)

    def _shows(self, key: Key, revision: str) -> bool:
        obj = self.workloads.get(key)
        return obj is None or _number(obj["metadata"].get("resourceVersion", "")) >= _number(revision)

    def _write_waiting(self, pending: PendingWorkload, message: str, cause: UnreservedReason) -> None:
        current_time = self.clock.now()
        draft = reservation.waiting(
            pending.workload, message, pending.requests, self.rules, current_time, cause
        )
        self.writer.put(SchedulingOutcome(pending.workload, self.rules.prune_status(draft.status)))

    def _preempt(self, head: Head, message: str, targets: Sequence[PreemptionTarget]) -> None:
        """Have the targets evicted; the preemptor waits, and is told what came of it (Q-230)."""
        sticky = self.queue_manager.queues.sticky(head.cluster_queue)
        newest, _ = self._back(head, RequeueReason.PENDING_PREEMPTION)
        if newest is None:
            return
        self._unwritten[newest.workload.api_key] = None
        report = partial(self._note_preemption, head, message, len(targets), sticky)
        self.evictions.issue(newest.workload, head.cluster_queue, targets, report)

    def _note_preemption(self, head: Head, message: str, total: int, sticky: str | None, failed: int) -> None:
        """Say for how many victims it waits; when an eviction failed,
        have the preemptor looked at again (M-026, M-027).

        One whose evictions all failed does not stand first for them: the one before it does (Q-044).
        """
        if failed:
            self._retries[head.cluster_queue] = self.clock.now() + RETRY_SECONDS
            self.later(RETRY_SECONDS)
        obj = self.workloads.get(head.pending.workload.api_key)
        newest = None if obj is None else Workload(obj)
        if newest is None or not newest.is_queueable:
            self.resume(head.pending.workload.api_key, None)
            return
        pending = self.queue_manager.pending(newest)
        if failed == total:
            # Kueue keeps no preemptor in front for evictions that never happened
            #
            self.queue_manager.queues.unstick(head.cluster_queue, head.pending.key, sticky)
            self.queue_manager.queues.requeue(
                pending, RequeueReason.PREEMPTION_FAILED, self.clock.now(), head.evaluated_state
            )
        ongoing = total - failed
        pending_text = texts.pending_preemption(message, ongoing)
        text = pending_text if ongoing else texts.preemption_failed(message, failed)
        self._write_waiting(pending, text, UnreservedReason.WAITING_FOR_PREEMPTED_WORKLOADS)

    def _retry(self, current_time: float) -> None:
        """Have heads looked at again that could not evict their victims some time ago."""
        for name, due in [*self._retries.items()]:
            if due <= current_time:
                del self._retries[name]
                self.queue_manager.ledger.cohort_trees.touch(name)

    def _wait_for_pods(self, head: Head) -> None:
        newest, _ = self._back(head, RequeueReason.FAILED_AFTER_NOMINATION)
        if newest is not None:
            draft = reservation.block(newest.workload, self.rules, self.clock.now())
            self.writer.put(SchedulingOutcome(newest.workload, self.rules.prune_status(draft.status)))

    def _back(
        self,
        head: Head,
        reason: RequeueReason,
        scan: LastAssignment | None = None,
        cause: UnreservedReason = UnreservedReason.PENDING_EVALUATION,
    ) -> tuple[PendingWorkload | None, bool]:
        """Put the current state of a head back with `scan` (Q-037), and tell whether it is tried again at
        once; return None where it no longer belongs into a queue (Q-041).
        """
        key = head.pending.workload.api_key
        obj = self.workloads.get(key)
        if obj is None or not (workload := Workload(obj)).is_queueable:
            self.queue_manager.queues.delete(head.pending.key)
            return None, False
        before = head.pending.with_last_assignment(scan)
        # The store hands out the same object until it changes: nothing has to be
        # counted anew.
        same = obj is before.workload.object
        pending = before if same else self.queue_manager.pending(workload).replacing(before)
        at_once = self.queue_manager.queues.requeue(
            pending, reason, self.clock.now(), head.evaluated_state, cause
        )
        return pending, at_once

    def take_back(self, workload: Workload, *, gone: bool, refused: bool = False) -> None:
        """Take a reservation back that could not be written,
        and try again unless the Workload is gone (Q-234).
        """
        obj = self.workloads.get(workload.api_key)
        newest = None if obj is None or gone else Workload(obj)
        if newest is None or not newest.has_counted_quota:
            self.queue_manager.ledger.remove(workload.key)
            self.queue_manager.discharge(workload)
        if newest is None or not newest.is_queueable:
            self._refused.forget(workload.api_key)
            self.queue_manager.queues.delete(workload.key)
            return
        seconds = self._refused.count(workload.api_key, newest.uid) if refused else 0.0
        self._requeue_unwritten(self.queue_manager.pending(newest), seconds)

    def _requeue_unwritten(self, pending: PendingWorkload, seconds: float) -> None:
        """Try a Workload again at once; one that is refused too often waits, and others are tried."""
        queues, key = self.queue_manager.queues, pending.workload.api_key
        current_time = self.clock.now()
        if not seconds:
            queues.requeue(pending, RequeueReason.FAILED_AFTER_NOMINATION, current_time, None)
            self.later(RETRY_SECONDS)
            return
        queues.requeue(pending, RequeueReason.GENERIC, current_time, None)
        local_queue = queues.local_queues.get(pending.local_queue)
        if local_queue is not None:
            self._refused.wait(key, local_queue.cluster_queue, current_time + seconds)
            queues.wake(local_queue.cluster_queue, lambda other: other.key != pending.key, current_time)
        self.later(RETRY_SECONDS)

    def _wake_refused(self, current_time: float) -> None:
        """Try the Workloads again whose wait is over, and have the next one looked at when its own is."""
        for name, due in self._refused.pop_due(current_time).items():
            self.queue_manager.queues.wake(name, partial(_is_among, due), current_time)
        if (until := self._refused.next_due) is not None:
            self.later(until - current_time)

    def _measure(self, verdicts: Sequence[Verdict], seconds: float) -> None:
        reserved = any(isinstance(verdict, Reserve) for verdict in verdicts)
        result = "success" if reserved else "inadmissible"
        self.metrics.increment("kueue_admission_attempts_total", result)
        self.metrics.observe("kueue_admission_attempt_duration_seconds", result, value=seconds)
        skips = Counter(
            verdict.head.cluster_queue
            for verdict in verdicts
            if isinstance(verdict, Requeue) and verdict.is_preemption_skipped
        )
        for name, number in skips.items():
            self.metrics.set("kueue_admission_cycle_preemption_skips", name, value=number)
        if self.cycle.rules.counts_recomputations:
            self._count_recomputations(verdicts)

    def _count_recomputations(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            if isinstance(verdict, Preempt | Requeue) and verdict.recomputation:
                self.metrics.increment(RECOMPUTATIONS, verdict.head.cluster_queue, verdict.recomputation)


def _is_among(keys: Collection[Key], pending: PendingWorkload) -> bool:
    return pending.workload.api_key in keys


def _number(revision: str) -> int:
    """Return what revisions of one object are ordered by; an API server has them grow."""
    # The API calls a resourceVersion opaque, but every server counts it up: of one
    # object the larger number is the newer.
    return int(revision) if revision.isdigit() else 0

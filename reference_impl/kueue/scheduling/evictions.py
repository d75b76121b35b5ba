"""Issuing preemptions: every victim is written once,
whatever the informer has seen by then (Q-290…Q-293, AC-300).

An eviction waits behind a reservation of the same Workload that is still
being written. A victim is on its way from the moment that it was chosen until
its eviction or its release is seen; a write that failed takes that back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...api.resource import Json, Key, key_of
from ...runtime.client import Client
from ...runtime.clock import Clock
from ...runtime.controller import RequeueAfter
from ...runtime.errors import ApiError, UnreachableError
from ...runtime.metrics import Registry
from ...runtime.recorder import Recorder
from ..quota.usage_cache import QuotaHolding, UsageCache
from ..workload.controller import count
from ..workload.decision import ApplyStatus, Decision
from ..workload.preempting import preempt
from ..workload.rules import WorkloadRules
from ..workload.view import Workload
from ..workload.workload_context import ReservationState
from ..workload.writing import apply_status
from .outcomes import OutcomeWriter
from .plans import PlannedPreemptions
from .preemption.targets import PreemptionTarget
from .preemption.wording import PreemptionPair, PreemptionWording

Report = Callable[[int], None]


@dataclass(slots=True)
class PreemptionAttempt:
    """The evictions issued for one preemptor; `report` is told how many failed once none is open."""

    open: int
    report: Report
    failed: int = 0

    def close(self, *, failed: bool) -> None:
        """Count one eviction as over."""
        self.open -= 1
        self.failed += failed
        if self.open == 0:
            self.report(self.failed)


@dataclass(frozen=True, slots=True)
class IssuedPreemption:
    """An eviction that is to be written."""

    pair: PreemptionPair
    cluster_queue: str
    attempt: PreemptionAttempt


@dataclass(slots=True, kw_only=True)
class Evictions:
    """Writes the evictions of victims and knows which victims are on their way out."""

    ledger: UsageCache
    rules: WorkloadRules
    wording: PreemptionWording
    client: Client
    clock: Clock
    recorder: Recorder
    metrics: Registry
    strict: bool
    enqueue: Callable[[Key], None] = field(init=False)
    _issued: dict[Key, IssuedPreemption] = field(default_factory=dict)
    _expected: dict[Key, str] = field(default_factory=dict)

    def is_leaving(self, holding: QuotaHolding) -> bool:
        """Tell whether a holding is evicted, or will be."""
        return holding.is_evicted or self._expected.get(holding.workload.api_key) == holding.workload.uid

    def issue(
        self, preemptor: Workload, cluster_queue: str, targets: Sequence[PreemptionTarget], report: Report
    ) -> None:
        """Have the targets evicted that are not on their way yet;
        `report` gets the number of failures (Q-290).
        """
        queues = self.ledger.cohort_trees.queues
        # A victim on its way out was counted as a target, and needs no second eviction.
        new = [target for target in targets if not self.is_leaving(target.holding)]
        attempt = PreemptionAttempt(len(new), report)
        for target in new:
            queue = queues.get(target.holding.cluster_queue)
            pair = PreemptionPair(preemptor, queues.get(cluster_queue), target, queue)
            key = pair.victim.api_key
            # By uid: a Workload of the same name that is made later is no victim.
            self._expected[key] = pair.victim.uid
            if (overtaken := self._issued.get(key)) is not None:
                # A newer preemptor wants the same victim. One eviction serves both.
                overtaken.attempt.close(failed=False)
            self._issued[key] = IssuedPreemption(pair, cluster_queue, attempt)
            self.enqueue(key)
        if not new:
            report(0)

    def observe(self, old: Json | None, new: Json | None) -> None:
        """Expect nothing more of a Workload that is seen evicted, released or gone (Q-292)."""
        before, after = (None if obj is None else Workload(obj) for obj in (old, new))
        released = (
            before is not None
            and before.has_counted_quota
            and after is not None
            and not after.has_counted_quota
        )
        if after is None or after.is_evicted or released:
            self._expected.pop(key_of(new or old), None)

    async def reconcile(self, key: Key) -> None:
        """Write the eviction of one Workload if one was issued."""
        issued = self._issued.pop(key, None)
        if issued is None:
            return
        victim = issued.pair.victim
        holding = self.ledger.holdings.get(victim.key)
        # Gone, made anew or evicted meanwhile: what the preemptor wanted has happened.
        if holding is None or holding.workload.uid != victim.uid or holding.is_evicted:
            issued.attempt.close(failed=False)
            return
        failed = True
        try:
            await self._evict(issued, holding.workload)
            failed = False
        except (ApiError, UnreachableError):
            pass  # the preemptor is told, and tried again
        finally:
            if failed:
                self._expected.pop(key, None)
            issued.attempt.close(failed=failed)

    async def _evict(self, issued: IssuedPreemption, newest: Workload) -> None:
        pair, wording = issued.pair, self.wording
        decision = preempt(
            newest,
            pair.target.reason,
            wording.message(pair),
            self.rules,
            self.clock.now(),
            condition=wording.condition,
        )
        assert isinstance(decision.write, ApplyStatus)
        status = self.rules.prune_status(decision.write.status)
        stored = await apply_status(self.client, newest, status, strict=self.strict)
        self._tell(issued, decision, stored)

    def _tell(self, issued: IssuedPreemption, decision: Decision, stored: Json) -> None:
        pair, wording = issued.pair, self.wording
        for note in decision.events:
            self.recorder.normal(stored, note.reason, self.rules.format_note(note.note))
        self.recorder.normal(stored, "Preempted", wording.victim_note(pair))
        if wording.preemptor_note is not None:
            preemptor = pair.preemptor.object
            self.recorder.normal(preemptor, "PreemptedWorkload", wording.preemptor_note(pair))
        for sample in decision.metrics:
            count(self.metrics, sample)
        reason = pair.target.reason
        self.metrics.increment("kueue_preempted_workloads_total", issued.cluster_queue, reason)


@dataclass(frozen=True, slots=True)
class SchedulerWrites:
    """Serves writer and evictions from one queue of keys."""

    writer: OutcomeWriter
    evictions: Evictions

    async def reconcile(self, key: Key) -> RequeueAfter | None:
        """Make the wanted write of a Workload;
        an eviction waits until it is known what became of a reservation.
        """
        requeue_after = await self.writer.reconcile(key)
        # Not known what became of the reservation: an eviction now could be of one that
        # was never stored.
        if requeue_after is None:
            await self.evictions.reconcile(key)
        return requeue_after


@dataclass(slots=True)
class Reservations:
    """Answers the state machine; known before the scheduler is there, which gives it both members."""

    plans: PlannedPreemptions = field(init=False)
    evictions: Evictions = field(init=False)

    def reservation_state(self, workload: Workload) -> ReservationState:
        """Return what the reservation of a Workload still waits for."""
        return self.plans.reservation_state(workload)

    def preempt(self, workload: Workload) -> None:
        """Have its planned victims evicted; each that could not be told is planned again (AC-471)."""
        self.evictions.issue(workload, workload.admitted_to, self.plans.victims(workload), _wait_for_requeue)


def _wait_for_requeue(_failed: int) -> None:
    """Do nothing: the reservation is looked at again anyway, and issues the remaining evictions."""

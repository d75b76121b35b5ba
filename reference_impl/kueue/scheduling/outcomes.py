"""What the scheduler wants written on Workloads: one apply each,
its events and metrics once it succeeded (Q-234, Q-241).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from ...api.kinds import WORKLOADS
from ...api.resource import Json, Key
from ...runtime.client import Client
from ...runtime.clock import Clock
from ...runtime.controller import RequeueAfter
from ...runtime.errors import ApiError, UnreachableError
from ...runtime.metrics import Registry
from ...runtime.recorder import Recorder
from ..workload import conditions as c
from ..workload.controller import count
from ..workload.metrics import admission
from ..workload.view import Workload
from ..workload.writing import apply_status
from . import texts

# A reservation that could not be written is tried again after so long.
RETRY_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class SchedulingOutcome:
    """The status a Workload shall have; `considered` names the
    flavors on the way to a reservation, None without one.
    """

    workload: Workload
    status: Json
    flavors_note: str | None = None
    delay_note: str = ""
    """The note about preemptions that checks delay; empty when there are none (AC-489)."""

    @property
    def is_reservation(self) -> bool:
        """Whether this is a reservation."""
        return self.flavors_note is not None

    @property
    def updated_workload(self) -> Workload:
        """The Workload as it will be."""
        return Workload({**self.workload.object, "status": self.status})


def before_attempt(outcome: SchedulingOutcome, _stored: Json) -> Json:
    """Return the Workload of an attempt as it was before:
    attempts on one revision are told of in one event (QC-04).
    """
    return outcome.workload.object


def as_stored(_outcome: SchedulingOutcome, stored: Json) -> Json:
    """Return it as the attempt left it (QC-04, corrected)."""
    return stored


class ReservationRollback(Protocol):
    """Called when a reservation could not be written."""

    def __call__(self, workload: Workload, *, gone: bool, refused: bool = False) -> None:
        """Take it back; `refused` when the same write would be refused again."""


class ReportingRules(Protocol):
    """How outcomes are written and reported; differs between releases."""

    @property
    def pending_event_type(self) -> Literal["Normal", "Warning"]:
        """The type of the event of a failed attempt (D-19)."""

    @property
    def event_subject(self) -> Callable[[SchedulingOutcome, Json], Json]:
        """What the event of a failed attempt is about (QC-04)."""

    @property
    def has_strict_pending_writes(self) -> bool:
        """Whether it is said of a known revision only why there is no reservation (AC-370)."""

    @property
    def immediate_admission_note(self) -> Callable[[str], str]:
        """The note of an admission that needed no check (EV-002)."""


class OutcomeWriter:
    """Writes outcomes, those of one Workload in their order, many Workloads at once."""

    def __init__(
        self,
        client: Client,
        clock: Clock,
        recorder: Recorder,
        metrics: Registry,
        reporting: ReportingRules,
        *,
        strict: bool,
    ) -> None:
        self._strict = strict
        self._client = client
        self._clock = clock
        self._recorder = recorder
        self._metrics = metrics
        self._reporting = reporting
        self._outcomes: dict[Key, SchedulingOutcome] = {}
        self._unanswered: dict[Key, SchedulingOutcome] = {}
        self.enqueue: Callable[[Key], None]
        self.failed: ReservationRollback
        self.written: Callable[[Key, Json | None], None]
        """Told when it is over with an outcome that reserves nothing,
        with the stored object if it was written.
        """

    def forget(self) -> None:
        """Forget the callbacks into the scheduler, which knows this writer."""
        del self.failed
        del self.written

    def put(self, outcome: SchedulingOutcome) -> None:
        """Want an outcome written; it replaces one of the same Workload that was not written yet."""
        key = outcome.workload.api_key
        self._outcomes[key] = outcome
        self.enqueue(key)

    async def reconcile(self, key: Key) -> RequeueAfter | None:
        """Write the outcome of one Workload, or find out what became of the last write."""
        outcome, unanswered = self._outcomes.pop(key, None), self._unanswered.pop(key, None)
        if outcome is None:
            return await self._read_back(unanswered) if unanswered else None
        stored = None
        try:
            stored = await self._write(outcome)
        except (ApiError, UnreachableError) as error:
            return await self._handle_failure(outcome, error)
        finally:
            if not outcome.is_reservation:
                # Also after a failure: the scheduler waits for this before it tries
                # such heads again.
                self.written(key, stored)
        self._report(outcome, stored)
        return None

    async def _handle_failure(
        self, outcome: SchedulingOutcome, error: ApiError | UnreachableError
    ) -> RequeueAfter | None:
        """Have a Workload looked at again; that it has to wait is told even if it could not be written."""
        if outcome.is_reservation:
            return await self._read_back(outcome, refused=_is_refusal(error))
        # A newer revision is coming: the head that was judged is not the one that is
        # stored.
        if isinstance(error, ApiError) and error.is_conflict:
            self.failed(outcome.workload, gone=False)
        self._report(outcome, outcome.workload.object)
        return None

    async def _read_back(self, outcome: SchedulingOutcome, *, refused: bool = False) -> RequeueAfter | None:
        """Read whether a reservation whose write failed is stored:
        until that is known it counts, or quota is given twice.
        """
        workload = outcome.workload
        try:
            stored = await self._client.find(WORKLOADS, workload.api_key)
        except (ApiError, UnreachableError):
            # Neither stored nor refused, as far as is known. Until that is clear the
            # reservation counts, or its quota would be given twice.
            self._unanswered[workload.api_key] = outcome
            return RequeueAfter(RETRY_SECONDS)
        stored_workload = None if stored is None else Workload(stored)
        if (
            stored_workload is None
            or stored_workload.uid != workload.uid
            or not stored_workload.has_counted_quota
        ):
            self.failed(workload, gone=stored_workload is None, refused=refused)
        elif stored_workload.admission == outcome.updated_workload.admission:
            self._report(outcome, stored_workload.object)
        return None

    async def _write(self, outcome: SchedulingOutcome) -> Json:
        """Apply, without a revision unless a release or other replicas want one (AC-370); nothing is sent
        when nothing would change (Q-241).
        """
        # An apply without a change brings no event for which a cycle could wait.
        if outcome.status == outcome.workload.status:
            return outcome.workload.object
        # Kueue applies without a resourceVersion: its reservation wins over whatever
        # was written meanwhile (AC-370).
        strict = self._strict or (self._reporting.has_strict_pending_writes and not outcome.is_reservation)
        return await apply_status(self._client, outcome.workload, outcome.status, strict=strict)

    def _report(self, outcome: SchedulingOutcome, stored: Json) -> None:
        """Record the events of a stored reservation, or of a failed attempt."""
        if not outcome.is_reservation:
            waits: Json = outcome.updated_workload.condition(c.QUOTA_RESERVED)
            regarded = self._reporting.event_subject(outcome, stored)
            self._recorder.record(
                regarded, self._reporting.pending_event_type, waits["reason"], waits["message"]
            )
            return
        before, after, current_time = outcome.workload, outcome.updated_workload, self._clock.now()
        name = outcome.status["admission"]["clusterQueue"]
        waited = current_time - before.queued_since
        note = texts.quota_reserved_note(name, waited, outcome.flavors_note or "")
        self._recorder.normal(stored, "QuotaReserved", note)
        if outcome.delay_note:
            self._recorder.normal(stored, "PreemptionsDelayed", outcome.delay_note)
        self._count_reservation(before, name, waited)
        if after.is_admitted:
            self._recorder.normal(stored, "Admitted", self._reporting.immediate_admission_note(name))
            for sample in admission(after, current_time, 0 if after.checks.entries else None):
                count(self._metrics, sample)

    def _count_reservation(self, workload: Workload, name: str, waited: float) -> None:
        queue = (name, workload.priority_class)
        local = (workload.queue_name, workload.namespace, workload.priority_class)
        for prefix, labels in (("kueue_", queue), ("kueue_local_queue_", local)):
            self._metrics.increment(f"{prefix}quota_reserved_workloads_total", *labels)
            self._metrics.observe(f"{prefix}quota_reserved_wait_time_seconds", *labels, value=waited)


def _is_refusal(error: ApiError | UnreachableError) -> bool:
    """Tell whether a write may be refused again and again: a conflict, and a server that is away or has too
    much to do, are over soon.
    """
    return isinstance(error, ApiError) and error.code not in {409, 429, 503}

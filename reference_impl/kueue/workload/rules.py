"""What distinguishes one version of the documents from another in the state machine, as one value.

A dialect or a defect replaces a member of this record or of `order`; no rule asks which dialect it serves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from reference_impl.api.objects import CheckState, Condition, WorkloadStatus
from reference_impl.api.resource import Resource
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.checks.preemption_policy import Policies, may_preempt
from reference_impl.kueue.checks.rules import CheckRule

from .decision import Decision, MetricSample
from .draft import StatusDraft
from .unreserved import ReasonRule, generic_reason
from .view import Workload
from .workload_context import WorkloadContext

TransitionRule: TypeAlias = "Callable[[Workload, WorkloadContext, float, WorkloadRules], Decision | None]"
"""One line of the evaluation order: what to do at a moment, or None to leave it to the next."""

RequiredChecks: TypeAlias = Callable[
    [Iterable[CheckRule], frozenset[str], frozenset[str] | None], frozenset[str]
]

MAX_TIMEOUT_SECONDS: Final = 7200.0
"""The longest time that a Workload may give its own pods, unless configured (KV-61)."""


@dataclass(frozen=True, slots=True)
class Eviction:
    """Why a Workload has to give its quota back; the cause goes into statistics only (AC-344)."""

    reason: str
    message: str
    cause: str = ""
    counted_as: str = ""
    """Reason in statistics and metrics where it differs from the condition's."""

    @property
    def group(self) -> str:
        """Return the reason that is counted."""
        return self.counted_as or self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmittedReasons:
    """Reason and message of Admitted=False (D-18, KV-04)."""

    no_reservation: tuple[str, str]
    unsatisfied: tuple[str, str]
    no_reservation_unsatisfied: tuple[str, str]
    """Of a Workload that has neither a reservation nor all of its checks ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PodsReady:
    """How long pods may take to be ready, and what happens to a Workload whose pods are not (Q-480)."""

    timeout: float = 1800.0
    recovery_timeout: float | None = 1800.0
    block_admission: bool = False
    by_creation: bool = False
    """Whether an evicted Workload keeps the place of its creation (`requeuingStrategy.timestamp`)."""
    backoff_limit: int | None = None
    backoff_base: float = 60.0
    backoff_max: float = 3600.0
    max_on_workload: float = MAX_TIMEOUT_SECONDS


def use_configuration(_workload: Workload, configured: PodsReady | None) -> PodsReady | None:
    """Return the times of the configuration, which are those of each Workload."""
    return configured


def keep_status(status: WorkloadStatus) -> WorkloadStatus:
    """Return a status unchanged."""
    return status


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadRules:
    """The members that a dialect or a defect may replace."""

    order: tuple[TransitionRule, ...]
    required_checks: RequiredChecks
    reset_checks: Callable[[Checks, float], Checks]
    """What an eviction does to the answers (D-11)."""
    reset_checks_on_retry: Callable[[Checks, float], Checks]
    """The same when a Retry is the reason (AC-481)."""
    evict: Callable[[Workload, StatusDraft, Eviction, WorkloadRules], Decision]
    release: Callable[[StatusDraft, Condition, WorkloadRules], StatusDraft]
    """What happens to the status when an evicted Workload's job has stopped (AC-289)."""
    retry_message: Callable[[Sequence[CheckState]], str]
    rejection_note: Callable[[Sequence[CheckState]], str]
    deactivation: Callable[[Condition | None], Eviction]
    """The eviction of an inactive Workload, from its DeactivationTarget (D-10)."""
    is_requeued_on_activation: Callable[[str], bool]
    """Whether Requeued=False with this reason ends when the Workload is active again (AC-295)."""
    format_note: Callable[[str], str]
    """What becomes of the text of an event (AC-383)."""
    prune_status: Callable[[WorkloadStatus], WorkloadStatus] = keep_status
    """Leaves out of a status what the dialect has no field for (AC-220)."""
    reserves_before_preemption: bool = False
    """Whether quota is reserved before victims have left, where checks are to be asked (AC-440, D-03)."""
    may_preempt: Callable[[Checks, Policies], bool] = may_preempt
    """When victims are told to go then (AC-443, AC-463)."""
    recheck_kinds: tuple[Resource, ...] = ()
    """Kinds whose every change makes each reservation worth another look (AC-476)."""
    sync_admitted: Callable[[StatusDraft, AdmittedReasons], StatusDraft]
    """What the reservation and the answers make of Admitted (AC-264, KV-02)."""
    admitted_reasons: AdmittedReasons
    names_causes: bool = False
    """Whether the Workload controller says at each pass why quota is not reserved (KV-01)."""
    unreserved_reason: ReasonRule = generic_reason
    """The reason of QuotaReserved=False for a cause (KV-05…KV-13)."""
    measure_finished: Callable[[Workload, float], tuple[MetricSample, ...]]
    """What a Workload that is over adds to metrics (MT-014, KV-28)."""
    pods_ready: PodsReady | None = PodsReady()
    pods_ready_of: Callable[[Workload, PodsReady | None], PodsReady | None] = use_configuration
    """How long the pods of a Workload may take, by the configuration and the Workload (KV-61)."""
    retention: float | None = None
    """Seconds after which a finished Workload is deleted; None keeps it (AC-320)."""

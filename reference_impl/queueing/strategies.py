"""Why a Workload comes back from a cycle, and whether it is tried again at once (Q-043, Q-044, Q-045)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Strategy(StrEnum):
    """`spec.queueingStrategy` of a ClusterQueue."""

    STRICT_FIFO = "StrictFIFO"
    BEST_EFFORT_FIFO = "BestEffortFIFO"


class Reason(StrEnum):
    """Why a Workload was requeued."""

    GENERIC = ""
    FAILED_AFTER_NOMINATION = "FailedAfterNomination"
    PENDING_PREEMPTION = "PendingPreemption"
    PREEMPTION_FAILED = "PreemptionFailed"
    NO_FIT = "NoFit"
    PREEMPTION_NO_CANDIDATES = "PreemptionNoCandidates"
    NAMESPACE_MISMATCH = "NamespaceMismatch"


_ALWAYS = frozenset({Reason.FAILED_AFTER_NOMINATION, Reason.PENDING_PREEMPTION, Reason.PREEMPTION_FAILED})

IMMEDIATE: Mapping[Strategy, frozenset[Reason]] = MappingProxyType(
    {
        Strategy.STRICT_FIFO: frozenset(Reason) - {Reason.NAMESPACE_MISMATCH},
        Strategy.BEST_EFFORT_FIFO: _ALWAYS,
    }
)

IMMEDIATE_V0_6: Mapping[Strategy, frozenset[Reason]] = MappingProxyType(
    {
        **IMMEDIATE,
        Strategy.BEST_EFFORT_FIFO: frozenset({Reason.FAILED_AFTER_NOMINATION, Reason.PENDING_PREEMPTION}),
    }
)
"""As v0.6 has it, which knows no failed preemptions (Q-503)."""

#: Equal Workloads would fail in the same way, so they are parked together (Q-045).
SHARED_FATE = frozenset({Reason.NO_FIT, Reason.PREEMPTION_NO_CANDIDATES})

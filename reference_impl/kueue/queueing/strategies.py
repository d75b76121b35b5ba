"""Why a Workload comes back from a cycle, and whether it is tried again at once (Q-043, Q-044, Q-045)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum, auto
from types import MappingProxyType


class Strategy(StrEnum):
    """`spec.queueingStrategy` of a ClusterQueue."""

    STRICT_FIFO = "StrictFIFO"
    BEST_EFFORT_FIFO = "BestEffortFIFO"


class RequeueReason(Enum):
    """Why a Workload was requeued."""

    GENERIC = auto()
    FAILED_AFTER_NOMINATION = auto()
    PENDING_PREEMPTION = auto()
    PREEMPTION_FAILED = auto()
    NO_FIT = auto()
    PREEMPTION_NO_CANDIDATES = auto()
    NAMESPACE_MISMATCH = auto()


_ALWAYS = frozenset(
    {RequeueReason.FAILED_AFTER_NOMINATION, RequeueReason.PENDING_PREEMPTION, RequeueReason.PREEMPTION_FAILED}
)

IMMEDIATE: Mapping[Strategy, frozenset[RequeueReason]] = MappingProxyType(
    {
        Strategy.STRICT_FIFO: frozenset(RequeueReason) - {RequeueReason.NAMESPACE_MISMATCH},
        Strategy.BEST_EFFORT_FIFO: _ALWAYS,
    }
)

# As v0.6 has it, which knows no failed preemptions.
IMMEDIATE_V0_6: Mapping[Strategy, frozenset[RequeueReason]] = MappingProxyType(
    {
        **IMMEDIATE,
        Strategy.BEST_EFFORT_FIFO: frozenset(
            {RequeueReason.FAILED_AFTER_NOMINATION, RequeueReason.PENDING_PREEMPTION}
        ),
    }
)

#: Equal Workloads would fail in the same way, so they are parked together (Q-045).
EQUIVALENT_REASONS = frozenset({RequeueReason.NO_FIT, RequeueReason.PREEMPTION_NO_CANDIDATES})

"""How quota is shared fairly: what a configuration may choose (Q-482)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FINAL_SHARE, INITIAL_SHARE = "LessThanOrEqualToFinalShare", "LessThanInitialShare"
PREEMPTION_STRATEGIES = ((FINAL_SHARE, INITIAL_SHARE), (FINAL_SHARE,), (INITIAL_SHARE,))
"""What `fairSharing.preemptionStrategies` may be; the first is the default."""
SAMPLING_INTERVAL = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FairSharing:
    """How borrowed quota is shared between ClusterQueues and Cohorts (Q-272)."""

    preemption_strategies: tuple[str, ...] = PREEMPTION_STRATEGIES[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionFairSharing:
    """How what a LocalQueue has used is remembered; times are in seconds (KEP-4136)."""

    half_life: float = 0.0
    """After so long half of it is forgotten; 0 remembers nothing."""
    sampling_interval: float = SAMPLING_INTERVAL
    resource_weights: Mapping[str, float] = field(default_factory=dict)
    """How much a unit of a resource counts; 1 for one that is not named."""

"""A ClusterQueue's spec as quota and scheduling read it (AC-030…AC-043, Q-113)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ...api.resource import Json
from ..checks.rules import CheckRule, rules_of
from .resources import ResourceGroups
from .shares import weight_of
from .tree import DEFAULT_WEIGHT

BY_USAGE: Final = "UsageBasedAdmissionFairSharing"


@dataclass(frozen=True, slots=True)
class FlavorFungibility:
    """When the search for a flavor stops although the flavor is not perfect (Q-172)."""

    try_next_to_borrow: bool = False
    try_next_to_preempt: bool = True
    prefer_preemption: bool = False

    @classmethod
    def of(cls, raw: Json) -> FlavorFungibility:
        """Read `spec.flavorFungibility`."""
        return cls(
            try_next_to_borrow=raw.get("whenCanBorrow") == "TryNextFlavor",
            try_next_to_preempt=raw.get("whenCanPreempt", "TryNextFlavor") == "TryNextFlavor",
            prefer_preemption=raw.get("preference") == "PreemptionOverBorrowing",
        )


@dataclass(frozen=True, slots=True)
class PreemptionPolicies:
    """The preemption policies of a ClusterQueue."""

    within_cluster_queue: str = "Never"
    reclaim_within_cohort: str = "Never"
    borrow_within_cohort: str = "Never"
    max_priority_threshold: int | None = None
    """Up to which priority a Workload may be preempted while borrowing; None is without a limit (Q-257)."""

    @classmethod
    def of(cls, raw: Json) -> PreemptionPolicies:
        """Read `spec.preemption`."""
        borrowing = raw.get("borrowWithinCohort") or {}
        return cls(
            raw.get("withinClusterQueue", "Never"),
            raw.get("reclaimWithinCohort", "Never"),
            borrowing.get("policy", "Never"),
            borrowing.get("maxPriorityThreshold"),
        )


@dataclass(frozen=True, slots=True)
class ClusterQueueSpec:
    """The spec of a ClusterQueue, parsed."""

    name: str
    cohort: str
    groups: ResourceGroups
    strategy: str
    stop_policy: str
    namespace_selector: Json | None
    checks: tuple[CheckRule, ...]
    fungibility: FlavorFungibility
    preemption: PreemptionPolicies
    is_deleting: bool
    weight: Fraction = DEFAULT_WEIGHT
    """Of `fairSharing` (AC-044)."""
    has_usage_based_order: bool = False
    """Whether `admissionScope` lets the usage of LocalQueues come before priority (AC-045, Q-021)."""

    @classmethod
    def of(cls, obj: Json) -> ClusterQueueSpec:
        """Read the object as the API server stores it (AC-044, AC-045)."""
        spec = obj.get("spec") or {}
        return cls(
            name=obj["metadata"]["name"],
            cohort=spec.get("cohortName") or "",
            groups=ResourceGroups.of(spec.get("resourceGroups")),
            strategy=spec.get("queueingStrategy") or "BestEffortFIFO",
            stop_policy=spec.get("stopPolicy") or "None",
            namespace_selector=spec.get("namespaceSelector"),
            checks=rules_of(obj)[0],
            fungibility=FlavorFungibility.of(spec.get("flavorFungibility") or {}),
            preemption=PreemptionPolicies.of(spec.get("preemption") or {}),
            is_deleting="deletionTimestamp" in obj["metadata"],
            weight=weight_of(spec),
            has_usage_based_order=(spec.get("admissionScope") or {}).get("admissionMode") == BY_USAGE,
        )

    @property
    def is_stopped(self) -> bool:
        """Whether a stop policy keeps it from admitting."""
        return self.stop_policy != "None"

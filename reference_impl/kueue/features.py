"""Feature gates: those that change something here, and those that stand as v0.19 has them (Q-483, Q-484)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

SWITCHED: Mapping[str, bool] = MappingProxyType(
    {
        "CleanupProvisioningRequestsOnEviction": True,
        "DisableWaitForPodsReady": False,
        "FinishOrphanedWorkloads": True,
        "PartialAdmission": True,
        "ProvisioningACC": True,
        "VisibilityAdmittedWorkloads": False,
        "VisibilityOnDemand": True,
    }
)
"""Gates that can be switched, with their defaults."""

FIXED: Mapping[str, bool] = MappingProxyType(
    {
        "AdmissionGatedBy": True,
        "ConcurrentAdmission": False,
        "ElasticJobsViaWorkloadSlices": False,
        "FlavorFungibility": True,
        "FlavorFungibilityPreserveScanProgress": True,
        "HierarchicalCohorts": True,
        "LocalQueueMetrics": True,
        "MultiKueueOrchestratedPreemption": False,
        "PrioritySortingWithinCohort": True,
        "PriorityBoost": False,
        "ReclaimablePods": True,
        "RejectUpdatesToCQWithInvalidOnFlavors": False,
        "SchedulerLongRequeueInterval": False,
        "SchedulingEquivalenceHashing": True,
        "TopologyAwareScheduling": False,
        "UnadmittedWorkloadsExplicitStatus": False,
        "UnadmittedWorkloadsObservability": False,
        "WorkloadRequestUseMergePatch": False,
    }
)
"""Gates of Kueue that are known but not implemented both ways: what they are here."""


class FeatureError(ValueError):
    """A feature gate that does not exist, that cannot be set so, or a value that is
    neither true nor false.
    """


@dataclass(frozen=True, slots=True)
class Features:
    """Which gates are on."""

    chosen: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in self.chosen.items():
            _check(name, value)

    def __getitem__(self, name: str) -> bool:
        return self.chosen.get(name, SWITCHED[name])


def parse(text: str) -> Features:
    """Read `A=true,B=false`."""
    chosen = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        name, equals, value = pair.partition("=")
        if not equals or value.lower() not in {"true", "false"}:
            raise FeatureError(f"feature gate {pair!r}: expected NAME=true or NAME=false")
        chosen[name] = value.lower() == "true"
    return Features(chosen)


def _check(name: str, value: bool) -> None:
    if not isinstance(value, bool):
        raise FeatureError(f"feature gate {name}: expected true or false, found {value!r}")
    if name in FIXED and value != FIXED[name]:
        raise FeatureError(f"feature gate {name} is always {str(FIXED[name]).lower()} here")
    if name not in FIXED and name not in SWITCHED:
        near = difflib.get_close_matches(name, [*SWITCHED, *FIXED], n=1)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(SWITCHED))}"
        raise FeatureError(f"unknown feature gate {name!r}; {hint}")

"""Feature gates: their names and defaults at v0.19 (admission.md §0.3, scheduling.md §13 Q-483, Q-484)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

ON = (
    "AdmissionGatedBy",
    "FinishOrphanedWorkloads",
    "FlavorFungibility",
    "FlavorFungibilityPreserveScanProgress",
    "HierarchicalCohorts",
    "LocalQueueMetrics",
    "PartialAdmission",
    "PrioritySortingWithinCohort",
    "ReclaimablePods",
    "SchedulingEquivalenceHashing",
)
OFF = (
    "DisableWaitForPodsReady",
    "RejectUpdatesToCQWithInvalidOnFlavors",
)
DEFAULTS: Mapping[str, bool] = MappingProxyType({**dict.fromkeys(ON, True), **dict.fromkeys(OFF, False)})


class FeatureError(ValueError):
    """A feature gate that does not exist, or a value that is neither true nor false."""


@dataclass(frozen=True, slots=True)
class Features:
    """Which gates are on."""

    chosen: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.chosen:
            if name not in DEFAULTS:
                near = difflib.get_close_matches(name, DEFAULTS, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(DEFAULTS))}"
                raise FeatureError(f"unknown feature gate {name!r}; {hint}")

    def __getitem__(self, name: str) -> bool:
        return self.chosen.get(name, DEFAULTS[name])


def parse(text: str) -> Features:
    """Read `A=true,B=false`."""
    chosen = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = pair.partition("=")
        if not equals or value.lower() not in {"true", "false"}:
            raise FeatureError(f"feature gate {pair!r}: expected NAME=true or NAME=false")
        chosen[name] = value.lower() == "true"
    return Features(chosen)

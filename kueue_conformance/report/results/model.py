"""The report as a value: built from results, equal for equal
outcomes whatever the order of the run (harness §10.7, H-26).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ...scenarios.scenario import Scenario, inventory_digest
from .case import NOTHING_ASKED
from .profile import ProfileResult, ScenarioResult
from .safety import RuleResult

API_VERSION = "kueue-conformance.dev/v1"
KIND = "ConformanceReport"
INCOMPLETE = "INCOMPLETE: the run ended before every case was judged"
"""The note in every format of a report about a run that was interrupted,
or ended at a failure as it was asked to.
"""
NO_EXPECTATIONS: Mapping[str, Any] = MappingProxyType({"files": [], "digest": "", "matched": [], "stale": []})


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The results of a run."""

    complete: bool
    date: str
    inventory: tuple[Scenario, ...]
    profiles: tuple[ProfileResult, ...]
    environment: Mapping[str, Any]
    requirements: Mapping[str, Any]
    implementation: Mapping[str, Any]
    safety_rules: tuple[RuleResult, ...]
    seed: int
    expectations: Mapping[str, Any] = field(default_factory=lambda: NO_EXPECTATIONS)
    footprint: Mapping[str, Any] = field(default_factory=lambda: NOTHING_ASKED)
    """The subject's needed rights and cost, empty where requests are not seen."""

    @property
    def scenarios(self) -> Sequence[ScenarioResult]:
        """Scenarios with results, by id."""
        return sorted(
            (scenario for profile in self.profiles for scenario in profile.scenarios),
            key=lambda scenario: scenario.scenario.id,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form, keys in the order of harness §10.7."""
        from ... import __version__

        return {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "complete": self.complete,
            "date": self.date,
            "suite": {
                "version": __version__,
                "inventoryDigest": inventory_digest(self.inventory),
                "scenarios": len(self.inventory),
            },
            "implementation": dict(self.implementation),
            "environment": dict(self.environment),
            "profiles": [profile.to_dict() for profile in self.profiles],
            "scenarios": [scenario.to_dict() for scenario in self.scenarios],
            "safetyRules": [rule.to_dict() for rule in self.safety_rules],
            "requirements": dict(self.requirements),
            "expectations": dict(self.expectations),
            **({"footprint": dict(self.footprint)} if self.footprint else {}),
            "seed": self.seed,
        }

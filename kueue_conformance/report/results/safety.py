"""The breaches of safety rules, over every case that was judged by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...rules import AUTOSCALER, CHECK_CONTROLLER, CONTROL_PLANE, JOB_INTEGRATION, OWN_JOBS, SafetyRule
from ...scenarios.capability import AUTOSCALER as AN_AUTOSCALER
from ...scenarios.capability import FAMILIES
from ...scenarios.capability import JOB_INTEGRATION as AN_INTEGRATION
from ...scenarios.outcome import Level
from .case import CaseResult

CONTROLLER = "check controller"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """A safety rule with all its breaches, over every case that was judged."""

    id: str
    level: Level
    rule: str
    violations: tuple[Mapping[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form."""
        return {
            "id": self.id,
            "level": str(self.level),
            "rule": self.rule,
            "violations": [dict(violation) for violation in self.violations],
        }


def safety(results: Sequence[CaseResult]) -> tuple[RuleResult, ...]:
    """Return the breaches of safety rules; none when no case could be judged by them."""
    judged = sorted(
        (result for result in results if result.judged), key=lambda result: (result.id, result.test)
    )
    breaches = [
        (violation["rule"], {"scenario": case.id, "test": case.test, "text": violation["text"]})
        for case in judged
        for violation in case.violations
    ]
    return tuple(
        RuleResult(
            id=rule.id,
            level=rule.level,
            rule=rule.text,
            violations=tuple(violation for name, violation in breaches if name == rule.id),
        )
        for rule in rules_of(result.id for result in judged)
    )


def rules_of(scenarios: Iterable[str]) -> tuple[SafetyRule, ...]:
    """Return the safety rules by which cases of scenarios are judged, in order of their ids."""
    profiles = {FAMILIES[scenario.partition("-")[0]] for scenario in scenarios}
    judged = {profile.judges for profile in profiles}
    judges_own_jobs = any(profile.judges_own_jobs for profile in profiles)
    rules = (
        *(CHECK_CONTROLLER if CONTROLLER in judged else ()),
        *(CONTROL_PLANE if judged - {CONTROLLER, AN_AUTOSCALER, AN_INTEGRATION} else ()),
        *(JOB_INTEGRATION if AN_INTEGRATION in judged else OWN_JOBS if judges_own_jobs else ()),
        *(AUTOSCALER if AN_AUTOSCALER in judged else ()),
    )
    return tuple(sorted(rules, key=lambda rule: rule.id))

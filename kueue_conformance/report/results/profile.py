"""The results of a profile: its scenarios with their cases, sorted all the way down (harness H-26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...scenarios.outcome import LACKING, Outcome, binding, verdict, worst
from ...scenarios.scenario import Scenario
from .abilities import Ability
from .case import CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioResult:
    """A scenario with the results of its cases, in order of their names."""

    scenario: Scenario
    cases: tuple[CaseResult, ...]

    @property
    def outcome(self) -> Outcome:
        """The worst of the cases'."""
        return worst(case.outcome for case in self.cases)

    @property
    def code(self) -> str:
        """Why it is unsupported, when it is."""
        return next((case.code for case in self.cases if case.outcome is self.outcome and case.code), "")

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form."""
        return {
            "id": self.scenario.id,
            "revision": self.scenario.revision,
            "title": self.scenario.title,
            "level": str(self.scenario.level),
            "requirement": list(self.scenario.requirement),
            "shows": list(self.scenario.shows),
            "outcome": str(self.outcome),
            **({"code": self.code} if self.code else {}),
            "cases": [case.to_dict() for case in self.cases],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileResult:
    """A profile's scenarios and its result."""

    name: str
    scenarios: tuple[ScenarioResult, ...]
    strict: bool = False
    complete: bool = True
    """Every case of the run was judged."""
    abilities: tuple[Ability, ...] = ()
    """Declared and observed capabilities; none where no check controller is judged."""

    @property
    def result(self) -> str:
        """success, failure, incomplete, partial or undetermined; unsupported scenarios do not count."""
        levels = binding(strict=self.strict)
        decisive = (scenario for scenario in self.scenarios if scenario.scenario.level in levels)
        return verdict(
            (scenario.outcome for scenario in decisive if scenario.outcome is not Outcome.UNSUPPORTED),
            complete=self.complete,
        )

    @property
    def counts(self) -> Mapping[str, int]:
        """Scenarios by outcome."""
        counts = Counter(str(scenario.outcome) for scenario in self.scenarios)
        return {str(outcome): counts[str(outcome)] for outcome in Outcome if counts[str(outcome)]}

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form."""
        failed = [scenario.scenario.id for scenario in self.scenarios if scenario.outcome in LACKING]
        excluded = [
            scenario.scenario.id for scenario in self.scenarios if scenario.outcome is Outcome.EXCLUDED
        ]
        return {
            "name": self.name,
            "result": self.result,
            "summary": summary(self.counts),
            "core": {"counts": dict(self.counts), "failed": failed, "excluded": excluded},
            **(
                {"extended": {"capabilities": [ability.to_dict() for ability in self.abilities]}}
                if self.abilities
                else {}
            ),
        }


def summary(counts: Mapping[str, int]) -> str:
    """Return counts as one text, such as `49 passed · 2 unsupported` (harness/H-34)."""
    return " · ".join(f"{amount} {name}" for name, amount in counts.items()) or "nothing ran"


def group(
    results: Sequence[CaseResult],
    inventory: Mapping[str, Scenario],
    *,
    strict: bool,
    complete: bool = True,
) -> tuple[ProfileResult, ...]:
    """Return the profiles that ran, sorted all the way down."""
    cases: dict[str, list[CaseResult]] = {}
    for result in results:
        cases.setdefault(result.id, []).append(result)
    scenarios = [
        ScenarioResult(
            scenario=inventory[name], cases=tuple(sorted(results_of_scenario, key=lambda case: case.test))
        )
        for name, results_of_scenario in sorted(cases.items())
    ]
    names = sorted({scenario.scenario.profile.name for scenario in scenarios})
    return tuple(
        ProfileResult(
            name=name,
            strict=strict,
            complete=complete,
            scenarios=tuple(scenario for scenario in scenarios if scenario.scenario.profile.name == name),
        )
        for name in names
    )

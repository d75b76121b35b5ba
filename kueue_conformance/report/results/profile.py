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
from .own_clauses import hold_although_failed, own_outcome


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

    @property
    def codes(self) -> list[tuple[Outcome, str]]:
        """The outcome and the code of each case."""
        return [(case.outcome, case.code) for case in self.cases]

    @property
    def own_outcome(self) -> Outcome:
        """The outcome by its own clauses: a safety rule alone does not fail them."""
        return own_outcome(self.codes)

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

    @property
    def summary(self) -> str:
        """The counts as one text."""
        return summary(self.counts, len(self.hold_although_failed))

    @property
    def summary_of_cases(self) -> str:
        """Cases by outcome as one text: what progress and junit.xml count."""
        cases = [case for scenario in self.scenarios for case in scenario.cases]
        counts = Counter(str(case.outcome) for case in cases)
        outcomes = {str(outcome): counts[outcome] for outcome in Outcome if counts[outcome]}
        return f"{_amount(len(cases), 'case')}: {summary(outcomes)}"

    @property
    def summary_of_scenarios(self) -> str:
        """The counts as one text, with their unit."""
        return f"{_amount(len(self.scenarios), 'scenario')}: {self.summary}"

    @property
    def hold_although_failed(self) -> list[str]:
        """The failed scenarios whose own clauses hold."""
        return hold_although_failed((scenario.scenario.id, scenario.codes) for scenario in self.scenarios)

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form."""
        failed = [scenario.scenario.id for scenario in self.scenarios if scenario.outcome in LACKING]
        excluded = [
            scenario.scenario.id for scenario in self.scenarios if scenario.outcome is Outcome.EXCLUDED
        ]
        return {
            "name": self.name,
            "result": self.result,
            "summary": self.summary,
            "core": {
                "counts": dict(self.counts),
                "failed": failed,
                **({"ownClausesHold": self.hold_although_failed} if self.hold_although_failed else {}),
                "excluded": excluded,
            },
            **(
                {"extended": {"capabilities": [ability.to_dict() for ability in self.abilities]}}
                if self.abilities
                else {}
            ),
        }


def _amount(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def summary(counts: Mapping[str, int], holding: int = 0) -> str:
    """Return counts as one text, such as `49 passed · 2 unsupported` (harness/H-34).

    `holding` is the number of failed scenarios whose own clauses hold.
    """
    words = [
        f"{amount} {name}" + (_by_rules(holding) if name == Outcome.FAILED else "")
        for name, amount in counts.items()
    ]
    return " · ".join(words) or "nothing ran"


def _by_rules(holding: int) -> str:
    return f" ({holding} by safety rules alone, their own clauses hold)" if holding else ""


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

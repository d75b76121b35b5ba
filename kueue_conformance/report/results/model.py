"""The report as a value: built from results, equal for equal outcomes whatever the order of the run (harness
§10.7, H-26).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ...capability import AUTOSCALER as AN_AUTOSCALER
from ...capability import FAMILIES
from ...outcome import LACKING, Level, Outcome, binding, verdict, worst
from ...rules import AUTOSCALER, CHECK_CONTROLLER, CONTROL_PLANE, SafetyRule
from ...scenario import Scenario, inventory_digest
from .abilities import Ability

API_VERSION = "kueue-conformance.dev/v1"
CONTROLLER = "check controller"
KIND = "ConformanceReport"
INCOMPLETE = "INCOMPLETE: the run ended before every case was judged"
"""The note in every format of a report about a run that was interrupted, or ended at a failure as it was
asked to.
"""
NOTHING_ASKED: Mapping[str, Any] = MappingProxyType({})
NO_EXPECTATIONS: Mapping[str, Any] = MappingProxyType({"files": [], "digest": "", "matched": [], "stale": []})


def clause_of(scenario: str, text: str) -> str:
    """Return the clause that a failure's text begins with, empty when it begins with none."""
    head = text.split(" ", 1)[0] if text else ""
    return head if head.startswith(f"{scenario}.") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The result of one case."""

    id: str
    test: str
    dialect: str
    parameters: Mapping[str, str]
    outcome: Outcome
    code: str = ""
    text: str = ""
    seconds: float = 0.0
    waits: Mapping[str, Sequence[float]] = field(default_factory=lambda: MappingProxyType({}))
    timeline: tuple[Mapping[str, Any], ...] = ()
    lists: tuple[Mapping[str, Any], ...] = ()
    """The lists of pending Workloads that it read, each a table of Workloads and revisions."""
    seen: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Which of several permitted behaviours was observed, by clause."""
    judged: bool = False
    """The safety rules were judged over the story of the case."""
    violations: tuple[Mapping[str, str], ...] = ()
    expectation: str = ""
    """The expectation that matched it, or that is stale now."""
    evidence: str = ""
    """The file with its story, beside the report."""
    log: str = ""
    """The file with the subject's log of the case, beside the report."""
    node: str = ""
    """The pytest node id."""
    observed: tuple[str, ...] = ()
    """The capabilities that were observed."""
    asked: Mapping[str, Any] = field(default_factory=lambda: NOTHING_ASKED)
    """The subject's requests: the rights that it needed, and their cost."""
    turns: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The number of each outcome, where it was run several times."""

    @property
    def clause(self) -> str:
        """The clause that failed, such as `ADM-204.b`; empty when none is known."""
        return clause_of(self.id, self.text)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the failure within its scenario: clause, safety rules or kind of error (H-17)."""
        return self.clause or self.code

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form; timeline and lists are the HTML page's."""
        return {
            "test": self.test,
            "dialect": self.dialect,
            "parameters": dict(self.parameters),
            "outcome": str(self.outcome),
            **({"code": self.code} if self.code else {}),
            **({"clause": self.clause} if self.clause else {}),
            **({"expectation": self.expectation} if self.expectation else {}),
            **({"text": self.text} if self.text else {}),
            "seconds": self.seconds,
            **({"seen": dict(sorted(self.seen.items()))} if self.seen else {}),
            **(
                {"waits": {name: list(each) for name, each in sorted(self.waits.items())}}
                if self.waits
                else {}
            ),
            **({"evidence": [self.evidence]} if self.evidence else {}),
            **({"log": self.log} if self.log else {}),
            **({"turns": dict(self.turns)} if self.turns else {}),
        }


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
        decisive = (one for one in self.scenarios if one.scenario.level in levels)
        return verdict(
            (one.outcome for one in decisive if one.outcome is not Outcome.UNSUPPORTED),
            complete=self.complete,
        )

    @property
    def counts(self) -> Mapping[str, int]:
        """Scenarios by outcome."""
        found = Counter(str(one.outcome) for one in self.scenarios)
        return {str(outcome): found[str(outcome)] for outcome in Outcome if found[str(outcome)]}

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form."""
        failed = [one.scenario.id for one in self.scenarios if one.outcome in LACKING]
        excluded = [one.scenario.id for one in self.scenarios if one.outcome is Outcome.EXCLUDED]
        return {
            "name": self.name,
            "result": self.result,
            "summary": summary(self.counts),
            "core": {"counts": dict(self.counts), "failed": failed, "excluded": excluded},
            **(
                {"extended": {"capabilities": [one.to_dict() for one in self.abilities]}}
                if self.abilities
                else {}
            ),
        }


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
            "violations": [dict(one) for one in self.violations],
        }


def safety(results: Sequence[CaseResult]) -> tuple[RuleResult, ...]:
    """Return the breaches of safety rules; none when no case could be judged by them."""
    judged = sorted((one for one in results if one.judged), key=lambda one: (one.id, one.test))
    breaches = [
        (found["rule"], {"scenario": case.id, "test": case.test, "text": found["text"]})
        for case in judged
        for found in case.violations
    ]
    return tuple(
        RuleResult(
            id=rule.id,
            level=rule.level,
            rule=rule.text,
            violations=tuple(each for name, each in breaches if name == rule.id),
        )
        for rule in rules_of(one.id for one in judged)
    )


def rules_of(scenarios: Iterable[str]) -> tuple[SafetyRule, ...]:
    """Return the safety rules by which cases of scenarios are judged, in order of their ids."""
    judged = {FAMILIES[one.partition("-")[0]].judges for one in scenarios}
    found = (
        *(CHECK_CONTROLLER if CONTROLLER in judged else ()),
        *(CONTROL_PLANE if judged - {CONTROLLER, AN_AUTOSCALER} else ()),
        *(AUTOSCALER if AN_AUTOSCALER in judged else ()),
    )
    return tuple(sorted(found, key=lambda rule: rule.id))


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
            (one for profile in self.profiles for one in profile.scenarios), key=lambda one: one.scenario.id
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
            "scenarios": [one.to_dict() for one in self.scenarios],
            "safetyRules": [rule.to_dict() for rule in self.safety_rules],
            "requirements": dict(self.requirements),
            "expectations": dict(self.expectations),
            **({"footprint": dict(self.footprint)} if self.footprint else {}),
            "seed": self.seed,
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
        ScenarioResult(scenario=inventory[name], cases=tuple(sorted(found, key=lambda case: case.test)))
        for name, found in sorted(cases.items())
    ]
    names = sorted({one.scenario.profile.name for one in scenarios})
    return tuple(
        ProfileResult(
            name=name,
            strict=strict,
            complete=complete,
            scenarios=tuple(one for one in scenarios if one.scenario.profile.name == name),
        )
        for name in names
    )

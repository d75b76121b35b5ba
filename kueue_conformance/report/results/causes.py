"""Groups failures by cause: a broken safety rule,
or the same observation in place of the same expectation (pure).

One mistake of a controller makes many scenarios fail. They are reported together: one story in full, and the
ids of the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ...catalogue.requirement import catalogue
from ...rules import AUTOSCALER, CHECK_CONTROLLER, JOB_INTEGRATION, RULES, SafetyRule
from ...scenarios.outcome import Level, Outcome, binding
from ...scenarios.scenario import Scenario
from ..story.object_roles import by_role, of_any_case
from .case import CaseResult
from .model import Report
from .own_clauses import is_of_rules_alone
from .suspiciousness import Suspiciousness

TOLD = (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.FLAKY)
_RANK = {level: rank for rank, level in enumerate(Level)}
_ENTRY = re.compile(r"(\S+): (Pending|Ready|Retry|Rejected)(?=;|$)")
_EXPECTED = re.compile(r"\bare (Pending|Ready|Retry|Rejected)\b")
_WHEN = re.compile(r" \((?:within [^()]*budget|still, when|at any time).*\)$")
_WAY = re.compile(r"^ .* check \S+ of \S+: (.* → Pending)$", re.MULTILINE)
_DECIDED = ("Ready", "Retry", "Rejected")
_LINE = re.compile(r"^  (expected|observed) {3}(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureCause:
    """Failing cases that have one thing in common; the first of them is told in full."""

    rule: str
    """The id of the safety rule or of the requirement, `error` where nothing was judged."""
    title: str
    level: Level
    expected: str
    observed: str
    cases: tuple[CaseResult, ...]
    explained: float
    """How much of the failures it explains: the suspiciousness of its scenarios."""

    @property
    def first(self) -> CaseResult:
        """The case whose story is shown."""
        return self.cases[0]

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The ids of the scenarios that fail of it."""
        return tuple(dict.fromkeys(case.id for case in self.cases))

    @property
    def others(self) -> tuple[str, ...]:
        """The ids of the scenarios without a story."""
        return tuple(scenario for scenario in self.scenarios if scenario != self.first.id)

    def is_error(self) -> bool:
        """Tell whether nothing was judged."""
        return self.first.outcome is Outcome.ERROR


def causes(
    results: Iterable[CaseResult], inventory: Mapping[str, Scenario], *, strict: bool
) -> tuple[FailureCause, ...]:
    """Return the causes of failed cases: those that bind first, then those that explain most, by the rows
    that their scenarios show; cases that passed count as well.
    """
    results = tuple(results)
    groups: dict[tuple[str, ...], list[CaseResult]] = {}
    failures = sorted(
        (result for result in results if result.outcome in TOLD), key=lambda case: (case.id, case.test)
    )
    often = Counter(name for failure in failures for name in set(_broken(failure, strict=strict)))
    alone: dict[str, set[str]] = {}
    for failure in failures:
        if is_of_rules_alone(failure.outcome, failure.code):
            for name in _broken(failure, strict=strict):
                alone.setdefault(name, set()).add(failure.id)
    for failure in failures:
        by_rules = is_of_rules_alone(failure.outcome, failure.code)
        explaining = [
            name
            for name in _broken(failure, strict=strict)
            # What is broken in scenarios whose clauses all hold is not why a clause does not hold, and no
            # broken rule ends a program.
            if by_rules or (alone.get(name, set()) <= {failure.id} and not _is_death(failure))
        ]
        groups.setdefault(_key(failure, explaining, often), []).append(failure)
    groups.update(_behind_others(groups, failures, strict=strict))
    suspiciousness = Suspiciousness(results, inventory)
    all_causes = [_cause(key, cases, inventory, suspiciousness) for key, cases in groups.items()]
    return tuple(
        sorted(
            all_causes,
            key=lambda cause: (
                cause.is_error(),
                _RANK[cause.level],
                -cause.explained,
                -len(cause.scenarios),
                cause.first.id,
            ),
        )
    )


def _behind_others(
    groups: Mapping[tuple[str, ...], Sequence[CaseResult]], failures: Sequence[CaseResult], *, strict: bool
) -> Mapping[tuple[str, ...], list[CaseResult]]:
    """Return the causes of rules that are broken in several scenarios, which other causes explain already: a
    second mistake would be met only when the first is mended.
    """
    breaches: dict[tuple[str, ...], list[CaseResult]] = {}
    for failure in failures:
        for name in dict.fromkeys(_broken(failure, strict=strict)):
            breaches.setdefault(("rule", name), []).append(failure)
    return {
        key: cases
        for key, cases in breaches.items()
        # In one scenario alone it may be the same write that breaks both.
        if key not in groups and len({case.id for case in cases}) > 1
    }


def causes_of(report: Report) -> tuple[FailureCause, ...]:
    """Return the causes of failed cases in a report."""
    cases = (case for scenario in report.scenarios for case in scenario.cases)
    strict = any(profile.strict for profile in report.profiles)
    return causes(cases, {scenario.id: scenario for scenario in report.inventory}, strict=strict)


def causes_without_story(causes: Sequence[FailureCause]) -> Mapping[tuple[str, str], FailureCause]:
    """Return by scenario and test the causes of cases whose story is not shown."""
    shown = {(cause.first.id, cause.first.test) for cause in causes}
    return {
        (case.id, case.test): cause
        # A case of several causes goes to the first of them.
        for cause in reversed(causes)
        for case in cause.cases
        if (case.id, case.test) not in shown
    }


def short(case: CaseResult, cause: FailureCause) -> str:
    """Return the short text for a case whose story is not shown."""
    return "\n".join(
        [
            _head(case.text),
            f"  expected   {by_role(cause.expected)}",
            f"  observed   {by_role(cause.observed)}",
            f"  cause      {cause.rule}: {cause.title}",
            f"  story      that of {cause.first.id} {cause.first.test}",
        ]
    )


def _key(
    case: CaseResult,
    broken: Sequence[str],
    often: Mapping[str, int],
) -> tuple[str, ...]:
    if case.outcome is Outcome.ERROR:
        return "error", of_any_case(_head(case.text))
    if case.outcome is not Outcome.FAILED:
        return str(case.outcome), case.id
    if broken:
        return "rule", min(broken, key=lambda name: (_RANK[_rules()[name].level], -often[name]))
    return "seen", _observation(case.text), _expectation(case.text)


def _is_death(case: CaseResult) -> bool:
    """Tell whether a case failed because the subject ended by itself."""
    return parts_of(case.text).get("observed", "").startswith("the subject died")


def _expectation(text: str) -> str:
    """Return the expectation that groups cases of one mistake.

    Of entries it is whether a verdict was to be there or none: one that is too many is another mistake than
    one that is missing.
    """
    expected = _WHEN.sub("", parts_of(text).get("expected", ""))
    states = set(_EXPECTED.findall(expected))
    if not states:
        return of_any_case(expected)
    return "undecided" if states == {"Pending"} else "decided"


def _observation(text: str) -> str:
    """Return the observation that groups cases of one mistake.

    Of a Workload with checks these are the states of the entries that were
    expected otherwise, for they are what a controller says, and whether one
    that waits was decided before: then it is the reset that was missed.
    """
    failure = parts_of(text)
    observed, expected = failure.get("observed") or _head(text), failure.get("expected", "")
    entries = _ENTRY.findall(observed)
    states = sorted({state for check, state in entries if check in expected} or {*dict(entries).values()})
    if not states:
        return of_any_case(observed)
    reset = any(state in transition for transition in _WAY.findall(text) for state in _DECIDED)
    return f"entries {states}{', decided before' if reset else ''}"


def _broken(case: CaseResult, *, strict: bool) -> list[str]:
    """Return the safety rules that bind and that a failed case broke: of several, most cases break the one
    that is the mistake.
    """
    levels, rules = binding(strict=strict), _rules()
    names = [violation["rule"] for violation in case.violations if violation["rule"] in rules]
    return [name for name in names if rules[name].level in levels] if case.outcome is Outcome.FAILED else []


@cache
def _rules() -> Mapping[str, SafetyRule]:
    return {rule.id: rule for rule in RULES}


def _cause(
    key: tuple[str, ...],
    cases: Sequence[CaseResult],
    inventory: Mapping[str, Scenario],
    suspiciousness: Suspiciousness,
) -> FailureCause:
    sort, value, *_ = key
    levels = [inventory[case.id].level for case in cases if case.id in inventory] or [Level.MUST]
    level = min(levels, key=_RANK.__getitem__)
    explained = suspiciousness.of_cause(sorted({case.id for case in cases}))
    ordered = _order(cases, inventory, suspiciousness if sort == "seen" else None)
    first = ordered[0]
    if sort == "rule":
        rule = _rules()[value]
        noun = _judged_program(rule)
        text = next(violation["text"] for violation in first.violations if violation["rule"] == value)
        return FailureCause(
            rule=value,
            title=f"{noun} {rule.text}",
            level=rule.level,
            expected=f"{noun} {rule.text}",
            observed=text,
            cases=tuple(ordered),
            explained=explained,
        )
    failure, scenario, name = parts_of(first.text), inventory.get(first.id), _requirement(first, inventory)
    title = (
        "nothing could be judged"
        if sort == "error"
        else catalogue()[name].rule
        if name in catalogue()
        else name
    )
    return FailureCause(
        rule="error" if sort == "error" else name,
        title=title,
        level=level,
        cases=tuple(ordered),
        explained=explained,
        expected=failure.get("expected") or (scenario.title if scenario else ""),
        observed=failure.get("observed") or _head(first.text),
    )


def _order(
    cases: Iterable[CaseResult], inventory: Mapping[str, Scenario], suspiciousness: Suspiciousness | None
) -> list[CaseResult]:
    """Return the cases of a cause: the one whose story is shown, then the others in the order of their ids.

    Of a rule it is the first scenario that binds. Of what was seen alike it is the scenario about what is
    broken, and not one that comes past it.
    """
    ordered = sorted(cases, key=lambda case: (case.id, case.test))

    def rank(case: CaseResult) -> tuple[int, float]:
        level = _RANK[inventory[case.id].level] if case.id in inventory else 0
        return level, -suspiciousness.of_scenario(case.id) if suspiciousness else 0.0

    first = min(ordered, key=rank)
    return [first, *(case for case in ordered if case is not first)]


def _requirement(case: CaseResult, inventory: Mapping[str, Scenario]) -> str:
    """Return the requirement that a case shows first, its id where it is of no scenario of ours."""
    scenario = inventory.get(case.id)
    return scenario.requirement[0] if scenario and scenario.requirement else case.id


def _judged_program(rule: SafetyRule) -> str:
    """Return the kind of program that a safety rule judges."""
    if rule in CHECK_CONTROLLER:
        return "a check controller"
    if rule in JOB_INTEGRATION:
        return "a job integration"
    return "an autoscaler" if rule in AUTOSCALER else "a control plane"


def _head(text: str) -> str:
    return text.splitlines()[0] if text else ""


def parts_of(text: str) -> Mapping[str, str]:
    """Return the expected and observed parts of a failure text."""
    return {match[1]: match[2] for match in _LINE.finditer(text)}

"""Judges the safety rules of this version of the suite on the stories that a run has kept (harness/N-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError
from ...base.job_fields import JobFields
from ...base.json_types import Json
from ...catalogue.inventory import inventory
from ...catalogue.requirement import coverage
from ...rules import RULES, Story, Violation, judge
from ...scenarios import dialect
from ...scenarios.outcome import Outcome, binding
from ..evidence import Evidence, Folder, read, sound
from ..results import recount
from ..results.safety import rules_of

_KEPT = (Outcome.PASSED, Outcome.FAILED)
"""Outcomes that the rules may change."""
_RULES = frozenset(rule.id for rule in RULES)


@dataclass(frozen=True, slots=True)
class RejudgedReport:
    """The new report, and a line for each change.

    Of a case that was run several times one turn has evidence: what the others broke is not known again.
    """

    report: Json
    new: Sequence[str]
    gone: Sequence[str]
    unknown: Sequence[str]
    """The breaches that stay as they were, since the evidence of their turn was not kept."""
    cases: int


def rejudge(report: Json, folder: Path) -> RejudgedReport:
    """Return a report judged again from the evidence beside it. Raises UsageError when there is none."""
    strict = recount.is_strict(report)
    violations = {
        (scenario["id"], case["test"]): _judge_file(Folder(folder).file(name))
        for scenario in report["scenarios"]
        for case in scenario["cases"]
        for name in case.get("evidence", ())
    }
    if not violations:
        raise UsageError(
            "the report names no evidence",
            hint="run with --evidence all, and keep the folder `evidence` beside the report",
        )
    before = _breaches(report, violations)
    unknown = _of_other_turns(report, violations)
    scenarios = [
        recount.scenario(
            scenario,
            [
                _case(
                    case,
                    violations.get((scenario["id"], case["test"])),
                    strict=strict,
                    may_pass=(scenario["id"], case["test"]) not in unknown,
                )
                for case in scenario["cases"]
            ],
        )
        for scenario in report["scenarios"]
    ]
    rules = _rules(report, violations, unknown)
    breaches_now = _breaches({"safetyRules": rules}, violations)
    unknown_lines = {_line(rule, breach) for breaches in unknown.values() for rule, breach in breaches}
    profiles_by_name = {profile["name"]: profile for profile in report["profiles"]}
    outcomes = {scenario["id"]: scenario["outcome"] for scenario in scenarios}
    new_report = {
        **report,
        "profiles": recount.profiles(
            scenarios, strict=strict, complete=report["complete"], extra=profiles_by_name
        ),
        "scenarios": scenarios,
        "safetyRules": rules,
        "requirements": coverage(inventory(), [*profiles_by_name], outcomes),
        "rejudged": {"by": _version(), "cases": len(violations)},
    }
    return RejudgedReport(
        report=new_report,
        new=sorted(breaches_now - before),
        gone=sorted(before - breaches_now),
        unknown=sorted(unknown_lines),
        cases=len(violations),
    )


def _of_other_turns(
    report: Json, new_violations: Mapping[tuple[str, str], Sequence[Violation]]
) -> Mapping[tuple[str, str], Sequence[tuple[Json, Json]]]:
    """Return by case the rules and breaches that its evidence does not show, of cases that were repeated."""
    repeated = {
        (scenario["id"], case["test"])
        for scenario in report["scenarios"]
        for case in scenario["cases"]
        if case.get("turns") and (scenario["id"], case["test"]) in new_violations
    }
    breaches: dict[tuple[str, str], list[tuple[Json, Json]]] = {}
    for rule in report["safetyRules"]:
        for breach in rule["violations"]:
            case = breach["scenario"], breach["test"]
            if case in repeated and not any(
                (found.rule, _text(found)) == (rule["id"], breach["text"]) for found in new_violations[case]
            ):
                breaches.setdefault(case, []).append((rule, breach))
    return breaches


def _text(violation: Violation) -> str:
    return f"{violation.object_name}: {violation.text}"


def _line(rule: Json, breach: Json) -> str:
    return f"{rule['id']} [{rule['level']}] in {breach['scenario']} {breach['test']}: {breach['text']}"


def _judge_file(file: Path) -> list[Violation]:
    evidence = read(file)
    with sound(file):
        return _violations(evidence)


def _violations(evidence: Evidence) -> list[Violation]:
    scenario = inventory().get(evidence.about["scenario"])
    fields = evidence.about.get("job")
    story = Story(
        changes=evidence.changes,
        attempts=evidence.attempts,
        controller=evidence.about["controller"],
        requests=evidence.requests,
        questions=evidence.questions,
        unreleased_work=evidence.unreleased_work,
        skew=evidence.about.get("skew", 0.0),
        timeout_scale=evidence.about.get("timeoutScale", 1.0),
        settled=evidence.about.get("settled", ()),
        kinds=frozenset(evidence.about["kinds"]) if "kinds" in evidence.about else None,
        job_fields=JobFields.of(fields) if fields else None,
        judges_own_jobs=scenario is not None and scenario.profile.judges_own_jobs,
    )
    if not story.controller and "settled" not in evidence.about:
        # No rule judged it: no check controller and no Kueue, or a report older than the rules of Kueue.
        return []
    return judge(story, dialect.select(evidence.about["dialect"])[0], scenario.permits if scenario else ())


def _case(case: Json, broken: Sequence[Violation] | None, *, strict: bool, may_pass: bool) -> Json:
    """Return a case with new breaches; failures of clauses stay, and those of turns without evidence."""
    by_rule = case.get("code", "").partition(",")[0] in _RULES
    # The failure of a clause was seen live, and no rule can take it back.
    if broken is None or case["outcome"] not in _KEPT or (case["outcome"] == Outcome.FAILED and not by_rule):
        return case
    levels = binding(strict=strict)
    counted = list(dict.fromkeys(violation.rule for violation in broken if violation.level in levels))
    if counted:
        lines = [
            f"  {violation.rule}  {violation.object_name} at rv {violation.revision or '-'}: {violation.text}"
            for violation in broken
            if violation.rule in counted
        ]
        text = (
            case["text"]
            if case.get("code") == ", ".join(counted)
            else "\n".join([f"{', '.join(counted)}  judged again", *lines])
        )
        return {**case, "outcome": str(Outcome.FAILED), "code": ", ".join(counted), "text": text}
    if by_rule and may_pass:
        return {
            key: value
            for key, value in {**case, "outcome": str(Outcome.PASSED)}.items()
            if key not in ("code", "text")
        }
    return case


def _rules(
    report: Json,
    new_violations: Mapping[tuple[str, str], Sequence[Violation]],
    unknown: Mapping[tuple[str, str], Sequence[tuple[Json, Json]]],
) -> list[Json]:
    """Return the rules of this suite with their breaches; those of cases and turns without evidence are taken
    over.
    """
    old = {rule["id"]: rule for rule in report["safetyRules"]}
    rows: dict[str, list[Json]] = {
        name: [
            old_violation
            for old_violation in rule["violations"]
            # Without evidence a case cannot be judged anew, so its old breaches stay.
            if (old_violation["scenario"], old_violation["test"]) not in new_violations
        ]
        for name, rule in old.items()
    }
    for (scenario, test), broken in sorted(new_violations.items()):
        for violation in broken:
            rows.setdefault(violation.rule, []).append(
                {"scenario": scenario, "test": test, "text": _text(violation)}
            )
    for breaches in unknown.values():
        for rule, breach in breaches:
            rows[rule["id"]].append(breach)
    judged_rules = {
        rule.id: {"id": rule.id, "level": str(rule.level), "rule": rule.text}
        for rule in rules_of(scenario for scenario, _ in new_violations)
    }
    every = {
        **{name: {key: rule[key] for key in ("id", "level", "rule")} for name, rule in old.items()},
        **judged_rules,
    }
    return [{**every[name], "violations": rows.get(name, [])} for name in sorted(every)]


def _breaches(report: Json, judged_cases: Mapping[tuple[str, str], object]) -> set[str]:
    return {
        _line(rule, violation)
        for rule in report["safetyRules"]
        for violation in rule["violations"]
        if (violation["scenario"], violation["test"]) in judged_cases
    }


def _version() -> str:
    from ... import __version__

    return __version__

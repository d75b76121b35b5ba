"""Judges the safety rules of this version of the suite on the stories that a run has kept (harness/N-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError
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
class Rejudged:
    """The new report, and a line for each change."""

    report: Json
    new: Sequence[str]
    gone: Sequence[str]
    cases: int


def rejudge(report: Json, folder: Path) -> Rejudged:
    """Return a report judged again from the evidence beside it. Raises UsageError when there is none."""
    strict = recount.is_strict(report)
    found = {
        (one["id"], case["test"]): _judged(Folder(folder).file(name))
        for one in report["scenarios"]
        for case in one["cases"]
        for name in case.get("evidence", ())
    }
    if not found:
        raise UsageError(
            "the report names no evidence",
            hint="run with --evidence all, and keep the folder `evidence` beside the report",
        )
    before = _breaches(report, found)
    scenarios = [
        recount.scenario(
            one, [_case(case, found.get((one["id"], case["test"])), strict=strict) for case in one["cases"]]
        )
        for one in report["scenarios"]
    ]
    rules = _rules(report, found)
    now = _breaches({"safetyRules": rules}, found)
    more = {one["name"]: one for one in report["profiles"]}
    outcomes = {one["id"]: one["outcome"] for one in scenarios}
    made = {
        **report,
        "profiles": recount.profiles(scenarios, strict=strict, complete=report["complete"], more=more),
        "scenarios": scenarios,
        "safetyRules": rules,
        "requirements": coverage(inventory(), [*more], outcomes),
        "rejudged": {"by": _version(), "cases": len(found)},
    }
    return Rejudged(made, sorted(now - before), sorted(before - now), len(found))


def _judged(file: Path) -> list[Violation]:
    kept = read(file)
    with sound(file):
        return _broken(kept)


def _broken(kept: Evidence) -> list[Violation]:
    story = Story(
        changes=kept.changes,
        attempts=kept.attempts,
        controller=kept.about["controller"],
        requests=kept.requests,
        questions=kept.questions,
        skew=kept.about.get("skew", 0.0),
        settled=kept.about.get("settled", ()),
        kinds=frozenset(kept.about["kinds"]) if "kinds" in kept.about else None,
    )
    if not story.controller and "settled" not in kept.about:
        return []  # nothing was judged by rules: no check controller and no Kueue, or a suite before these rules
    about = inventory().get(kept.about["scenario"])
    return judge(story, dialect.select(kept.about["dialect"])[0], about.permits if about else ())


def _case(case: Json, broken: Sequence[Violation] | None, *, strict: bool) -> Json:
    """Return a case with new breaches; failures of clauses stay."""
    by_rule = case.get("code", "").partition(",")[0] in _RULES
    if broken is None or case["outcome"] not in _KEPT or (case["outcome"] == Outcome.FAILED and not by_rule):
        return case
    levels = binding(strict=strict)
    counted = list(dict.fromkeys(one.rule for one in broken if one.level in levels))
    if counted:
        lines = [
            f"  {one.rule}  {one.thing} at rv {one.revision or '-'}: {one.text}"
            for one in broken
            if one.rule in counted
        ]
        text = (
            case["text"]
            if case.get("code") == ", ".join(counted)
            else "\n".join([f"{', '.join(counted)}  judged again", *lines])
        )
        return {**case, "outcome": str(Outcome.FAILED), "code": ", ".join(counted), "text": text}
    if by_rule:
        return {
            key: value
            for key, value in {**case, "outcome": str(Outcome.PASSED)}.items()
            if key not in ("code", "text")
        }
    return case


def _rules(report: Json, found: Mapping[tuple[str, str], Sequence[Violation]]) -> list[Json]:
    """Return the rules of this suite with their breaches; those of cases without evidence are taken over."""
    old = {rule["id"]: rule for rule in report["safetyRules"]}
    rows: dict[str, list[Json]] = {
        name: [one for one in rule["violations"] if (one["scenario"], one["test"]) not in found]
        for name, rule in old.items()
    }
    for (scenario, test), broken in sorted(found.items()):
        for one in broken:
            rows.setdefault(one.rule, []).append(
                {"scenario": scenario, "test": test, "text": f"{one.thing}: {one.text}"}
            )
    known = {
        rule.id: {"id": rule.id, "level": str(rule.level), "rule": rule.text}
        for rule in rules_of(scenario for scenario, _ in found)
    }
    every = {
        **{name: {key: rule[key] for key in ("id", "level", "rule")} for name, rule in old.items()},
        **known,
    }
    return [{**every[name], "violations": rows.get(name, [])} for name in sorted(every)]


def _breaches(report: Json, found: Mapping[tuple[str, str], object]) -> set[str]:
    return {
        f"{rule['id']} [{rule['level']}] in {one['scenario']} {one['test']}: {one['text']}"
        for rule in report["safetyRules"]
        for one in rule["violations"]
        if (one["scenario"], one["test"]) in found
    }


def _version() -> str:
    from ... import __version__

    return __version__

"""Verifies a report file: recomputes its results from its cases (harness/H-28)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from ...base.errors import UsageError
from ...base.files import input_limits
from ...base.files.yaml_files import parsed
from ...base.json_types import Json
from ...base.resources import schema
from ...catalogue.inventory import inventory
from ...scenarios.outcome import Level, Outcome, worst
from ...scenarios.scenario import inventory_digest
from ..evidence import Folder
from ..results import recount


def load(path: str) -> Json:
    """Return a report file's content, checked against the schema.

    Raises UsageError when it cannot be used.
    """
    found = read(path)
    wrong = next(_shape(found), "")
    if wrong:
        raise UsageError(
            f"report {path!r} is wrong at {wrong}", hint=f"see `kueue-conformance verify {path}`"
        )
    return found


def read(path: str) -> Json:
    """Return a report file's content without a check against the schema.

    Raises UsageError when it is no report.
    """
    found = parsed(
        Path(path),
        f"report {path!r}",
        _plain,
        missing="give the path of a report.yaml",
        wrong="give a report.yaml",
    )
    if not isinstance(found, dict) or found.get("kind") != "ConformanceReport":
        raise UsageError(f"{path!r} is not a conformance report", hint="give the report.yaml of a run")
    return found


def _plain(text: str) -> Json:
    found = yaml.load(text, Loader=input_limits.LOADER)  # noqa: S506 - a safe one
    input_limits.check_depth(found)
    return found


def problems(report: Json) -> list[str]:
    """Return all problems of a report, () when it is consistent."""
    return misshapen(report) or [*_suite(report), *_scenarios(report), *_safety(report), *_profiles(report)]


def misshapen(report: Json) -> list[str]:
    """Return the violations of the schema."""
    return list(_shape(report))


def spoiled(report: Json, folder: Path) -> list[str]:
    """Return the problems of the evidence beside a report; nothing where none was handed on with it."""
    named = [
        name for one in report["scenarios"] for case in one["cases"] for name in case.get("evidence", ())
    ]
    kept = Folder(folder)
    return [f"evidence: {problem}" for problem in kept.problems(named)] if kept.path.is_dir() else []


def _shape(report: Json) -> Iterator[str]:
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema("report"))
    for error in sorted(validator.iter_errors(report), key=lambda one: list(map(str, one.absolute_path))):
        yield f"{'.'.join(map(str, error.absolute_path)) or 'report'}: {input_limits.shown(error.message)}"


def _suite(report: Json) -> Iterator[str]:
    known = inventory()
    if report["suite"]["inventoryDigest"] != inventory_digest(known.values()):
        yield "suite.inventoryDigest: this suite has other scenarios or revisions than the report's"
        return
    if report["suite"]["scenarios"] != len(known):
        yield f"suite.scenarios: says {report['suite']['scenarios']}, the suite has {len(known)}"
    for one in report["scenarios"]:
        if one["id"] not in known:
            yield f"scenarios: {one['id']} is not in the suite"
        elif (one["title"], one["level"]) != (known[one["id"]].title, str(known[one["id"]].level)):
            yield f"scenarios: {one['id']} has another title or level in the suite"


def _scenarios(report: Json) -> Iterator[str]:
    ids = [one["id"] for one in report["scenarios"]]
    if ids != sorted(set(ids)):
        yield "scenarios: not in order of their ids, or one is there twice"
    for one in report["scenarios"]:
        due = worst(Outcome(case["outcome"]) for case in one["cases"])
        if one["outcome"] != due:
            yield f"{one['id']}: says {one['outcome']}, its cases amount to {due}"


def _safety(report: Json) -> Iterator[str]:
    """A breach of a binding rule belongs to a case that is there and did not pass."""
    outcomes = {
        (one["id"], case["test"]): case["outcome"] for one in report["scenarios"] for case in one["cases"]
    }
    for rule in report["safetyRules"]:
        for found in rule["violations"]:
            outcome = outcomes.get((found["scenario"], found["test"]))
            if outcome is None:
                yield f"safetyRules: {rule['id']} names {found['test']}, which is no case of {found['scenario']}"
            elif outcome == Outcome.PASSED and rule["level"] == Level.MUST:
                yield f"safetyRules: {rule['id']} was broken in {found['test']}, which says passed"


def _profiles(report: Json) -> Iterator[str]:
    known = inventory()
    for profile in report["profiles"]:
        own = [
            one
            for one in report["scenarios"]
            if one["id"] in known and known[one["id"]].profile.name == profile["name"]
        ]
        yield from _profile(profile, own, strict=recount.is_strict(report), complete=report["complete"])
        yield from _abilities(profile, own)


def _abilities(profile: Json, own: Sequence[Json]) -> Iterator[str]:
    """The state of a capability follows from its columns and from the outcomes of its scenarios."""
    said = profile.get("extended", {}).get("capabilities", [])
    for row, right in zip(said, recount.capabilities(said, own), strict=False):
        if row != right:
            yield f"profile {profile['name']}: capability {row['name']} says {row}, its scenarios amount to {right}"


def _profile(profile: Json, own: Sequence[Json], *, strict: bool, complete: bool) -> Iterator[str]:
    name, due = profile["name"], recount.profile(profile["name"], own, strict=strict, complete=complete)
    if (profile["core"]["counts"], profile["summary"]) != (due["core"]["counts"], due["summary"]):
        yield f"profile {name}: counts {profile['core']['counts']}, its scenarios amount to {due['core']['counts']}"
    for word in ("failed", "excluded"):
        if profile["core"][word] != due["core"][word]:
            yield f"profile {name}: {word} {profile['core'][word]}, its scenarios amount to {due['core'][word]}"
    if profile["result"] != due["result"]:
        yield f"profile {name}: says {profile['result']}, its scenarios amount to {due['result']}"

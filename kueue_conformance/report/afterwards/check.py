"""Verifies a report file: recomputes its results from its cases (harness/H-28)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from ...base.errors import UsageError
from ...base.files import input_limits
from ...base.files.yaml_files import parse_file
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
    report = read(path)
    wrong = next(_shape(report), "")
    if wrong:
        raise UsageError(
            f"report {path!r} is wrong at {wrong}", hint=f"see `kueue-conformance verify {path}`"
        )
    return report


def read(path: str) -> Json:
    """Return a report file's content without a check against the schema.

    Raises UsageError when it is no report.
    """
    report = parse_file(
        Path(path),
        f"report {path!r}",
        _plain,
        missing="give the path of a report.yaml",
        wrong="give a report.yaml",
    )
    if not isinstance(report, dict) or report.get("kind") != "ConformanceReport":
        raise UsageError(f"{path!r} is not a conformance report", hint="give the report.yaml of a run")
    return report


def _plain(text: str) -> Json:
    document = yaml.load(text, Loader=input_limits.LOADER)  # noqa: S506 - a safe one
    input_limits.check_depth(document)
    return document


def problems(report: Json) -> list[str]:
    """Return all problems of a report, () when it is consistent."""
    # The schema first: the other checks read fields without asking whether they are there.
    return misshapen(report) or [*_suite(report), *_scenarios(report), *_safety(report), *_profiles(report)]


def misshapen(report: Json) -> list[str]:
    """Return the violations of the schema."""
    return list(_shape(report))


def evidence_problems(report: Json, folder: Path) -> list[str]:
    """Return the problems of the evidence beside a report; nothing where none was handed on with it."""
    named = [
        name
        for scenario in report["scenarios"]
        for case in scenario["cases"]
        for name in case.get("evidence", ())
    ]
    evidence = Folder(folder)
    # A report may be handed on without its evidence, which shows what was on the cluster.
    return [f"evidence: {problem}" for problem in evidence.problems(named)] if evidence.path.is_dir() else []


def _shape(report: Json) -> Iterator[str]:
    # Imported on use: most commands check no schema, and the validator is slow to load.
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema("report"))
    for error in sorted(validator.iter_errors(report), key=lambda error: list(map(str, error.absolute_path))):
        yield f"{'.'.join(map(str, error.absolute_path)) or 'report'}: {input_limits.shorten(error.message)}"


def _suite(report: Json) -> Iterator[str]:
    scenarios_by_id = inventory()
    if report["suite"]["inventoryDigest"] != inventory_digest(scenarios_by_id.values()):
        yield "suite.inventoryDigest: this suite has other scenarios or revisions than the report's"
        return
    if report["suite"]["scenarios"] != len(scenarios_by_id):
        yield f"suite.scenarios: says {report['suite']['scenarios']}, the suite has {len(scenarios_by_id)}"
    for scenario in report["scenarios"]:
        if scenario["id"] not in scenarios_by_id:
            yield f"scenarios: {scenario['id']} is not in the suite"
        elif (scenario["title"], scenario["level"]) != (
            scenarios_by_id[scenario["id"]].title,
            str(scenarios_by_id[scenario["id"]].level),
        ):
            yield f"scenarios: {scenario['id']} has another title or level in the suite"


def _scenarios(report: Json) -> Iterator[str]:
    ids = [scenario["id"] for scenario in report["scenarios"]]
    if ids != sorted(set(ids)):
        yield "scenarios: not in order of their ids, or one is there twice"
    for scenario in report["scenarios"]:
        due = worst(Outcome(case["outcome"]) for case in scenario["cases"])
        if scenario["outcome"] != due:
            yield f"{scenario['id']}: says {scenario['outcome']}, its cases amount to {due}"


def _safety(report: Json) -> Iterator[str]:
    """A breach of a binding rule belongs to a case that is there and did not pass."""
    outcomes = {
        (scenario["id"], case["test"]): case["outcome"]
        for scenario in report["scenarios"]
        for case in scenario["cases"]
    }
    for rule in report["safetyRules"]:
        for violation in rule["violations"]:
            outcome = outcomes.get((violation["scenario"], violation["test"]))
            if outcome is None:
                yield f"safetyRules: {rule['id']} names {violation['test']}, which is no case of {violation['scenario']}"
            elif outcome == Outcome.PASSED and rule["level"] == Level.MUST:
                yield f"safetyRules: {rule['id']} was broken in {violation['test']}, which says passed"


def _profiles(report: Json) -> Iterator[str]:
    scenarios_by_id = inventory()
    for profile in report["profiles"]:
        own = [
            scenario
            for scenario in report["scenarios"]
            if scenario["id"] in scenarios_by_id
            and scenarios_by_id[scenario["id"]].profile.name == profile["name"]
        ]
        yield from _profile(profile, own, strict=recount.is_strict(report), complete=report["complete"])
        yield from _abilities(profile, own)


def _abilities(profile: Json, own: Sequence[Json]) -> Iterator[str]:
    """The state of a capability follows from its columns and from the outcomes of its scenarios."""
    capability_rows = profile.get("extended", {}).get("capabilities", [])
    # Not strict: a row more or less is a problem of the report and no error of this program.
    for row, right in zip(capability_rows, recount.capabilities(capability_rows, own), strict=False):
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

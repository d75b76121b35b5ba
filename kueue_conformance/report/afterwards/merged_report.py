"""Merges several reports of one subject: shards, backends, control planes, dialects (harness/H-30)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...base.errors import UsageError
from ...base.json_types import Json
from ...catalogue.inventory import inventory
from ...catalogue.requirement import coverage
from ...scenarios.outcome import Outcome
from ...scenarios.scenario import inventory_digest
from ..results import footprint, recount
from .shards import are_shards, environment_of_shards, missing_shards, profiles_of_shards

_PLACE = ("backend", "controlPlane")


def merge(reports: Mapping[str, Json]) -> Json:
    """Return one report for several, by their paths.

    Raises UsageError when they are not of one suite and one subject, and for shards that overlap.
    """
    every = list(reports.values())
    _check_equal(
        reports, ("suite", "inventoryDigest"), "scenarios", "merge reports of one version of the suite"
    )
    _check_equal(reports, ("implementation",), "subject", "set them side by side with `report matrix`")
    _check_equal(
        reports, ("environment", "options", "strict"), "--strict", "judge all of them by the same levels"
    )
    if every[0]["suite"]["inventoryDigest"] != inventory_digest(inventory().values()):
        raise UsageError(
            "the reports are of another suite than this one",
            hint="merge them with the version that made them",
        )
    shards = are_shards(reports)
    missing = missing_shards(reports) if shards else []
    complete = all(report["complete"] for report in every) and not missing
    places = {_place(report) for report in every}
    scenarios = _scenarios(every, apart=len(places) > 1)
    profiles = recount.profiles(
        scenarios,
        strict=recount.is_strict(every[0]),
        complete=complete,
        extra=recount.together(profile for report in every for profile in report["profiles"]),
    )
    spent = footprint.together([report["footprint"] for report in every if "footprint" in report])
    return {
        # In the order of a report: the shards of a run give the same file.
        "apiVersion": every[0]["apiVersion"],
        "kind": every[0]["kind"],
        "complete": complete,
        "date": max(report["date"] for report in every),
        "suite": every[0]["suite"],
        "implementation": every[0]["implementation"],
        "environment": environment_of_shards(every, missing) if shards else _environment(every),
        "profiles": profiles,
        "scenarios": scenarios,
        "safetyRules": _rules(every, apart=len(places) > 1),
        "requirements": coverage(
            inventory(),
            profiles_of_shards(every) if shards else [profile["name"] for profile in profiles],
            {profile["id"]: profile["outcome"] for profile in scenarios},
        ),
        **({"footprint": dict(spent)} if spent else {}),
        "expectations": _expectations(every, apart=shards),
        "seed": min(report["seed"] for report in every),
    }


def _check_equal(reports: Mapping[str, Json], path: Sequence[str], noun: str, hint: str) -> None:
    values = {name: _at(report, path) for name, report in reports.items()}
    first, *rest = values
    for other in rest:
        if values[other] != values[first]:
            raise UsageError(
                f"{first!r} and {other!r} cannot be merged: they differ in {noun} ({values[first]} and {values[other]})",
                hint=hint,
            )


def _at(report: Json, path: Sequence[str]) -> Any:
    for step in path:
        report = report.get(step) if isinstance(report, dict) else None
    return report


def _place(report: Json) -> str:
    return "/".join(str(report["environment"][key]) for key in _PLACE)


def _scenarios(every: Sequence[Json], *, apart: bool) -> list[Json]:
    records: dict[str, Json] = {}
    cases: dict[str, dict[str, Json]] = {}
    for report in every:
        for scenario in report["scenarios"]:
            records.setdefault(scenario["id"], scenario)
            for case in scenario["cases"]:
                named = {**case, "test": _test(report, case["test"], apart=apart)}
                known_cases = cases.setdefault(scenario["id"], {})
                known_cases[named["test"]] = (
                    _both(known_cases[named["test"]], named) if named["test"] in known_cases else named
                )
    return [recount.scenario(records[name], list(cases[name].values())) for name in sorted(records)]


def _test(report: Json, test: str, *, apart: bool) -> str:
    # The same case on two backends is two cases, not one that is flaky.
    return f"{test}@{_place(report)}" if apart else test


def _both(case: Json, other: Json) -> Json:
    """Merge a case that was run twice in the same environment: what ends now so, now otherwise, is flaky."""
    if case["outcome"] == other["outcome"]:
        return min(case, other, key=lambda case: (case["seconds"], str(case)))
    # False sorts before True: the case that did not pass is kept, with its text.
    worse = min(case, other, key=lambda case: case["outcome"] in ("passed", "unsupported"))
    return {**worse, "outcome": str(Outcome.FLAKY)}


def _environment(every: Sequence[Json]) -> Json:
    environments = [report["environment"] for report in every]
    first = environments[0]
    options = {
        key: value
        for key, value in first["options"].items()
        if all(environment["options"].get(key) == value for environment in environments)
    }
    merged = [
        {key: environment[key] for key in (*_PLACE, "dialects", "python", "pytest")}
        | {"seed": report["seed"], "date": report["date"]}
        for report, environment in zip(every, environments, strict=True)
    ]
    return {
        **{key: ",".join(sorted({str(environment[key]) for environment in environments})) for key in _PLACE},
        "dialects": sorted({name for environment in environments for name in environment["dialects"]}),
        **{
            key: ",".join(sorted({str(environment[key]) for environment in environments}))
            for key in ("python", "pytest")
        },
        "options": options,
        "merged": sorted(merged, key=str),
    }


def _rules(every: Sequence[Json], *, apart: bool) -> list[Json]:
    rules: dict[str, Json] = {}
    violations: dict[str, dict[str, Json]] = {}
    for report in every:
        for rule in report["safetyRules"]:
            rules.setdefault(rule["id"], rule)
            for violation in rule["violations"]:
                named = {**violation, "test": _test(report, violation["test"], apart=apart)}
                violations.setdefault(rule["id"], {})[str(sorted(named.items()))] = named
    return [
        {
            **rules[name],
            "violations": sorted(
                violations.get(name, {}).values(),
                key=lambda violation: (violation["scenario"], violation["test"], violation["text"]),
            ),
        }
        for name in sorted(rules)
    ]


def _expectations(every: Sequence[Json], *, apart: bool) -> Json:
    """Merge the sections; `apart`: no case is in two of the reports, so that the matched ones add up."""
    sections = [report["expectations"] for report in every]
    digests = {section["digest"] for section in sections}
    return {
        "files": sorted({name for section in sections for name in section["files"]}),
        # A digest of several files would name none of them.
        "digest": digests.pop() if len(digests) == 1 else "",
        "matched": _summed(sections) if apart else _rows(sections, "matched"),
        "stale": _rows(sections, "stale"),
    }


def _rows(sections: Sequence[Json], key: str) -> list[Json]:
    rows = {(row["id"], row["where"]): row for section in sections for row in section[key]}
    return [rows[name] for name in sorted(rows)]


def _summed(sections: Sequence[Json]) -> list[Json]:
    amounts = Counter[tuple[str, str]]()
    for section in sections:
        amounts.update({(row["id"], row["where"]): row["cases"] for row in section["matched"]})
    return [{**row, "cases": amounts[row["id"], row["where"]]} for row in _rows(sections, "matched")]

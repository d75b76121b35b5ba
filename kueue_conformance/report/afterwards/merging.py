"""Merges several reports of one subject: shards, backends, control planes, dialects (harness/H-30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.errors import UsageError
from ...base.json_types import Json
from ...catalogue.inventory import inventory
from ...catalogue.requirement import coverage
from ...scenarios.outcome import Outcome
from ...scenarios.scenario import inventory_digest
from ..results import footprint, recount

_PLACE = ("backend", "controlPlane")
_ONCE = ("apiVersion", "kind", "suite", "implementation")


def merge(reports: Mapping[str, Json]) -> Json:
    """Return one report for several, by their paths.

    Raises UsageError when they are not of one suite and one subject.
    """
    every = list(reports.values())
    _alike(reports, ("suite", "inventoryDigest"), "scenarios", "merge reports of one version of the suite")
    _alike(reports, ("implementation",), "subject", "set them side by side with `report matrix`")
    _alike(reports, ("environment", "options", "strict"), "--strict", "judge all of them by the same levels")
    if every[0]["suite"]["inventoryDigest"] != inventory_digest(inventory().values()):
        raise UsageError(
            "the reports are of another suite than this one",
            hint="merge them with the version that made them",
        )
    complete = all(one["complete"] for one in every)
    places = {_place(one) for one in every}
    scenarios = _scenarios(every, apart=len(places) > 1)
    profiles = recount.profiles(
        scenarios,
        strict=recount.is_strict(every[0]),
        complete=complete,
        more=recount.together(one for report in every for one in report["profiles"]),
    )
    spent = footprint.together([one["footprint"] for one in every if "footprint" in one])
    return {
        **{key: every[0][key] for key in _ONCE},
        "complete": complete,
        "date": max(one["date"] for one in every),
        "environment": _environment(every),
        "profiles": profiles,
        "scenarios": scenarios,
        "safetyRules": _rules(every, apart=len(places) > 1),
        "requirements": coverage(
            inventory(), [one["name"] for one in profiles], {one["id"]: one["outcome"] for one in scenarios}
        ),
        **({"footprint": dict(spent)} if spent else {}),
        "expectations": _expectations(every),
        "seed": min(one["seed"] for one in every),
    }


def _alike(reports: Mapping[str, Json], path: Sequence[str], what: str, hint: str) -> None:
    found = {name: _at(report, path) for name, report in reports.items()}
    first, *rest = found
    for other in rest:
        if found[other] != found[first]:
            raise UsageError(
                f"{first!r} and {other!r} cannot be merged: they differ in {what} ({found[first]} and {found[other]})",
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
        for one in report["scenarios"]:
            records.setdefault(one["id"], one)
            for case in one["cases"]:
                named = {**case, "test": _test(report, case["test"], apart=apart)}
                known = cases.setdefault(one["id"], {})
                known[named["test"]] = _both(known[named["test"]], named) if named["test"] in known else named
    return [recount.scenario(records[name], list(cases[name].values())) for name in sorted(records)]


def _test(report: Json, test: str, *, apart: bool) -> str:
    return f"{test}@{_place(report)}" if apart else test


def _both(one: Json, other: Json) -> Json:
    """Merge a case that was run twice in the same environment: what ends now so, now otherwise, is flaky."""
    if one["outcome"] == other["outcome"]:
        return min(one, other, key=lambda case: (case["seconds"], str(case)))
    worse = min(one, other, key=lambda case: case["outcome"] in ("passed", "unsupported"))
    return {**worse, "outcome": str(Outcome.FLAKY)}


def _environment(every: Sequence[Json]) -> Json:
    found = [report["environment"] for report in every]
    first = found[0]
    options = {
        key: value
        for key, value in first["options"].items()
        if all(one["options"].get(key) == value for one in found)
    }
    parts = [
        {key: one[key] for key in (*_PLACE, "dialects", "python", "pytest")}
        | {"seed": report["seed"], "date": report["date"]}
        for report, one in zip(every, found, strict=True)
    ]
    return {
        **{key: ",".join(sorted({str(one[key]) for one in found})) for key in _PLACE},
        "dialects": sorted({name for one in found for name in one["dialects"]}),
        **{key: ",".join(sorted({str(one[key]) for one in found})) for key in ("python", "pytest")},
        "options": options,
        "merged": sorted(parts, key=str),
    }


def _rules(every: Sequence[Json], *, apart: bool) -> list[Json]:
    rules: dict[str, Json] = {}
    found: dict[str, dict[str, Json]] = {}
    for report in every:
        for rule in report["safetyRules"]:
            rules.setdefault(rule["id"], rule)
            for one in rule["violations"]:
                named = {**one, "test": _test(report, one["test"], apart=apart)}
                found.setdefault(rule["id"], {})[str(sorted(named.items()))] = named
    return [
        {
            **rules[name],
            "violations": sorted(
                found.get(name, {}).values(), key=lambda one: (one["scenario"], one["test"], one["text"])
            ),
        }
        for name in sorted(rules)
    ]


def _expectations(every: Sequence[Json]) -> Json:
    found = [report["expectations"] for report in every]
    digests = {one["digest"] for one in found}
    return {
        "files": sorted({name for one in found for name in one["files"]}),
        "digest": digests.pop() if len(digests) == 1 else "",
        "matched": _rows(found, "matched"),
        "stale": _rows(found, "stale"),
    }


def _rows(found: Sequence[Json], key: str) -> list[Json]:
    rows = {(row["id"], row["where"]): row for one in found for row in one[key]}
    return [rows[name] for name in sorted(rows)]

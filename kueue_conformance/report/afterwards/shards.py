"""Shards of one run: whether reports are all of them, and the environment of the whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.errors import UsageError
from ...base.json_types import Json

_OWN_OPTIONS = frozenset({"shard", "shard-costs", "report-dir"})
"""Options in which the shards of a run may differ."""
_HOST = ("python", "pytest")


def are_shards(reports: Mapping[str, Json]) -> bool:
    """Tell whether the reports are shards. Raises UsageError where only some of them are."""
    shards = [name for name, report in reports.items() if "shard" in report["environment"]]
    if shards and len(shards) < len(reports):
        whole = next(name for name in reports if name not in shards)
        raise UsageError(
            f"{shards[0]!r} is a shard and {whole!r} is a whole run",
            hint="merge the shards of the run first, and its whole report with the others",
        )
    return bool(shards)


def missing_shards(reports: Mapping[str, Json]) -> list[int]:
    """Return the numbers of the shards that are not there. Raises UsageError for shards that overlap."""
    first_name, first = next(iter(reports.items()))
    by_number: dict[int, str] = {}
    for name, report in reports.items():
        shard = report["environment"]["shard"]
        for noun, of_first, of_other in _divisions(first, report):
            if of_first != of_other:
                raise UsageError(
                    f"{first_name!r} and {name!r} are no shards of one run: they differ in {noun} ({of_first} and {of_other})",
                    hint="run all shards of a run with the same options, and merge those of each run first",
                )
        if shard["number"] in by_number:
            raise UsageError(
                f"{by_number[shard['number']]!r} and {name!r} overlap: both are shard {shard['number']}/{shard['count']}",
                hint="give each shard once",
            )
        by_number[shard["number"]] = name
    count = first["environment"]["shard"]["count"]
    return [number for number in range(1, count + 1) if number not in by_number]


def _divisions(first: Json, other: Json) -> list[tuple[str, Any, Any]]:
    """Return what decides which cases a shard has, of two reports."""
    environments = first["environment"], other["environment"]
    shards = [environment["shard"] for environment in environments]
    options = [_options(environment) for environment in environments]
    different = sorted(
        key for key in options[0].keys() | options[1].keys() if options[0].get(key) != options[1].get(key)
    )
    return [
        ("the number of shards", *(shard["count"] for shard in shards)),
        ("the costs of cases", *(shard["costs"] for shard in shards)),
        *((f"--{key}", *(own.get(key, "its default") for own in options)) for key in different),
    ]


def profiles_of_shards(every: Sequence[Json]) -> list[str]:
    """Return the profiles of the whole run: one may have no case in a shard."""
    return sorted({name for report in every for name in report["environment"]["shard"]["profiles"]})


def environment_of_shards(every: Sequence[Json], missing: Sequence[int]) -> Json:
    """Return the environment as one run would have it, and the shards that are missing."""
    environments = [report["environment"] for report in every]
    first = environments[0]
    folders = {environment["options"].get("report-dir") for environment in environments}
    left_out = _OWN_OPTIONS if len(folders) > 1 else _OWN_OPTIONS - {"report-dir"}
    # In the order of the first: merged and whole report are compared byte for byte.
    merged: Json = {}
    for key, value in first.items():
        if key in _HOST:
            merged[key] = ",".join(sorted({environment[key] for environment in environments}))
        elif key == "options":
            merged[key] = {name: option for name, option in value.items() if name not in left_out}
        elif key != "shard" and all(environment.get(key) == value for environment in environments):
            merged[key] = value
    if missing:
        merged["missingShards"] = [f"{number}/{first['shard']['count']}" for number in missing]
    return merged


def _options(environment: Json) -> Mapping[str, Any]:
    return {key: value for key, value in environment["options"].items() if key not in _OWN_OPTIONS}

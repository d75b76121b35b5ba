"""Recomputes the results of a report file:
for reports that are put together or judged again (harness §10.5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ...base.json_types import Json
from ...catalogue.inventory import inventory
from ...scenarios.capability import FAMILIES
from ...scenarios.outcome import LACKING, Outcome, binding, verdict, worst
from .abilities import abilities
from .own_clauses import hold_although_failed, own_outcome
from .profile import summary


def scenario(record: Json, cases: Sequence[Json]) -> Json:
    """Return a scenario's form with other cases."""
    sorted_cases = sorted(cases, key=lambda case: str(case["test"]))
    outcome = worst(Outcome(case["outcome"]) for case in sorted_cases)
    code = next(
        (case["code"] for case in sorted_cases if case["outcome"] == outcome and case.get("code")), ""
    )
    bare = {key: value for key, value in record.items() if key not in ("outcome", "code", "cases")}
    return {**bare, "outcome": str(outcome), **({"code": code} if code else {}), "cases": sorted_cases}


def profiles(
    scenarios: Sequence[Json], *, strict: bool, complete: bool, extra: Mapping[str, Json] | None = None
) -> list[Json]:
    """Return the profiles of scenarios; `extra` has further fields, by profile."""
    groups: dict[str, list[Json]] = {}
    for record in scenarios:
        groups.setdefault(FAMILIES[record["id"].partition("-")[0]].name, []).append(record)
    return [
        {**profile(name, own, strict=strict, complete=complete), **_extend((extra or {}).get(name, {}), own)}
        for name, own in sorted(groups.items())
    ]


def _extend(before: Json, own: Sequence[Json]) -> Json:
    rows = before.get("extended", {}).get("capabilities", [])
    return {"extended": {**before["extended"], "capabilities": capabilities(rows, own)}} if rows else {}


def capabilities(rows: Sequence[Json], own: Sequence[Json]) -> list[Json]:
    """Return the rows of the capabilities as the outcomes of
    scenarios have them, given what was declared and observed.
    """
    declared, observed = _names_with(rows, "declared"), _names_with(rows, "observed")
    outcomes = {record["id"]: own_outcome(_codes(record)) for record in own}
    hidden = {row["name"] for row in rows if row["observed"] is None}
    return [ability.to_dict() for ability in abilities(outcomes, inventory(), declared, observed, hidden)]


def _codes(record: Json) -> list[tuple[Outcome, str]]:
    return [(Outcome(case["outcome"]), case.get("code", "")) for case in record["cases"]]


def _names_with(rows: Sequence[Json], column: str) -> list[str] | None:
    """Return the capabilities of which a column says yes; None where it says nothing of any."""
    spoke = any(row[column] is not None for row in rows)
    return [row["name"] for row in rows if row[column]] if spoke else None


def together(profiles: Iterable[Json]) -> dict[str, Json]:
    """Return by name what several reports say of each profile besides its scenarios: what one of them
    observed was observed.
    """
    merged_profiles: dict[str, Json] = {}
    for profile_ in profiles:
        rows = profile_.get("extended", {}).get("capabilities", [])
        earlier = merged_profiles.get(profile_["name"], {}).get("extended", {}).get("capabilities", [])
        observed = {row["name"]: row["observed"] for row in earlier}
        if rows:
            merged = [
                {**row, "observed": _either(row["observed"], observed.get(row["name"]))} for row in rows
            ]
            merged_profiles[profile_["name"]] = {"extended": {"capabilities": merged}}
    return merged_profiles


def _either(now: bool | None, before: bool | None) -> bool | None:
    """Return whether a capability was observed in one of two reports, None where neither could see it."""
    return before if now is None else now or bool(before)


def profile(name: str, own: Sequence[Json], *, strict: bool, complete: bool) -> Json:
    """Return the result of a profile."""
    counts_by_outcome = Counter(record["outcome"] for record in own)
    counts = {
        str(outcome): counts_by_outcome[outcome]
        for outcome in map(str, Outcome)
        if counts_by_outcome[outcome]
    }
    holding = hold_although_failed((record["id"], _codes(record)) for record in own)
    return {
        "name": name,
        "result": result(own, strict=strict, complete=complete),
        "summary": summary(counts, len(holding)),
        "core": {
            "counts": counts,
            "failed": [record["id"] for record in own if record["outcome"] in LACKING],
            **({"ownClausesHold": holding} if holding else {}),
            "excluded": [record["id"] for record in own if record["outcome"] == Outcome.EXCLUDED],
        },
    }


def result(own: Sequence[Json], *, strict: bool, complete: bool) -> str:
    """Return the verdict over the binding scenarios."""
    levels = binding(strict=strict)
    binding_records = (
        record for record in own if record["level"] in levels and record["outcome"] != "unsupported"
    )
    return verdict((Outcome(record["outcome"]) for record in binding_records), complete=complete)


def is_strict(report: Json) -> bool:
    """Tell whether rules at level should counted in a run."""
    return "strict" in report["environment"]["options"]

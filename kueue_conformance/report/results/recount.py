"""Recomputes the results of a report file: for reports that are put together or judged again (harness §10.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ...base.json_types import Json
from ...catalogue.inventory import inventory
from ...scenarios.capability import FAMILIES
from ...scenarios.outcome import LACKING, Outcome, binding, verdict, worst
from .abilities import abilities
from .profile import summary


def scenario(record: Json, cases: Sequence[Json]) -> Json:
    """Return a scenario's form with other cases."""
    found = sorted(cases, key=lambda case: str(case["test"]))
    outcome = worst(Outcome(case["outcome"]) for case in found)
    code = next((case["code"] for case in found if case["outcome"] == outcome and case.get("code")), "")
    bare = {key: value for key, value in record.items() if key not in ("outcome", "code", "cases")}
    return {**bare, "outcome": str(outcome), **({"code": code} if code else {}), "cases": found}


def profiles(
    scenarios: Sequence[Json], *, strict: bool, complete: bool, more: Mapping[str, Json] | None = None
) -> list[Json]:
    """Return the profiles of scenarios; `more` has further fields, by its name."""
    groups: dict[str, list[Json]] = {}
    for one in scenarios:
        groups.setdefault(FAMILIES[one["id"].partition("-")[0]].name, []).append(one)
    return [
        {**profile(name, own, strict=strict, complete=complete), **_extended((more or {}).get(name, {}), own)}
        for name, own in sorted(groups.items())
    ]


def _extended(before: Json, own: Sequence[Json]) -> Json:
    said = before.get("extended", {}).get("capabilities", [])
    return {"extended": {**before["extended"], "capabilities": capabilities(said, own)}} if said else {}


def capabilities(said: Sequence[Json], own: Sequence[Json]) -> list[Json]:
    """Return the rows of the capabilities as the outcomes of
    scenarios have them, given what was declared and observed.
    """
    declared, observed = _named(said, "declared"), _named(said, "observed")
    outcomes = {one["id"]: Outcome(one["outcome"]) for one in own}
    return [one.to_dict() for one in abilities(outcomes, inventory(), declared, observed)]


def _named(said: Sequence[Json], column: str) -> list[str] | None:
    """Return the capabilities of which a column says yes; None where it says nothing of any."""
    spoke = any(one[column] is not None for one in said)
    return [one["name"] for one in said if one[column]] if spoke else None


def together(profiles: Iterable[Json]) -> dict[str, Json]:
    """Return by name what several reports say of each profile besides its scenarios: what one of them
    observed was observed.
    """
    found: dict[str, Json] = {}
    for one in profiles:
        rows = one.get("extended", {}).get("capabilities", [])
        known = found.get(one["name"], {}).get("extended", {}).get("capabilities", [])
        seen = {row["name"] for row in known if row["observed"]}
        if rows:
            merged = [{**row, "observed": True if row["name"] in seen else row["observed"]} for row in rows]
            found[one["name"]] = {"extended": {"capabilities": merged}}
    return found


def profile(name: str, own: Sequence[Json], *, strict: bool, complete: bool) -> Json:
    """Return the result of a profile."""
    found = Counter(one["outcome"] for one in own)
    counts = {str(outcome): found[outcome] for outcome in map(str, Outcome) if found[outcome]}
    return {
        "name": name,
        "result": result(own, strict=strict, complete=complete),
        "summary": summary(counts),
        "core": {
            "counts": counts,
            "failed": [one["id"] for one in own if one["outcome"] in LACKING],
            "excluded": [one["id"] for one in own if one["outcome"] == Outcome.EXCLUDED],
        },
    }


def result(own: Sequence[Json], *, strict: bool, complete: bool) -> str:
    """Return the verdict over the binding scenarios."""
    levels = binding(strict=strict)
    found = (one for one in own if one["level"] in levels and one["outcome"] != "unsupported")
    return verdict((Outcome(one["outcome"]) for one in found), complete=complete)


def is_strict(report: Json) -> bool:
    """Tell whether rules at level should counted in a run."""
    return "strict" in report["environment"]["options"]

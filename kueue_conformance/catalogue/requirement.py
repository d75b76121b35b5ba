"""The requirements: every rule of the documents in our own words,
and the scenarios that show it (harness/N-06).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..base.resources import load_yaml
from ..scenarios.outcome import LACKING, SHOWN, Level
from ..scenarios.scenario import Scenario
from . import contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A rule: `place` is the section and lines of the document, `rule` our wording,
    `profile` the profile whose scenarios show it.
    """

    id: str
    level: Level
    place: str
    rule: str
    profile: str

    @property
    def document(self) -> str:
        """The document that states it."""
        return self.id.partition("#")[0]


@cache
def catalogue() -> Mapping[str, Requirement]:
    """Return every requirement by its id, in order of the data file."""
    rows = load_yaml("requirements.yaml")["requirements"]
    return {row["id"]: Requirement(**{**row, "level": Level(row["level"])}) for row in rows}


def coverage(
    scenarios: Mapping[str, Scenario], profiles: Sequence[str], outcomes: Mapping[str, str]
) -> dict[str, Any]:
    """Return which requirements a run showed: a scenario of theirs passed, and none failed; `outcomes` are
    those of scenarios by id.

    `declared` have a scenario at all, `failed` one that failed in this run, `notRun` only such that did not
    come to an end; `untested` have none, and are told with the profile planned for them.
    """
    declared: dict[str, list[str]] = {}
    for scenario in scenarios.values():
        for requirement in scenario.requirement:
            declared.setdefault(requirement, []).append(scenario.id)
    requirements = catalogue()
    outcomes_by_requirement = {
        name: {outcomes[scenario_id] for scenario_id in declared.get(name, ()) if scenario_id in outcomes}
        for name in requirements
    }
    failed = [name for name in requirements if outcomes_by_requirement[name] & LACKING]
    shown = {name for name in requirements if outcomes_by_requirement[name] & SHOWN and name not in failed}
    must = [
        requirement_row
        for requirement_row in requirements.values()
        if requirement_row.level is Level.MUST and requirement_row.profile in profiles
    ]
    return {
        "total": len(requirements),
        "shown": len(shown),
        "must": len(must),
        "mustShown": sum(requirement_row.id in shown for requirement_row in must),
        "declared": sum(name in declared for name in requirements),
        "failed": failed,
        "notRun": sum(name in declared and name not in shown and name not in failed for name in requirements),
        "byRequirement": {name: sorted(declared[name]) for name in requirements if name in declared},
        "untested": [
            {
                "id": requirement_row.id,
                "level": str(requirement_row.level),
                "planned": requirement_row.profile,
            }
            for requirement_row in requirements.values()
            if requirement_row.id not in declared
        ],
        **({"contract": contract.summary()} if contract.PROFILE in profiles else {}),
    }

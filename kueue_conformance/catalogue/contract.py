"""The contract of a check controller by row: its level, and where it is observed (admission.md §6).

`fixtures/check-contract.yaml` is its file; `python -m kueue_conformance.catalogue.contract_table` brings it
up to date with the scenarios and rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ..base.resources import fixtures
from ..scenarios.outcome import Level
from ..scenarios.scenario import Scenario

PROFILE = "CHECK-CONTROLLER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row: what a check controller does, and which scenarios or rules observe it, or why none does."""

    id: str
    level: Level
    rule: str
    dialects: str = ""
    scenarios: tuple[str, ...] = ()
    judged: bool = False
    """A safety rule with its id is judged in every case."""
    unsupported: str = ""

    @property
    def is_observable(self) -> bool:
        """Whether a scenario or a safety rule would show a breach."""
        return self.judged or bool(self.scenarios)

    def __str__(self) -> str:
        rule = repr(self.rule) if set(self.rule) & set(",:") else self.rule
        words = [f"level: {self.level}", f"rule: {rule}"]
        words += [f"dialects: {self.dialects!r}"] if self.dialects else []
        words += [f"scenarios: [{', '.join(self.scenarios)}]"] if self.scenarios else []
        words += ["judged: true"] if self.judged else []
        words += [f"unsupported: {self.unsupported!r}"] if self.unsupported else []
        return f"  {self.id}: {{{', '.join(words)}}}"


def table() -> Path:
    """Return the file of the contract."""
    return fixtures() / "check-contract.yaml"


@cache
def contract() -> Mapping[str, Row]:
    """Return every row by its id, in their order."""
    rows = yaml.safe_load(table().read_text("utf-8"))["rows"]
    return {
        name: Row(
            **{**row, "id": name, "level": Level(row["level"]), "scenarios": tuple(row.get("scenarios", ()))}
        )
        for name, row in rows.items()
    }


def scenarios_of_row(scenarios: Iterable[Scenario], row: str) -> tuple[str, ...]:
    """Return the scenarios about check controllers that show a row and can be run."""
    of_profile = (
        scenario for scenario in scenarios if scenario.profile.name == PROFILE and not scenario.unsupported
    )
    return tuple(sorted(scenario.id for scenario in of_profile if row in scenario.shows))


def summary() -> dict[str, Any]:
    """Return the report's section on the contract."""
    rows = contract().values()
    must = [row for row in rows if row.level is Level.MUST]
    return {
        "rows": len(rows),
        "observed": sum(row.is_observable for row in rows),
        "must": len(must),
        "mustObserved": sum(row.is_observable for row in must),
        "notObserved": [
            {"id": row.id, "level": str(row.level), "why": row.unsupported}
            for row in rows
            if not row.is_observable
        ],
    }

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
    def observed(self) -> bool:
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
    said = yaml.safe_load(table().read_text("utf-8"))["rows"]
    return {
        name: Row(
            **{**row, "id": name, "level": Level(row["level"]), "scenarios": tuple(row.get("scenarios", ()))}
        )
        for name, row in said.items()
    }


def shown(scenarios: Iterable[Scenario], row: str) -> tuple[str, ...]:
    """Return the scenarios about check controllers that show a row and can be run."""
    of_profile = (one for one in scenarios if one.profile.name == PROFILE and not one.unsupported)
    return tuple(sorted(one.id for one in of_profile if row in one.shows))


def summary() -> dict[str, Any]:
    """Return the report's section on the contract."""
    rows = contract().values()
    must = [one for one in rows if one.level is Level.MUST]
    return {
        "rows": len(rows),
        "observed": sum(one.observed for one in rows),
        "must": len(must),
        "mustObserved": sum(one.observed for one in must),
        "notObserved": [
            {"id": one.id, "level": str(one.level), "why": one.unsupported}
            for one in rows
            if not one.observed
        ],
    }

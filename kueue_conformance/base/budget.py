"""Named waits: a suite never states seconds (harness/H-23, design.md §6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import unknown
from .resources import load_yaml


@dataclass(frozen=True, slots=True)
class Budgets:
    """The seconds of each named wait, on the virtual clock or in real time, times the scale."""

    virtual: bool
    scale: float = 1.0

    def seconds(self, name: str) -> float:
        """Return the seconds of a wait. Raises UsageError for a name that is not in data/budgets.yaml."""
        table: Mapping[str, Mapping[str, Any]] = load_yaml("budgets.yaml")
        if name not in table:
            raise unknown("budget", name, table)
        return float(table[name]["virtual" if self.virtual else "wall"]) * self.scale

    def describe(self, name: str) -> str:
        """Return a wait in words: its seconds, and the name under which data/budgets.yaml has it."""
        return f"{self.seconds(name):g} s, budget {name!r}"

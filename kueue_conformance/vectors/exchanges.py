"""Recorded exchanges as cases of scenarios: the words of the profile API-SERVER (apiserver.md §4.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..scenarios.cases import Cases
from .index import folder, index
from .needs import needs_of


def exchanges(first: int, last: int) -> Mapping[str, Any]:
    """Return the cases, their needs, rows and evidence of a scenario: every exchange whose first row is
    FK-`first` … FK-`last`.
    """
    every = index(folder())
    rows_by_name = {
        name: every[name] for name, number in _numbers(folder()).items() if first <= number <= last
    }
    evidence: dict[str, list[str]] = {}
    for name, rows in rows_by_name.items():
        for row in rows:
            evidence.setdefault(row, []).append(name)
    return {
        "cases": Cases(("exchange",), tuple((name,) for name in rows_by_name)),
        "case_needs": needs_of(rows_by_name),
        "shows": " ".join(_in_order(evidence)),
        "evidence": {row: tuple(evidence[row]) for row in _in_order(evidence)},
    }


@cache
def _numbers(where: Path) -> Mapping[str, int]:
    """Return the number of the first row of each exchange."""
    return {name: _number(rows[0]) for name, rows in index(where).items()}


def _number(row: str) -> int:
    return int(row.removeprefix("FK-").rstrip("abcdefgh"))


def _in_order(rows: Iterable[str]) -> list[str]:
    return sorted(rows, key=lambda row: (_number(row), row))

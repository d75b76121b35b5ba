"""Reports of several subjects side by side: subjects × profiles × dialects,
and the scenarios in which they differ (harness/H-30).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ...base.errors import UsageError
from ...base.json_types import Json
from ...scenarios.capability import FAMILIES
from ...scenarios.outcome import Outcome, worst
from ..results import recount
from ..results.profile import summary

API_VERSION, KIND = "kueue-conformance.dev/v1", "ConformanceMatrix"
Column: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of a profile in a dialect: the verdict and the counts."""

    result: str
    counts: Mapping[str, int]

    @property
    def text(self) -> str:
        """The counts as a text."""
        return summary(self.counts)


@dataclass(frozen=True, slots=True)
class Row:
    """A subject, its environment, and its cells by profile and dialect."""

    subject: str
    place: str
    complete: bool
    cells: Mapping[Column, Cell]
    scenarios: Mapping[str, str]
    cost: Mapping[str, float]
    """Load on the API server for each change, where requests were seen."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows and columns in order, and the scenarios of which the rows say different things."""

    rows: Sequence[Row]
    columns: Sequence[Column]
    titles: Mapping[str, str]

    @property
    def disputed(self) -> Sequence[str]:
        """The scenarios with different outcomes."""
        every = sorted({name for row in self.rows for name in row.scenarios})
        return [name for name in every if len({row.scenarios.get(name, "") for row in self.rows}) > 1]

    @property
    def costs(self) -> Sequence[str]:
        """The sorts of cost that some row has."""
        return sorted({name for row in self.rows for name in row.cost})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "columns": [{"profile": profile, "dialect": dialect} for profile, dialect in self.columns],
            "rows": [
                {
                    "subject": row.subject,
                    "place": row.place,
                    "complete": row.complete,
                    "cells": [
                        {
                            "profile": profile,
                            "dialect": dialect,
                            "result": cell.result,
                            "counts": dict(cell.counts),
                        }
                        for (profile, dialect), cell in sorted(row.cells.items())
                    ],
                    "scenarios": dict(sorted(row.scenarios.items())),
                    **({"costOfAChange": dict(row.cost)} if row.cost else {}),
                }
                for row in self.rows
            ],
            "disputed": list(self.disputed),
        }


def matrix(reports: Mapping[str, Json]) -> Matrix:
    """Return the matrix of some reports, by their paths.

    Raises UsageError when they are of different suites.
    """
    digests = {report["suite"]["inventoryDigest"] for report in reports.values()}
    if len(digests) > 1:
        raise UsageError(
            f"the reports are of {len(digests)} different suites: their scenarios or revisions differ",
            hint="run all of them with one version of the suite",
        )
    rows = sorted(_apart(reports), key=lambda row: (row.subject, row.place))
    titles = {one["id"]: one["title"] for report in reports.values() for one in report["scenarios"]}
    return Matrix(rows, sorted({column for row in rows for column in row.cells}), titles)


def _apart(reports: Mapping[str, Json]) -> list[Row]:
    """Return a row for each report; builds of one version, judged in one place, are told apart by when, and
    else by the file.
    """
    rows = {path: _row(report) for path, report in reports.items()}
    for about in (
        {path: str(report["date"]) for path, report in reports.items()},
        {path: path for path in reports},
    ):
        known = Counter((row.subject, row.place) for row in rows.values())
        rows = {
            path: replace(row, subject=f"{row.subject} {about[path]}")
            if known[row.subject, row.place] > 1
            else row
            for path, row in rows.items()
        }
    return list(rows.values())


def markdown(made: Matrix) -> str:
    """Return the matrix as Markdown."""
    head = ["subject", "on", *(f"{profile} {dialect}" for profile, dialect in made.columns)]
    lines = ["# Conformance matrix", "", *_table(head, [_cells(made, row) for row in made.rows])]
    if made.disputed:
        scenarios = [
            [name, made.titles[name], *(row.scenarios.get(name, "–") for row in made.rows)]
            for name in made.disputed
        ]
        lines += [
            "",
            "## Where they differ",
            "",
            *_table(["scenario", "title", *(_short(row) for row in made.rows)], scenarios),
        ]
    if made.costs:
        spent = [[name, *(f"{row.cost.get(name, '–')}" for row in made.rows)] for name in made.costs]
        lines += [
            "",
            "## What a change costs the API server",
            "",
            *_table(["", *map(_short, made.rows)], spent),
        ]
    return "\n".join([*lines, ""])


def _row(report: Json) -> Row:
    environment, said = report["environment"], report["implementation"]
    name = " ".join(filter(None, [said.get("project", ""), str(said.get("version", ""))])) or said.get(
        "subject", ""
    )
    strict = recount.is_strict(report)
    cells: dict[Column, Cell] = {}
    for dialect in environment["dialects"]:
        groups: dict[str, list[Json]] = {}
        for one in report["scenarios"]:
            cases = [case for case in one["cases"] if case["dialect"] == dialect]
            if cases:
                groups.setdefault(FAMILIES[one["id"].partition("-")[0]].name, []).append(
                    recount.scenario(one, cases)
                )
        for profile, own in groups.items():
            found = recount.profile(profile, own, strict=strict, complete=report["complete"])
            cells[profile, dialect] = Cell(found["result"], found["core"]["counts"])
    outcomes = {
        one["id"]: str(worst(Outcome(case["outcome"]) for case in one["cases"]))
        for one in report["scenarios"]
    }
    place, cost = (
        f"{environment['backend']}, {environment['controlPlane']}",
        report.get("footprint", {}).get("costOfAChange", {}),
    )
    return Row(name, place, report["complete"], cells, outcomes, cost)


def _cells(made: Matrix, row: Row) -> list[str]:
    note = "" if row.complete else " (incomplete)"
    found = [row.cells.get(column) for column in made.columns]
    return [
        row.subject + note,
        row.place,
        *(f"**{cell.result}** {cell.text}" if cell else "–" for cell in found),
    ]


def _short(row: Row) -> str:
    return f"{row.subject} ({row.place})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_line(head), "|" + "---|" * len(head), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

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
    environment: str
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
    def scenarios_that_differ(self) -> Sequence[str]:
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
                    "place": row.environment,
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
            "disputed": list(self.scenarios_that_differ),
        }


def matrix(reports: Mapping[str, Json]) -> Matrix:
    """Return the matrix of some reports, by their paths.

    Raises UsageError when they are of different suites.
    """
    # Counts of different suites must not stand side by side as if they were of one.
    digests = {report["suite"]["inventoryDigest"] for report in reports.values()}
    if len(digests) > 1:
        raise UsageError(
            f"the reports are of {len(digests)} different suites: their scenarios or revisions differ",
            hint="run all of them with one version of the suite",
        )
    rows = sorted(_apart(reports), key=lambda row: (row.subject, row.environment))
    titles = {
        scenario["id"]: scenario["title"] for report in reports.values() for scenario in report["scenarios"]
    }
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
        counts = Counter((row.subject, row.environment) for row in rows.values())
        rows = {
            path: replace(row, subject=f"{row.subject} {about[path]}")
            if counts[row.subject, row.environment] > 1
            else row
            for path, row in rows.items()
        }
    return list(rows.values())


def markdown(reports: Matrix) -> str:
    """Return the matrix as Markdown."""
    head = ["subject", "on", *(f"{profile} {dialect}" for profile, dialect in reports.columns)]
    lines = ["# Conformance matrix", "", *_table(head, [_cells(reports, row) for row in reports.rows])]
    if reports.scenarios_that_differ:
        scenarios = [
            [name, reports.titles[name], *(row.scenarios.get(name, "–") for row in reports.rows)]
            for name in reports.scenarios_that_differ
        ]
        lines += [
            "",
            "## Where they differ",
            "",
            *_table(["scenario", "title", *(_short(row) for row in reports.rows)], scenarios),
        ]
    if reports.costs:
        spent = [[name, *(f"{row.cost.get(name, '–')}" for row in reports.rows)] for name in reports.costs]
        lines += [
            "",
            "## What a change costs the API server",
            "",
            *_table(["", *map(_short, reports.rows)], spent),
        ]
    return "\n".join([*lines, ""])


def _row(report: Json) -> Row:
    environment, implementation = report["environment"], report["implementation"]
    name = " ".join(
        filter(None, [implementation.get("project", ""), str(implementation.get("version", ""))])
    ) or implementation.get("subject", "")
    strict = recount.is_strict(report)
    cells: dict[Column, Cell] = {}
    for dialect in environment["dialects"]:
        groups: dict[str, list[Json]] = {}
        for scenario in report["scenarios"]:
            cases = [case for case in scenario["cases"] if case["dialect"] == dialect]
            if cases:
                groups.setdefault(FAMILIES[scenario["id"].partition("-")[0]].name, []).append(
                    recount.scenario(scenario, cases)
                )
        for profile, own in groups.items():
            result = recount.profile(profile, own, strict=strict, complete=report["complete"])
            cells[profile, dialect] = Cell(result["result"], result["core"]["counts"])
    outcomes = {
        scenario["id"]: str(worst(Outcome(case["outcome"]) for case in scenario["cases"]))
        for scenario in report["scenarios"]
    }
    environment_name, cost = (
        f"{environment['backend']}, {environment['controlPlane']}",
        report.get("footprint", {}).get("costOfAChange", {}),
    )
    return Row(name, environment_name, report["complete"], cells, outcomes, cost)


def _cells(reports: Matrix, row: Row) -> list[str]:
    note = "" if row.complete else " (incomplete)"
    cells = [row.cells.get(column) for column in reports.columns]
    return [
        row.subject + note,
        row.environment,
        *(f"**{cell.result}** {cell.text}" if cell else "–" for cell in cells),
    ]


def _short(row: Row) -> str:
    return f"{row.subject} ({row.environment})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_line(head), "|" + "---|" * len(head), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    # A bar within a cell would begin another cell.
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

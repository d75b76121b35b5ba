"""Known differences between servers: rows of `fixtures/differences.yaml`, each with reason, evidence and what
would decide it.

`python -m kueue_conformance.report.afterwards.known_differences` writes docs/differences.md from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import yaml

from ...base.resources import fixtures
from .comparison import Difference, describe_side

PAGE = Path("docs/differences.md")
_HEAD = """# Where real servers differ from the fake one

The same suites run on the fake server and on a real kube-apiserver; `kueue-conformance report diff A B --known` compares the outcome of each
case, the conditions of every object in order, and its Events. This page lists the differences that remain: it is written by
`python -m kueue_conformance.report.afterwards.known_differences` from the rows of `fixtures/differences.yaml`. The command exits with 1 when a difference has no row, and when
a row matches no difference in two reports of whole profiles.

{counts}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A sort of difference: its scenarios and its text."""

    id: str
    servers: tuple[str, ...]
    """The real servers that differ from the fake one."""
    subject: str = ""
    """The connector of the subject, where the row is about one only."""
    scenarios: tuple[str, ...]
    what: str
    a: str = "*"
    b: str = "*"
    sometimes: bool = False
    """Two runs on the same server may differ by it as well; what is lacking is so for some subjects."""
    needs: str = ""
    """The feature that the second server lacks, where that alone explains the difference."""
    reason: str
    evidence: str
    settles: str

    def names(self, difference: Difference) -> bool:
        """Tell whether a difference is of this sort."""
        return difference.scenario in self.scenarios and all(
            fnmatchcase(value, glob)
            for value, glob in (
                (difference.aspect, self.what),
                (describe_side(difference.a), self.a),
                (describe_side(difference.b), self.b),
            )
        )


def file() -> Path:
    """Return the file of the rows."""
    return fixtures() / "differences.yaml"


def rows() -> Sequence[Row]:
    """Return every row, in order of the file."""
    documents = yaml.safe_load(file().read_text("utf-8"))["rows"]
    return [
        Row(**{**row, "scenarios": tuple(row["scenarios"]), "servers": tuple(row["servers"])})
        for row in documents
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SortedDifferences:
    """Differences with the row that explains each, those that none names, and rows that name none."""

    named: Sequence[tuple[Difference, Row]]
    unknown: Sequence[Difference]
    idle: Sequence[Row]


def sort(
    differences: Sequence[Difference],
    rows: Sequence[Row],
    compared: Collection[str],
    servers: Collection[str],
) -> SortedDifferences:
    """Sort differences by rows; one is idle that names none of what was found, where all its scenarios were
    compared on its servers.
    """
    of = [
        (difference, next((row for row in rows if row.names(difference)), None)) for difference in differences
    ]
    used = {row.id for _, row in of if row}
    return SortedDifferences(
        named=[(difference, row) for difference, row in of if row],
        unknown=[difference for difference, row in of if not row],
        idle=[
            row
            for row in rows
            if row.id not in used
            # A row of chance may find nothing in a run.
            and not row.sometimes
            and set(row.scenarios) <= set(compared)
            and {*row.servers} & {*servers}
        ],
    )


def page(known_rows: Sequence[Row]) -> str:
    """Return the page: what differs, then what a server only lacks."""
    differing = [row for row in known_rows if not row.needs]
    lacking = [row for row in known_rows if row.needs]
    always = _scenarios([row for row in lacking if not row.sometimes])
    counts = (
        f"{len(_scenarios(differing))} scenarios differ; {len(always)} need a feature that a real server lacks, "
        f"{len(_scenarios(lacking) - always)} more for a subject in pods of a user's cluster."
    )
    return "\n".join(
        [
            _HEAD.format(counts=counts),
            "## What differs\n",
            *_sections(differing),
            "## What a real server lacks\n",
            *_sections(lacking),
        ]
    )


def _scenarios(some: Sequence[Row]) -> set[str]:
    return {name for row in some for name in row.scenarios}


def _sections(some: Sequence[Row]) -> Iterator[str]:
    if not some:
        yield "Nothing.\n"
    for row in some:
        sides = (
            ""
            if row.needs
            else f" {row.what}: `{row.a}` and `{row.b}`{', in some runs' if row.sometimes else ''}."
        )
        subject = f", for a subject {row.subject}" if row.subject else ""
        yield f"### {row.id}: fake and {', '.join(row.servers)}{subject}\n"
        yield f"{', '.join(row.scenarios)}.{sides}\n"
        yield f"- Why: {row.reason}\n- Evidence: {row.evidence}\n- What would decide it: {row.settles}\n"


if __name__ == "__main__":
    PAGE.write_text(page(rows()), encoding="utf-8")

"""The fact pages by row: a fact, its source, and corrections (docs/facts)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..base.resources import facts

_ROW = re.compile(r"([A-Z]{1,4}-?[A-Z]?\d+[a-z]?(?:-\d+)?)(?: ⚠((?: [\w-]+/[A-Z]+-?\d+[a-z]?)+))?")
_CELL = re.compile(r"(?<!\\)\|")
KNOWN_HOW, ANNOUNCED = "how it is known", "release notes"
"""A column, and how the cell begins of what no release was seen to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One row of a page."""

    id: str
    page: str
    section: str
    cells: Mapping[str, str]
    """Cells by column heading, without the id."""
    corrected: Sequence[str] = ()
    """Rows that correct this one, such as `observed-kueue/C-01`:
    a real program behaved otherwise, or more is known.
    """

    @property
    def name(self) -> str:
        """Return the id with its page: two pages may use the same id."""
        return f"{self.page}/{self.id}"


@cache
def facts_by_name() -> Mapping[str, Fact]:
    """Return every fact by its name, in the order of the pages."""
    pages = sorted(facts().glob("*.md"))
    return {fact.name: fact for page in pages for fact in read(page.stem, page.read_text("utf-8"))}


def facts_named(text: str) -> Sequence[Fact]:
    """Return the facts for `AC-287`, for `harness/H-42` where
    two pages use an id, or for an id whose rows have letters.
    """
    exact = [fact for fact in facts_by_name().values() if text in (fact.id, fact.name)]
    lettered = re.compile(rf"{re.escape(text)}[a-z]")
    return exact or [
        fact
        for fact in facts_by_name().values()
        if lettered.fullmatch(fact.id) or lettered.fullmatch(fact.name)
    ]


def announced(rows: Sequence[str]) -> Sequence[str]:
    """Return the rows whose only source is release notes: no release was seen to do so."""
    known = {fact.id: fact.cells.get(KNOWN_HOW, "") for fact in facts_by_name().values()}
    return [row for row in rows if known.get(row, "").startswith(ANNOUNCED)]


def read(page: str, text: str) -> Iterator[Fact]:
    """Yield the rows of a page; tables without an id column have none."""
    section, heads = "", [""]
    for line in text.splitlines():
        if line.startswith("#"):
            section = line.lstrip("# ")
        cells = [cell.strip() for cell in _CELL.split(line[1:].rstrip("|"))] if line.startswith("|") else []
        match = _ROW.fullmatch(cells[0]) if cells else None
        if match:
            titles = [*heads[1:], *[""] * len(cells)]
            cells_by_title = {
                title or f"({number})": cell
                for number, (title, cell) in enumerate(zip(titles, cells[1:], strict=False), 1)
                if cell
            }
            yield Fact(
                id=match[1],
                page=page,
                section=section,
                cells=cells_by_title,
                corrected=tuple((match[2] or "").split()),
            )
        elif cells and set(line) - set("|-: "):
            heads = cells


def places(fact_id: str, root: Path) -> Iterator[str]:
    """Yield the modules of a package that cite a row, by path; tests are left out."""
    word = re.compile(rf"\b{re.escape(fact_id)}\b")
    for file in sorted(root.rglob("*.py")):
        if "tests" not in file.parts and word.search(file.read_text("utf-8")):
            yield str(file.relative_to(root.parent))

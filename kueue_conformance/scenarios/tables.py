"""Tables of cases as text: a line is a case,
its first column the name, the others what the scenario reads of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace

from .cases import Cases

NAME, ROW = "case", "row"
NOTHING = "-"
"""The text of an empty cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """Lines by the name of their case, in their order; `table` reads them from a text."""

    lines: Mapping[str, Mapping[str, str]]

    @property
    def cases(self) -> Cases:
        """One case for each line."""
        return Cases((NAME,), tuple((name,) for name in self.lines), examples=True)

    @property
    def evidence(self) -> Mapping[str, tuple[str, ...]]:
        """Which cases show a row of the fact pages, by row; from the column `row`, where there is one."""
        names_by_row: dict[str, tuple[str, ...]] = {}
        for name, line in self.lines.items():
            for row in line.get(ROW, "").split():
                names_by_row[row] = (*names_by_row.get(row, ()), name)
        return names_by_row

    @property
    def shows(self) -> str:
        """Every row that some case shows, as `scenario` takes them."""
        return " ".join(self.evidence)

    def __getitem__(self, name: str) -> SimpleNamespace:
        """Return the cells of a case by the words of the head."""
        return SimpleNamespace(**self.lines[name])


def table(text: str, **words: str) -> Table:
    """Read a table: a head, and lines of cells between `|`; `-` is an empty cell, and a cell that is one of
    `words` is what that stands for.

    Raises ValueError for a line that has not as many cells as the head, and for a name that occurs twice.
    """
    head, *lines = _cells(text)
    lines_by_name: dict[str, Mapping[str, str]] = {}
    for cells in lines:
        if len(cells) != len(head):
            raise ValueError(f"{len(cells)} cells where the head has {len(head)}: {' | '.join(cells)}")
        name = cells[0].replace(" ", "-")
        if name in lines_by_name:
            raise ValueError(f"two cases are called {name!r}")
        meant = (words.get(cell, "" if cell == NOTHING else cell) for cell in cells)
        lines_by_name[name] = MappingProxyType(dict(zip(head, meant, strict=True)))
    if head[0] != NAME:
        raise ValueError(f"the first column is {head[0]!r} and not {NAME!r}")
    return Table(MappingProxyType(lines_by_name))


def _cells(text: str) -> Iterator[list[str]]:
    for line in text.strip().splitlines():
        if line.strip():
            yield [cell.strip() for cell in line.split("|")]

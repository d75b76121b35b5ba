"""A timeline that people read: one row for each request that changed something or failed."""

from __future__ import annotations

from collections.abc import Iterable

from ..entry import Entry
from .times import timestamp

HEAD = "| # | time | who | what | object | answer | revision |\n|---|---|---|---|---|---|---|\n"


def render(entries: Iterable[Entry]) -> str:
    """Return the table."""
    return HEAD + "".join(_row(one) for one in entries if one.wrote or one.code >= 400)


def _row(entry: Entry) -> str:
    who = f"{entry.user} ({entry.manager})" if entry.manager else entry.user
    where = f"{entry.namespace}/{entry.name}" if entry.namespace else entry.name
    answer = f"{entry.code} {entry.reason} {entry.message}".strip()
    cells = (
        f"{entry.seq}",
        timestamp(entry.time),
        who,
        entry.verb,
        f"{entry.target} {where}".strip(),
        answer,
        entry.revision_after,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"

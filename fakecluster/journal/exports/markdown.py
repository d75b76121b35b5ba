"""A timeline that people read: one row for each request that changed something or failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..entry import Entry
from .times import timestamp

TABLE_HEAD = "| # | time | who | what | object | answer | revision |\n|---|---|---|---|---|---|---|\n"


def pieces(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the head of the table and its rows."""
    yield TABLE_HEAD.encode()
    for entry in entries:
        # Reads that succeeded are most of a journal, and tell little.
        if entry.wrote or entry.code >= 400:
            yield _row(entry).encode()


def _row(entry: Entry) -> str:
    client = f"{entry.user} ({entry.manager})" if entry.manager else entry.user
    object_name = f"{entry.namespace}/{entry.name}" if entry.namespace else entry.name
    answer = f"{entry.code} {entry.reason} {entry.message}".strip()
    cells = (
        f"{entry.seq}",
        timestamp(entry.time),
        client,
        entry.verb,
        f"{entry.target} {object_name}".strip(),
        answer,
        entry.revision_after,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"

"""The story in a terminal: chapters, and under each what `kubectl get --watch` would print, with the time and
who wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from .journal_rows import RowChange
from .story import ChapterEvents

GONE = "(deleted)"


def lines(story: Sequence[ChapterEvents]) -> Iterator[str]:
    """Return the lines of a story; objects of which the same is told at one moment share a line."""
    for chapter in story:
        yield ""
        yield chapter.chapter.title
        for same in _alike(chapter.happenings):
            yield _line(same)


def _alike(every: Sequence[RowChange]) -> Iterator[Sequence[RowChange]]:
    for _, same in groupby(
        every,
        key=lambda happening: (
            happening.at,
            happening.actor,
            happening.kind,
            happening.state,
            happening.cells,
        ),
    ):
        yield list(same)


def _line(same: Sequence[RowChange]) -> str:
    first = same[0]
    suffix = f" and {len(same) - 1} more" if len(same) > 1 else ""
    objects = f"{first.kind.lower()}/{first.name}{suffix}"
    shown = "  ".join(cell for cell in first.cells if cell != first.state) if first.state else GONE
    return f"  {clock(first.at):>7}  {first.actor:<24} {objects:<46} {first.state:<12} {shown}".rstrip()


def clock(seconds: float) -> str:
    """Return a time since the beginning, such as `+1m15s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"+{minutes}m{rest:02d}s" if minutes else f"+{rest}s"

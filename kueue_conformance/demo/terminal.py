"""The story in a terminal: chapters, and under each what `kubectl get --watch` would print, with the time and
who wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from .journal_rows import Happening
from .story import Told

GONE = "(deleted)"


def lines(story: Sequence[Told]) -> Iterator[str]:
    """Return the lines of a story; objects of which the same is told at one moment share a line."""
    for one in story:
        yield ""
        yield one.chapter.title
        for same in _alike(one.happenings):
            yield _line(same)


def _alike(every: Sequence[Happening]) -> Iterator[Sequence[Happening]]:
    for _, same in groupby(every, key=lambda one: (one.at, one.actor, one.kind, one.state, one.cells)):
        yield list(same)


def _line(same: Sequence[Happening]) -> str:
    first = same[0]
    more = f" and {len(same) - 1} more" if len(same) > 1 else ""
    thing = f"{first.kind.lower()}/{first.name}{more}"
    shown = "  ".join(cell for cell in first.cells if cell != first.state) if first.state else GONE
    return f"  {clock(first.at):>7}  {first.actor:<24} {thing:<46} {first.state:<12} {shown}".rstrip()


def clock(seconds: float) -> str:
    """Return a time since the beginning, such as `+1m15s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"+{minutes}m{rest:02d}s" if minutes else f"+{rest}s"

"""Completion indexes written as ranges: `1,3-5,7` (FK-473)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby


def parse(text: str) -> frozenset[int]:
    """Return the indexes in a text of ranges."""
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def render(indexes: Iterable[int]) -> str:
    """Write indexes as ranges; two neighbours are written apart, as upstream does."""
    runs = groupby(enumerate(sorted(indexes)), key=lambda pair: pair[1] - pair[0])
    return ",".join(_run([index for _, index in run]) for _, run in runs)


def _run(indexes: list[int]) -> str:
    if len(indexes) < 3:
        return ",".join(map(str, indexes))
    return f"{indexes[0]}-{indexes[-1]}"

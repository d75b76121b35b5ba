"""Completion indexes of Jobs written as ranges: `1,3-5,7` (FK-473, FK-477)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice

from ...numbers.integers import NumberError, parse_int
from ...numbers.quoting import go_quote


class IndexFormatError(ValueError):
    """A text is not a list of ranges; the message is the API server's."""


MOST = 100_000
"""Indexes of a text that are looked at: as many as upstream lets a Job have that counts failures of each
index.
"""


def parse(text: str) -> frozenset[int]:
    """Return the indexes in a text of ranges, the first of them where there are very many; a part that is no
    range does not count.
    """
    every = chain.from_iterable(range(first, last + 1) for first, last in _ranges(text, 2**63))
    return frozenset(islice(every, MOST))


def render(indexes: Iterable[int]) -> str:
    """Write indexes as ranges; two neighbours are written apart, as upstream does."""
    runs = groupby(enumerate(sorted(indexes)), key=lambda pair: pair[1] - pair[0])
    return ",".join(_run([index for _, index in run]) for _, run in runs)


def _run(indexes: list[int]) -> str:
    if len(indexes) < 3:
        return ",".join(map(str, indexes))
    return f"{indexes[0]}-{indexes[-1]}"


def checked_total(text: str, completions: int) -> int:
    """Return how many indexes a text of ranges has. Raises IndexFormatError."""
    total, last = 0, -1
    for part in text.split(",") if text else ():
        first, end = _interval(part, completions)
        if last >= first:
            raise IndexFormatError(f"non-increasing order, previous: {last}, current: {first}")
        total, last = total + end - first + 1, end
    return total


def overlap(completed: str, failed: str, completions: int) -> str:
    """Word the first index that is in both texts, empty when there is none; parts that are no ranges do not
    count.
    """
    left, right = sorted(_ranges(completed, completions)), sorted(_ranges(failed, completions))
    here = there = 0
    while here < len(left) and there < len(right):
        common = max(left[here][0], right[there][0])
        if common <= min(left[here][1], right[there][1]):
            return f"failedIndexes and completedIndexes overlap at index: {common}"
        if left[here][1] < right[there][1]:
            here += 1
        else:
            there += 1
    return ""


def _ranges(text: str, completions: int) -> Iterator[tuple[int, int]]:
    for part in text.split(","):
        try:
            yield _interval(part, completions)
        except IndexFormatError:
            continue


def _interval(part: str, completions: int) -> tuple[int, int]:
    limits = part.split("-")
    if len(limits) > 2:
        raise IndexFormatError(
            f"the fragment {go_quote(part)} violates the requirement that an index interval"
            " can have at most two parts separated by '-'"
        )
    numbers = [_index(one, completions) for one in limits]
    if len(numbers) == 2 and numbers[0] >= numbers[1]:
        raise IndexFormatError(f"non-increasing order, previous: {numbers[0]}, current: {numbers[1]}")
    return numbers[0], numbers[-1]


def _index(text: str, completions: int) -> int:
    try:
        number = parse_int(text)
    except NumberError as error:
        raise IndexFormatError(f"cannot convert string to integer for index: {go_quote(text)}") from error
    if number >= completions:
        raise IndexFormatError(f"too large index: {go_quote(text)}")
    return number

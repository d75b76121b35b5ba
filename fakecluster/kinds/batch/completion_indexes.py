"""Completion indexes of Jobs written as ranges: `1,3-5,7` (FK-473, FK-477)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from msgspec import Struct

from ...base.numbers.integers import NumberError, parse_int
from ...base.numbers.quoting import go_quote

Range = tuple[int, int]
"""The first and the last of some indexes in a row."""


class IndexFormatError(ValueError):
    """A text is not a list of ranges; the message is the API server's."""


class Indexes(Struct, frozen=True):
    """A set of indexes, kept as ranges in order that do not touch:
    a billion indexes are no more work than one.
    """

    ranges: tuple[Range, ...] = ()

    @property
    def total(self) -> int:
        """How many indexes there are."""
        return sum(last - first + 1 for first, last in self.ranges)

    def __contains__(self, index: int) -> bool:
        # By the last index of each range: the first range that does not end before the index.
        position = bisect_left(self.ranges, index, key=itemgetter(1))
        return position < len(self.ranges) and self.ranges[position][0] <= index

    def __or__(self, other: Indexes) -> Indexes:
        return Indexes(tuple(_merge(sorted((*self.ranges, *other.ranges)))))

    def __and__(self, other: Indexes) -> Indexes:
        return Indexes(tuple(_common(self.ranges, other.ranges)))

    def __str__(self) -> str:
        """Write the indexes as ranges; two neighbours are written apart, as upstream does."""
        # Two neighbours are written `1,2`, as the controller writes a range from three on.
        return ",".join(
            str(first) if first == last else f"{first}{',' if last == first + 1 else '-'}{last}"
            for first, last in self.ranges
        )

    def free(self, below: int) -> Iterator[int]:
        """Yield the indexes below a limit that are not in the set, in order."""
        start = 0
        for first, last in self.ranges:
            yield from range(start, min(first, below))
            start = last + 1
        yield from range(start, below)


def of(indexes: Iterable[int]) -> Indexes:
    """Return a set of single indexes."""
    return Indexes(tuple(_merge((index, index) for index in sorted(indexes))))


def parse(text: str, below: int) -> Indexes:
    """Return the indexes in a text of ranges, those below a limit; a part that is no range does not count."""
    # Beyond the completions nothing counts, as these may have shrunk.
    ranges = sorted((first, min(last, below - 1)) for first, last in _ranges(text, 2**63) if first < below)
    return Indexes(tuple(_merge(ranges)))


def _merge(ranges: Iterable[Range]) -> Iterator[Range]:
    """Yield ranges, which come in order, such that none touches the next."""
    current: Range | None = None
    for first, last in ranges:
        if current is None:
            current = first, last
        elif first <= current[1] + 1:
            current = current[0], max(current[1], last)
        else:
            yield current
            current = first, last
    if current is not None:
        yield current


def _common(ranges: Sequence[Range], other_ranges: Sequence[Range]) -> Iterator[Range]:
    """Yield what two rows of ranges in order have in common."""
    position = other_position = 0
    while position < len(ranges) and other_position < len(other_ranges):
        first, last = (
            max(ranges[position][0], other_ranges[other_position][0]),
            min(ranges[position][1], other_ranges[other_position][1]),
        )
        if first <= last:
            yield first, last
        if ranges[position][1] < other_ranges[other_position][1]:
            position += 1
        else:
            other_position += 1


def count_indexes(text: str, completions: int) -> int:
    """Return how many indexes a text of ranges has. Raises IndexFormatError."""
    total, last = 0, -1
    for interval in text.split(",") if text else ():
        first, end = _interval(interval, completions)
        # Intervals must come in order, also where they would not overlap.
        if last >= first:
            raise IndexFormatError(f"non-increasing order, previous: {last}, current: {first}")
        total, last = total + end - first + 1, end
    return total


def overlap(completed: str, failed: str, completions: int) -> str:
    """Word the first index that is in both texts,
    empty when there is none; parts that are no ranges do not count.
    """
    completed_ranges, failed_ranges = (
        sorted(_ranges(completed, completions)),
        sorted(_ranges(failed, completions)),
    )
    first, _ = next(_common(completed_ranges, failed_ranges), (None, None))
    return "" if first is None else f"failedIndexes and completedIndexes overlap at index: {first}"


def _ranges(text: str, completions: int) -> Iterator[Range]:
    for interval in text.split(","):
        try:
            yield _interval(interval, completions)
        except IndexFormatError:
            continue


def _interval(interval: str, completions: int) -> Range:
    limits = interval.split("-")
    if len(limits) > 2:
        raise IndexFormatError(
            f"the fragment {go_quote(interval)} violates the requirement that an index interval"
            " can have at most two parts separated by '-'"
        )
    numbers = [_index(limit, completions) for limit in limits]
    # A range of one index is none: `3-3` is refused.
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

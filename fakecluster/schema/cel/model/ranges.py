"""Ranges of sizes and costs, with arithmetic that stops at 64 bits (FK-276)."""

from __future__ import annotations

from math import ceil

from msgspec import Struct

from .shapes import UNLIMITED

TRAVERSAL_COST = 0.1
REGEX_COST = 0.25


class Range(Struct, frozen=True):
    """At least and at most."""

    least: int
    most: int

    def __add__(self, other: Range) -> Range:
        return Range(min(self.least + other.least, UNLIMITED), min(self.most + other.most, UNLIMITED))

    def __mul__(self, other: Range) -> Range:
        return Range(min(self.least * other.least, UNLIMITED), min(self.most * other.most, UNLIMITED))

    def __or__(self, other: Range) -> Range:
        return Range(min(self.least, other.least), max(self.most, other.most))

    def scale(self, factor: float) -> Range:
        """Return the cost of walking so many characters."""
        return Range(_scale(self.least, factor), _scale(self.most, factor))


def _scale(value: int, factor: float) -> int:
    return min(ceil(value * factor), UNLIMITED)


ZERO = Range(0, 0)
ONE = Range(1, 1)
ANY_SIZE = Range(0, UNLIMITED)

"""Which level lends seats to which: every level's limit, from what it has, may lend and borrow, and was asked
for (FK-520).

Seats are dealt in proportion to what each level was asked for lately, within its bounds. Only arithmetic;
`lending` applies it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from msgspec import Struct

Claim = tuple[float, float, float]
"""The seats that a level needs and has at most, and those that it was asked for."""
LEAST = 0.001
"""The demand of a level without requests."""


class Bounds(Struct, frozen=True):
    """The seats of a level by its own configuration, those it keeps, and those it has at most."""

    nominal: int
    lower: int
    upper: int


class Wish(Struct, frozen=True):
    """A level that wants seats: the most it was asked for at once in the last period, and what it was asked
    for on the whole.
    """

    bounds: Bounds
    highest: int
    smoothed: float
    exempt: bool = False

    @property
    def floor(self) -> int:
        """The seats it cannot do without."""
        wanted = self.highest if self.exempt else min(self.bounds.nominal, self.highest)
        return max(self.bounds.lower, wanted)


def shared(wishes: Sequence[Wish]) -> list[int] | None:
    """Return the limit of each level, None when no distribution fits the bounds of all levels; exempt levels
    take what they need.
    """
    total = sum(wish.bounds.nominal for wish in wishes)
    limited = [wish for wish in wishes if not wish.exempt]
    left = total - sum(wish.floor for wish in wishes if wish.exempt)
    kept, needed = sum(wish.bounds.lower for wish in limited), sum(wish.floor for wish in limited)
    if left <= needed:
        part = max(0, left - kept) / (needed - kept) if needed > kept else 0.0
        return [
            wish.floor if wish.exempt else wish.bounds.lower + whole((wish.floor - wish.bounds.lower) * part)
            for wish in wishes
        ]
    claims = [(wish.floor, wish.bounds.upper, max(LEAST, wish.floor, wish.smoothed)) for wish in limited]
    proportion = _proportion(total, claims)
    if proportion is None:
        return None
    dealt = iter(_dealt(claims, proportion))
    return [wish.floor if wish.exempt else whole(next(dealt)) for wish in wishes]


def whole(value: float) -> int:
    """Return the nearest whole number; halves go up."""
    return floor(value + 0.5)


def _proportion(total: int, claims: Sequence[Claim]) -> float | None:
    """Return how many seats each level gets for a seat that it was asked for, so that all are dealt."""
    corners = sorted({bound / target for lower, upper, target in claims for bound in (lower, upper)})
    low, below = 0.0, float(sum(lower for lower, _, _ in claims))
    for high in corners:
        above = sum(_dealt(claims, high))
        if above >= total:
            return low + (high - low) * (total - below) / (above - below) if above > below else high
        low, below = high, above
    return None


def _dealt(claims: Sequence[Claim], proportion: float) -> list[float]:
    return [max(lower, min(upper, proportion * target)) for lower, upper, target in claims]

"""Which level lends seats to which: every level's limit,
from what it has, may lend and borrow, and was asked for (FK-520).

Seats are dealt in proportion to what each level was asked for lately, within its bounds. Only arithmetic;
`seat_lending` applies it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from msgspec import Struct

Claim = tuple[float, float, float]
"""The seats that a level needs and has at most, and those that it was asked for."""
MIN_DEMAND_SEATS = 0.001
"""The demand of a level without requests."""


class Bounds(Struct, frozen=True):
    """The seats of a level by its own configuration, those it keeps, and those it has at most."""

    nominal: int
    lower: int
    upper: int


class SeatDemand(Struct, frozen=True):
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
        needed = self.highest if self.exempt else min(self.bounds.nominal, self.highest)
        return max(self.bounds.lower, needed)


def share_seats(wishes: Sequence[SeatDemand]) -> list[int] | None:
    """Return the limit of each level, None when no distribution fits the bounds of all levels; exempt levels
    take what they need.
    """
    total = sum(wish.bounds.nominal for wish in wishes)
    limited = [wish for wish in wishes if not wish.exempt]
    rest_seats = total - sum(wish.floor for wish in wishes if wish.exempt)
    lower_sum, needed = sum(wish.bounds.lower for wish in limited), sum(wish.floor for wish in limited)
    # Too few seats for all that is needed: what is above the lower bounds shrinks alike.
    if rest_seats <= needed:
        fraction = max(0, rest_seats - lower_sum) / (needed - lower_sum) if needed > lower_sum else 0.0
        return [
            wish.floor
            if wish.exempt
            else wish.bounds.lower + round_half_up((wish.floor - wish.bounds.lower) * fraction)
            for wish in wishes
        ]
    claims = [
        (wish.floor, wish.bounds.upper, max(MIN_DEMAND_SEATS, wish.floor, wish.smoothed)) for wish in limited
    ]
    proportion = _proportion(total, claims)
    if proportion is None:
        return None
    dealt_seats = iter(_deal(claims, proportion))
    return [wish.floor if wish.exempt else round_half_up(next(dealt_seats)) for wish in wishes]


def round_half_up(value: float) -> int:
    """Return the nearest whole number; halves go up."""
    # Go's math.Round; Python's rounds halves to even.
    return floor(value + 0.5)


def _proportion(total: int, claims: Sequence[Claim]) -> float | None:
    """Return how many seats each level gets for a seat that it was asked for, so that all are dealt."""
    # The seats dealt grow with the proportion, and bend only where a level meets a bound: between two
    # corners the proportion is a linear step.
    corners = sorted({bound / target for lower, upper, target in claims for bound in (lower, upper)})
    low, below = 0.0, float(sum(lower for lower, _, _ in claims))
    for high in corners:
        above = sum(_deal(claims, high))
        if above >= total:
            return low + (high - low) * (total - below) / (above - below) if above > below else high
        low, below = high, above
    return None


def _deal(claims: Sequence[Claim], proportion: float) -> list[float]:
    return [max(lower, min(upper, proportion * target)) for lower, upper, target in claims]

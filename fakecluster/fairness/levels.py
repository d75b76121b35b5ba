"""PriorityLevelConfigurations: how many seats each level has,
and what becomes of requests without one (FK-520).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Self

from msgspec import Struct

from ..base.json_types import Json
from .borrowing import Bounds, round_half_up

SHARES = 30
MAX_SEATS_PER_REQUEST = 10
MAX_SEAT_FRACTION = 0.15
"""How much of a level one request may take at most."""


class Level(Struct, frozen=True, kw_only=True):
    """A priority level."""

    name: str
    uid: str
    exempt: bool
    shares: int = 0
    lendable: int = 0
    """The percentage of its seats that others may borrow."""
    borrowing: int | None = None
    """The percentage that it may borrow; None: as many as the server has."""
    queues: int = 0
    """None: who finds no seat is refused."""
    hand: int = 1
    length: int = 0
    """Requests that may wait in one queue."""

    @classmethod
    def of(cls, obj: Json) -> Self:
        """Return the value of a stored PriorityLevelConfiguration."""
        spec = obj["spec"]
        exempt = spec["type"] == "Exempt"
        own = spec.get("exempt" if exempt else "limited") or {}
        shares = own.get("nominalConcurrencyShares")
        response = own.get("limitResponse") or {}
        queuing = (response.get("queuing") or {}) if response.get("type") == "Queue" else None
        return cls(
            name=obj["metadata"]["name"],
            uid=obj["metadata"]["uid"],
            exempt=exempt,
            # 0 is a legal number of shares, and not the default.
            shares=(0 if exempt else SHARES) if shares is None else shares,
            lendable=own.get("lendablePercent") or 0,
            borrowing=own.get("borrowingLimitPercent"),
            **({} if queuing is None else _queues(queuing)),
        )

    def max_seats(self, nominal: int) -> int:
        """Return how many seats one request may take when the level has `nominal` of its own."""
        if not self.queues:
            return MAX_SEATS_PER_REQUEST
        # Upstream's bounds for a level that queues: a share of it, and its seats divided by the queues of a
        # hand.
        widest = min(ceil(nominal * MAX_SEAT_FRACTION), nominal // self.hand)
        return min(MAX_SEATS_PER_REQUEST, max(1, widest))

    def bounds(self, nominal: int, total: int) -> Bounds:
        """Return the seats that the level keeps and has at most, of `total` on the whole server."""
        borrowed = total if self.borrowing is None else round_half_up(nominal * self.borrowing / 100)
        return Bounds(nominal, nominal - round_half_up(nominal * self.lendable / 100), nominal + borrowed)


def limits(levels: Iterable[Level], total: int) -> dict[str, Bounds]:
    """Return the seats of each level, by its share of all that the server has."""
    level_list = list(levels)
    shares = sum(level.shares for level in level_list) or 1
    return {level.name: level.bounds(ceil(total * level.shares / shares), total) for level in level_list}


def _queues(queuing: Json) -> Json:
    return {
        "queues": queuing.get("queues") or 64,
        "hand": queuing.get("handSize") or 8,
        "length": queuing.get("queueLengthLimit") or 50,
    }

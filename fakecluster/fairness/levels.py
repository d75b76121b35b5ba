"""PriorityLevelConfigurations: how many seats each level has, and what becomes of requests without one (FK-520)."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Any, Self

from msgspec import Struct

Json = Any
SHARES = 30
MOST_SEATS = 10
SEATS_PART = 0.15
"""How much of a level one request may take at most."""


class Level(Struct, frozen=True, kw_only=True):
    """A priority level. Levels do not lend each other seats: each has what its shares give it."""

    name: str
    uid: str
    exempt: bool
    shares: int = 0
    queues: int = 0
    """None: who finds no seat is refused."""
    hand: int = 1
    length: int = 0
    """Requests that may wait in one queue."""

    @classmethod
    def of(cls, obj: Json) -> Self:
        """Return the value of a stored PriorityLevelConfiguration."""
        name, uid, spec = obj["metadata"]["name"], obj["metadata"]["uid"], obj["spec"]
        if spec["type"] == "Exempt":
            return cls(name=name, uid=uid, exempt=True)
        limited = spec.get("limited") or {}
        shares = limited.get("nominalConcurrencyShares")
        response = limited.get("limitResponse") or {}
        queuing = (response.get("queuing") or {}) if response.get("type") == "Queue" else None
        shares = SHARES if shares is None else shares
        if queuing is None:
            return cls(name=name, uid=uid, exempt=False, shares=shares)
        return cls(
            name=name, uid=uid, exempt=False, shares=shares, queues=queuing.get("queues") or 64,
            hand=queuing.get("handSize") or 8, length=queuing.get("queueLengthLimit") or 50,
        )  # fmt: skip

    def most_seats(self, limit: int) -> int:
        """Return how many seats one request may take when the level has `limit`."""
        widest = min(ceil(limit * SEATS_PART), limit // self.hand)
        return min(MOST_SEATS, max(1, widest))


def limits(levels: Iterable[Level], total: int) -> dict[str, int]:
    """Return the seats of each limited level, by shares of all that the server has."""
    limited = [level for level in levels if not level.exempt]
    shares = sum(level.shares for level in limited) or 1
    return {level.name: ceil(total * level.shares / shares) for level in limited}

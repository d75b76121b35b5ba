"""PriorityLevelConfigurations: shares of the seats,
and what becomes of a request without a seat (VIS-603, VIS-605).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ....api.resource import Json

DEFAULT_SHARES = 30
# What an extension server has: 400 for reading requests and 200 for others (VIS-604).
TOTAL_SEATS = 600


@dataclass(frozen=True, slots=True)
class Queuing:
    """How requests wait: `hand_size` of so many `queues` for each flow,
    at most `length` requests in each queue.
    """

    queues: int = 64
    hand_size: int = 8
    length: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityLevel:
    """A priority level; without `queuing`, a request without a seat is refused at once."""

    name: str
    uid: str
    exempt: bool = False
    shares: int = 0
    queuing: Queuing | None = None

    @classmethod
    def of(cls, obj: Json) -> PriorityLevel:
        """Read a PriorityLevelConfiguration."""
        metadata, spec = obj["metadata"], obj["spec"]
        name, uid = metadata["name"], metadata.get("uid", "")
        if spec["type"] == "Exempt":
            shares = (spec.get("exempt") or {}).get("nominalConcurrencyShares") or 0
            return cls(name=name, uid=uid, exempt=True, shares=shares)
        limited = spec.get("limited") or {}
        shares = limited.get("nominalConcurrencyShares")
        return cls(
            name=name,
            uid=uid,
            shares=DEFAULT_SHARES if shares is None else shares,
            queuing=_queuing(limited.get("limitResponse") or {}),
        )


def seats(levels: Iterable[PriorityLevel], total: int = TOTAL_SEATS) -> Mapping[str, int]:
    """Return how many requests each level answers at once, by its share of `total`; at least one."""
    levels_ = tuple(levels)
    everything = sum(level.shares for level in levels_) or 1
    # Nothing is borrowed here: a level without shares would never answer.
    return {level.name: max(1, -(-total * level.shares // everything)) for level in levels_}


def _queuing(response: Json) -> Queuing | None:
    if response.get("type") != "Queue":
        return None
    queuing, usual = response.get("queuing") or {}, Queuing()
    return Queuing(
        queuing.get("queues") or usual.queues,
        queuing.get("handSize") or usual.hand_size,
        queuing.get("queueLengthLimit") or usual.length,
    )

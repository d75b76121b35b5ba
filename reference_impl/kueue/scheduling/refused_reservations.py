"""Workloads whose reservation is refused again and again: each waits a while, so that others have their turn.

The release tries such a head again at once for ever: nothing behind it that needs the same quota is admitted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ...api.resource import Key
from ...runtime.backoff import Backoff

REFUSALS_IN_A_ROW: Final = 5
"""So many are tried again at once, as in the release."""
FIRST_SECONDS: Final = 1.0
LONGEST_SECONDS: Final = 300.0


@dataclass(slots=True)
class Refusals:
    """The refusals of one Workload, and when it is tried again."""

    uid: str
    count: int = 0
    backoff: Backoff = field(default_factory=lambda: Backoff(base=FIRST_SECONDS, limit=LONGEST_SECONDS))


@dataclass(slots=True)
class RefusedReservations:
    """Counts refusals in a row, and keeps who waits in which ClusterQueue until when."""

    _refusals: dict[Key, Refusals] = field(default_factory=dict)
    _waiting: dict[Key, tuple[str, float]] = field(default_factory=dict)

    def count(self, key: Key, uid: str) -> float:
        """Count a refusal; return the seconds that the Workload waits, 0 while it is tried again at once."""
        refusals = self._refusals.get(key)
        if refusals is None or refusals.uid != uid:
            refusals = self._refusals[key] = Refusals(uid)
        refusals.count += 1
        return refusals.backoff.next() if refusals.count > REFUSALS_IN_A_ROW else 0.0

    def wait(self, key: Key, cluster_queue: str, until: float) -> None:
        """Note that a Workload waits."""
        self._waiting[key] = cluster_queue, until

    def forget(self, key: Key) -> None:
        """Forget a Workload that holds its quota, or is gone."""
        self._refusals.pop(key, None)
        self._waiting.pop(key, None)

    def pop_due(self, current_time: float) -> dict[str, set[Key]]:
        """Return the Workloads whose wait is over, by ClusterQueue."""
        due: dict[str, set[Key]] = {}
        for key, (name, until) in [*self._waiting.items()]:
            if until <= current_time:
                due.setdefault(name, set()).add(key)
                del self._waiting[key]
        return due

    @property
    def next_due(self) -> float | None:
        """When the next wait is over; None while nothing waits."""
        return min((until for _, until in self._waiting.values()), default=None)

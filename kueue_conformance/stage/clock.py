"""Time as a scenario speaks of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from ..bench import Bench

Thing = TypeVar("Thing")
_NEARLY, _HALF = 0.98, 0.5


class Clock:
    """Reads the cluster's time and lets it pass."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def now(self) -> float:
        """Return the cluster's present, in seconds since the epoch."""
        return self._bench.cluster.now()

    def passes(self, seconds: float) -> None:
        """Let time pass: at once on a virtual clock, really elsewhere."""
        self._bench.acts()
        self._bench.cluster.wait(lambda: False, seconds, self._bench.react)

    def passes_budget(self, name: str) -> None:
        """Let as much time pass as a named budget has."""
        self.passes(self._bench.budgets.seconds(name))

    @property
    def hold(self) -> int:
        """Seconds for which Kueue can be told to wait, so that it is seen to do so: minutes on a virtual clock, fewer elsewhere."""
        return int(self._bench.budgets.seconds("hold"))

    def nearly_passes(self, seconds: float) -> None:
        """Let a delay come close to its end; in real time half of it passes, since a busy machine is late."""
        self.passes(seconds * (_NEARLY if self._bench.budgets.virtual else _HALF))

    def ticks(self) -> None:
        """Let the time move on by what the API can tell apart, so that what happens next is later (AC-008)."""
        self.passes(1)

    def in_turn(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Yield things so that each comes later than the one before it (AC-008)."""
        for one in things:
            yield one
            self.ticks()

    def comes_to_rest(self) -> None:
        """Return when nothing more happens."""
        self._bench.rest()

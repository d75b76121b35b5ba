"""Time as a scenario speaks of it."""

from __future__ import annotations

from ..bench import Bench


class Clock:
    """Reads the cluster's time and lets it pass."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def now(self) -> float:
        """Return the cluster's present, in seconds since the epoch."""
        return self._bench.cluster.now()

    def passes(self, seconds: float) -> None:
        """Let time pass: at once on a virtual clock, really elsewhere."""
        self._bench.cluster.wait(lambda: False, seconds, self._bench.react)

    def passes_budget(self, name: str) -> None:
        """Let as much time pass as a named budget has."""
        self.passes(self._bench.budgets.seconds(name))

    def ticks(self) -> None:
        """Let the time move on by what the API can tell apart, so that what happens next is later (AC-008)."""
        self.passes(1)

    def comes_to_rest(self) -> None:
        """Return when nothing more happens."""
        self._bench.rest()

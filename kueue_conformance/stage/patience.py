"""How one knows that a controller in virtual time has seen everything: it is at rest, and has had time to ask again (design.md §6)."""

from __future__ import annotations

from ..bench import Bench


class Patience:
    """Lets time pass; no canary is needed where quiet is known."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def waits(self) -> float:
        """Return when a subject that asks at intervals has asked again, and has done what follows."""
        self._bench.cluster.passes(self._bench.budgets.seconds("patience"), self._bench.react)
        return 0.0

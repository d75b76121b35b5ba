"""How one knows that a foreign controller has seen everything: a Workload made afterwards was answered (design.md §6).

Watches bring events in order, and the verdict on the canary is given only to the second question about it. So a controller
that answers it has read what was written before, and has asked again about everything it waits for.
"""

from __future__ import annotations

import time

from ..bench import Bench
from ..errors import Nonconformance
from .check import Check
from .kueue import Kueue
from .stage import Stage
from .subject import Subject
from .workload import Workload

_CALM = 3.0
"""How many times the slowest reaction nothing must happen (design.md §6)."""


class Canary:
    """Makes one Workload after another, with a check of its own."""

    def __init__(self, bench: Bench, stage: Stage, subject: Subject, kueue: Kueue) -> None:
        self._bench = bench
        self._stage = stage
        self._subject = subject
        self._kueue = kueue
        self._check: Check | None = None
        self._reactions: list[float] = []

    def sings(self) -> float:
        """Return when a new Workload was answered, with the calm that is needed then. Raises Nonconformance.

        Where no questions are seen it takes two: the second one came when the first was answered, so that a subject that looks
        at everything in turn has begun anew since.
        """
        for _ in range(1 if self._subject.asks else 2):
            self._sings_once()
        return _CALM * max(self._reactions)

    def _sings_once(self) -> None:
        workload = Workload(self._bench, self._stage.namespace, self._stage.names.name("canary"))
        check = self._check = self._check or self._subject.check()
        if self._subject.asks:
            self._subject.will_answer_in_turn("Pending", "Ready", about=workload)
        else:
            self._subject.will_answer("Ready", about=workload)
        self._kueue.takes_in(workload, check)
        began, budget = time.monotonic(), self._bench.budgets.seconds("react")
        seen = self._bench.cluster.wait(
            lambda: bool(workload.has_states("Ready", check)), budget, self._bench.react
        )
        if not seen:
            raise Nonconformance(
                f"{self._bench.scenario}  the subject has gone silent: {workload}, made only to see whether it still answers, "
                f"got no verdict within the budget 'react' ({workload.has_states('Ready', check).observed})"
            )
        self._reactions.append(time.monotonic() - began)

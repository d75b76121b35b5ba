"""Keeps an operator running during a run, as a kubelet does: when it ends, it is started again."""

from __future__ import annotations

from pathlib import Path

from ..cluster.fake_cluster import FakeCluster
from .operators import Operator, RunningOperator
from .rest import Activity

MOST_CRASHES = 5
"""How often an operator may end by itself in one run."""


class OperatorEndedError(Exception):
    """The operator ends again and again, or where it must not; the text says how."""


class Supervisor:
    """The operator of one run, in one life after the other."""

    def __init__(
        self, operator: Operator, cluster: FakeCluster, folder: Path, activity: Activity, most_crashes: int
    ) -> None:
        self._operator = operator
        self._cluster = cluster
        self._folder = folder
        self._activity = activity
        self._most_crashes = most_crashes
        self._running: RunningOperator | None = None
        self._was_killed = False
        self._asked_before = 0
        self.lives = 0
        self.crashes: list[str] = []
        """How it ended by itself."""

    def start(self) -> None:
        """Start it. Raises ExploreError when that is not possible."""
        self._was_killed = False
        self.lives += 1
        self._asked_before = self._activity.asked
        self._activity.touch()
        self._running = self._operator.start(self._cluster, self._folder, self.lives)

    start_again = start

    def kill(self) -> None:
        """Kill it; `tend` starts it again. May be called on the cluster's loop."""
        self._was_killed = True
        if self._running is not None:
            self._running.kill()

    def keep_down(self) -> None:
        """Kill it, and do not start it again."""
        self.kill()
        self._end_life()

    def stop(self) -> None:
        """End it."""
        self._end_life()

    def tend(self) -> None:
        """Start it again when it has ended. Raises OperatorEndedError when that happens too often."""
        death = self._running.death if self._running is not None else None
        if death is None:
            return
        if not self._was_killed:
            self.crashes.append(death)
            if len(self.crashes) > self._most_crashes:
                raise OperatorEndedError(death)
        self._end_life()
        self.start()

    @property
    def is_up(self) -> bool:
        """Whether it has asked for something in this life, or is down on purpose; one that waits for a
        processor is at work.
        """
        if self._running is None:
            return True
        if self._running.is_waiting_for_cpu:
            self._activity.touch()
        return self._activity.asked > self._asked_before

    def _end_life(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.stop()

"""Keeps a subject alive for the cases of one worker: one on each cluster, started again after it has died.

On virtual time each case has a cluster of its own, and a subject of its own that ends with it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ..backends import Cluster
from ..budget import Budgets
from ..errors import SubjectDied
from .declaration import Declaration
from .running import RunningSubject


class Supervision:
    """Starts the subject with the first case that needs it."""

    def __init__(self, declaration: Declaration, budgets: Budgets) -> None:
        self._declaration = declaration
        self._connector = declaration.connector()
        self._budgets = budgets
        self._running: dict[str, RunningSubject] = {}
        self._stillborn: SubjectDied | None = None
        self._numbers = count(1)
        """Of replicas on a cluster that is used again: a user that was cut off never comes back."""

    def on(self, cluster: Cluster, announce: Callable[[str], None]) -> RunningSubject:
        """Return the subject that works on a cluster. Raises SubjectDied, at once when it could never be started."""
        if self._stillborn is not None:
            raise self._stillborn
        running = self._running.get(cluster.kubeconfig)
        if running is not None and running.is_whole:
            return running
        if running is not None:
            running.stop()
        fresh = RunningSubject(
            self._declaration,
            self._connector,
            self._budgets,
            count(1) if self._budgets.virtual else self._numbers,
        )
        self._running[cluster.kubeconfig] = fresh
        try:
            fresh.start(cluster, announce)
        except SubjectDied as death:
            # One that has worked before may have been disturbed; the next case tries again.
            self._stillborn = death if running is None else None
            raise
        return fresh

    def leave(self, cluster: Cluster) -> None:
        """Leave one replica for the next case; none where the cluster ends with this one."""
        running = self._running.get(cluster.kubeconfig)
        if running is None:
            return
        running.stop_others()
        if self._budgets.virtual:
            del self._running[cluster.kubeconfig]
            running.stop()

    def stop(self) -> None:
        """End every one."""
        for running in self._running.values():
            running.stop()
        self._running.clear()

"""Keeps a subject alive for the cases of one worker:
one on each cluster, started again after it has died or was disturbed.

On virtual time each case has a cluster of its own, and a subject of its own that ends with it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ..backends.cluster import Cluster
from ..base.budget import Budgets
from ..base.errors import SubjectDied, SubjectFileError
from .declaration import Declaration
from .running_subject import RunningSubject


class Supervision:
    """Starts the subject with the first case that needs it."""

    def __init__(self, declaration: Declaration, budgets: Budgets) -> None:
        self._declaration = declaration
        self._connector = declaration.connector()
        self._budgets = budgets
        self._running: dict[str, RunningSubject] = {}
        self._worked = False
        # A subject that never started fails every case; the time-out is waited for once.
        self._stillborn: SubjectDied | SubjectFileError | None = None
        self._numbers = count(1)
        """Of replicas on a cluster that is used again: a user that was cut off never comes back."""

    @property
    def controller_name(self) -> str:
        """The name that the subject answers for."""
        return self._declaration.controller_name

    def on(self, cluster: Cluster, announce: Callable[[str], None]) -> RunningSubject:
        """Return the subject that works on a cluster.

        Raises SubjectDied or SubjectFileError, at once when it could never be started.
        """
        if self._stillborn is not None:
            raise self._stillborn
        running = self._running.get(cluster.kubeconfig)
        # A replica that died, or a second one that a case left, would be judged in the next case.
        if running is not None and running.is_whole:
            running.turns_to_another_case()
            return running
        self._end(cluster)
        fresh = RunningSubject(
            self._declaration,
            self._connector,
            self._budgets,
            # A fork of a virtual cluster has no user that was cut off, so it counts from 1.
            count(1) if self._budgets.virtual else self._numbers,
        )
        # Before the start: what was begun is ended even when it fails.
        self._running[cluster.kubeconfig] = fresh
        try:
            fresh.start(cluster, announce)
        except (SubjectDied, SubjectFileError) as problem:
            if self._worked and isinstance(problem, SubjectFileError):
                # Its fields were right before: this start was disturbed.
                raise SubjectDied(str(problem.args[0]), hint=problem.hint) from problem
            # One that has worked before may have been disturbed; the next case tries again.
            self._stillborn = None if self._worked else problem
            raise
        self._worked = True
        return fresh

    def leave(self, cluster: Cluster, *, disturbed: bool = False) -> None:
        """Keep one replica for the next case; none where the cluster ends with this one, or where faults have
        struck and it can be started anew.

        Clients remember faults: they wait longer and longer
        before they try again, for minutes after all is well.
        """
        running = self._running.get(cluster.kubeconfig)
        if running is None:
            return
        running.stop_others()
        if self._budgets.virtual or (disturbed and not self._connector.alone):
            self._end(cluster)

    def _end(self, cluster: Cluster) -> None:
        running = self._running.pop(cluster.kubeconfig, None)
        if running is not None:
            running.stop()

    def stop(self) -> None:
        """End every one."""
        for running in self._running.values():
            running.stop()
        self._running.clear()

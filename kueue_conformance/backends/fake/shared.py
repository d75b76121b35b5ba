"""One cluster in real time for each worker and dialect, lent to case after case; isolation is by names (harness/H-36)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fakecluster.cluster import FakeCluster

from ... import scratch
from ...client import connect
from ...dialect import Dialect
from ...endpoint import Endpoint
from .. import CLOCK_SKEW, FAULTS, GARBAGE, JOURNAL, NOBODY, SERVER_RESTART, Inside, Prepare
from .faults import SubjectFaults
from .identity import identity, user_of
from .journal import JournalRecorder
from .judged import Judged

_POLL = 0.1
"""Seconds after which a condition is looked at again although nothing was written: it may be about something else."""
_RESTLESS = 10.0


class WallFakeBackend:
    """Keeps one cluster in real time for each dialect and lends it to case after case; isolation is by names (H-36)."""

    name = "fake"
    features = frozenset({JOURNAL, FAULTS, SERVER_RESTART, CLOCK_SKEW, GARBAGE})
    shared = False
    handle = program = ""

    def __init__(self) -> None:
        self._clusters: dict[str, tuple[FakeCluster, Path]] = {}
        self._judged = Judged()
        self._folder = scratch.folder()

    def lend(self, dialect: Dialect, prepare: Prepare | None = None, webhooks: Inside = NOBODY) -> WallLease:
        """Return the worker's cluster for one case, with a story that begins now."""
        del webhooks
        if dialect.name not in self._clusters:
            cluster = FakeCluster(clock="wall", controllers="namespaces,garbage").start()
            file = Path(self._folder.name) / f"{dialect.name}.kubeconfig"
            cluster.kubeconfig(file)
            self._clusters[dialect.name] = cluster, file
            if prepare is not None:
                prepare(WallLease(cluster, file))
        return WallLease(*self._clusters[dialect.name])

    def api_server(self) -> Endpoint:
        """Return a cluster as a real API server is run: real time, RBAC, nobody but its clients at work."""
        return self._judged.endpoint()

    def close(self) -> None:
        """Remove what was made."""
        self._judged.close()
        for cluster, _ in self._clusters.values():
            cluster.stop()
        self._clusters.clear()
        self._folder.cleanup()


class WallLease:
    """A running fake cluster in real time, and the journal as recorder."""

    def __init__(self, cluster: FakeCluster, file: Path) -> None:
        self._cluster = cluster
        self.kubeconfig = str(file)
        self.transport = connect(self.kubeconfig)
        self.recorder = JournalRecorder(cluster)
        self.faults = SubjectFaults(cluster)
        self._news = threading.Event()
        self._forget = cluster.journal.subscribe(lambda entry: self._news.set() if entry.wrote else None)

    def restart_server(self, pause: float) -> None:
        """Stop the server and start it again on the same port after so many seconds; what is stored stays."""
        self._cluster.restart(pause)

    def skew(self, seconds: float) -> None:
        """Let the server's time be ahead of that of the subject."""
        self._cluster.skew(seconds)

    def now(self) -> float:
        """Return the cluster's present."""
        return self._cluster.clock.now()

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Let things happen until the condition holds or the time is over."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            if not react():
                self._changes_within(_POLL)
        return True

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Return when nothing was written for so long; with something that never stops writing, after a while."""
        deadline = time.monotonic() + max(_RESTLESS, seconds)
        while (react() or self._changes_within(seconds)) and time.monotonic() < deadline:
            pass

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run a coroutine on the cluster's loop."""
        return self._cluster.run(work(self._cluster.clock))

    def identity_for_subject(self, folder: Path, replica: int = 1) -> str:
        """Return a kubeconfig for a replica of the subject."""
        return identity(self._cluster, folder, replica)

    def cut_off(self, replica: int) -> None:
        """Answer a replica of the subject no more."""
        self.faults.cut_off(user_of(replica))

    def close(self) -> None:
        """End the story, and what disturbed it; the cluster is the worker's."""
        self.faults.clear()
        self.skew(0.0)
        self._forget()

    def _changes_within(self, seconds: float) -> bool:
        found = self._news.wait(seconds)
        self._news.clear()
        return found

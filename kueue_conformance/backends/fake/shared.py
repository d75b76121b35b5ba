"""One cluster in real time for each worker and dialect,
used by case after case; isolation is by names (harness/H-36).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.journal import Entry

from ...base.json_types import Json
from ...scenarios.dialect import Dialect
from ..backend import NO_FUNCTIONS, InProcessFunctions, Prepare
from ..deadline import Deadline
from ..features import (
    AUTOSCALER_FAULTS,
    BARE_API_SERVER,
    CLOCK_SKEW,
    CONTROLLERS,
    FAULTS,
    GARBAGE,
    JOURNAL,
    SERVER_RESTART,
)
from ..interception.faults import SubjectFaults
from ..poll_pacing import PacedPoll
from ..rest_timeout import RestTimeout
from .in_process_transport import InProcessTransport
from .lease import AUTOSCALER, ClusterLease, ClusterLender

_POLL_SECONDS = 0.1
"""Seconds after which a condition is evaluated again without a write: it may not depend on the cluster."""


class WallFakeBackend(ClusterLender):
    """Keeps one cluster in real time for each dialect and lends
    it to case after case; isolation is by names (H-36).
    """

    features = BARE_API_SERVER | {
        CONTROLLERS,
        AUTOSCALER_FAULTS,
        JOURNAL,
        FAULTS,
        SERVER_RESTART,
        CLOCK_SKEW,
        GARBAGE,
    }

    def __init__(
        self,
        rights: Sequence[Json] | None = None,
        tell: Callable[[str], None] = print,
        delay_seed: int | None = None,
    ) -> None:
        super().__init__(rights, delay_seed)
        self._rest_timeout = RestTimeout(tell)
        self._clusters: dict[str, tuple[FakeCluster, Path]] = {}

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> WallLease:
        """Return the worker's cluster for one case, with a story that begins now."""
        if dialect.name not in self._clusters:
            cluster = self._keep(
                FakeCluster(
                    clock="wall",
                    # A namespace that is deleted goes only when a controller empties it, and a
                    # real cluster removes what lost its owner.
                    controllers="namespaces,garbage",
                    authorization=self._authorization,
                    converters=functions.converters,
                )
            )
            file = self._file(dialect.name)
            cluster.kubeconfig(file)
            self._clusters[dialect.name] = cluster, file
            if prepare is not None:
                prepare(WallLease(cluster, file, self._rest_timeout))
        return WallLease(*self._clusters[dialect.name], self._rest_timeout, self._delay_seed)


class WallLease(ClusterLease):
    """A running fake cluster in real time, and the journal as recorder."""

    def __init__(
        self, cluster: FakeCluster, file: Path, rest_timeout: RestTimeout, delay_seed: int | None = None
    ) -> None:
        super().__init__(cluster, file, InProcessTransport(cluster), delay_seed)
        self.autoscaler_faults = SubjectFaults(cluster, AUTOSCALER)
        self._rest_timeout = rest_timeout
        self._news = threading.Event()
        self._forget = cluster.journal.subscribe(self._wake)

    def ends(self, react: Callable[[], bool]) -> bool:
        """Do nothing: a later write of the subject is judged by the case that waits for it."""
        del react
        # Not quiet: in real time it cannot be told whether the subject is about to write.
        return False

    def restart_server(self, pause: float) -> None:
        """Stop the server and start it on the same port after `seconds`; its objects stay."""
        self._cluster.restart(pause)

    def skew(self, seconds: float) -> None:
        """Set the server's clock ahead of the subject's."""
        self._cluster.skew(seconds)

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Wait until the condition holds or the seconds are over; `within` ends here in real time."""
        deadline, poll = Deadline(seconds), PacedPoll(condition)
        while not poll.holds():
            self._keep_story()
            # Checked after the condition, so that a wait of 0 seconds still evaluates it once.
            if not deadline.end_turn():
                self.was_wait_too_short = deadline.is_early()
                return False
            # After a reaction the condition is evaluated at once: its effect may be what is
            # waited for.
            if not react():
                self._changes_within(_POLL_SECONDS)
        return True

    def passes(self, seconds: float, react: Callable[[], bool]) -> None:
        """Let real time pass."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end, seconds, react)

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Wait until nothing was written for `seconds`;
        a client that never stops writing ends the wait after a time-out.
        """
        deadline = time.monotonic() + max(self._rest_timeout.seconds, seconds)
        # A stand-in's own write begins the quiet anew, as any other write does.
        while react() or self._changes_within(seconds):
            if time.monotonic() >= deadline:
                self._rest_timeout.record_timeout(self)
                return

    def close(self) -> None:
        """End the story and its faults; the cluster belongs to the worker."""
        self.faults.clear()
        # The cluster serves the next case, whose subject's clock is in step.
        self.skew(0.0)
        self._forget()

    def _wake(self, entry: Entry) -> None:
        """End a wait that this request may concern."""
        # Reads do not: a subject that polls would make every condition be evaluated all the time. A leader
        # renews its Lease as long as it lives, and would never be at rest.
        if entry.wrote and entry.resource != "leases":
            self._news.set()

    def _keep_story(self) -> None:
        """Read the journal so far: it drops its oldest entries, and a wait may be long."""
        self.recorder.changes()
        self.recorder.requests()

    def _changes_within(self, seconds: float) -> bool:
        # Cleared after the wait: a write between two waits ends the next one at once in place of
        # being lost.
        is_set = self._news.wait(seconds)
        self._news.clear()
        return is_set

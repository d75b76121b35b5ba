"""An existing cluster, reached through a kubeconfig:
real time, a watch as recorder, only our own objects touched.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from ..history.story import Owns
from ..programs.proof import Proof, of_server
from ..scenarios.dialect import Dialect
from ..wire.client import Client
from ..wire.endpoint import Endpoint
from ..wire.reader import Reader
from ..wire.transport import Transport, connect, endpoint
from .backend import NO_FUNCTIONS, InProcessFunctions, Prepare
from .background import BackgroundLoop
from .cluster import lacking
from .deadline import Deadline
from .features import AGGREGATED_ROLES, CLOCK_SKEW, CONTROLLERS, FRONT, GARBAGE, PODS, SLOW_REVIEWS
from .interception.faults import SubjectFaults
from .interception.front import SubjectFront
from .interception.identity import user_of
from .poll_pacing import PacedPoll
from .rest_timeout import RestTimeout
from .watch_recorder import WatchLog, WatchRecorder

_POLL_SECONDS = 0.1
"""Seconds after which a condition is evaluated again without a write: it may not depend on the cluster."""
# Below one second, the shortest delay that Kueue itself puts before an action.
_TIMES, _LONGEST_CALM = 3.0, 0.9


class KubeconfigBackend:
    """Lends the one cluster to every case; isolation is by names."""

    name = "kubeconfig"
    features = frozenset({PODS, GARBAGE, AGGREGATED_ROLES, *FRONT})
    shared = True
    handle = program = ""

    def __init__(
        self,
        path: str,
        context: str = "",
        host_address: str = "127.0.0.1",
        tell: Callable[[str], None] = print,
        delay_seed: int | None = None,
    ) -> None:
        self._path = path
        self._delay_seed = delay_seed
        self._rest_timeout = RestTimeout(tell)
        self._host_address = host_address
        self._context = context
        self._transport: Transport | None = None
        self._log: WatchLog | None = None
        self._loop = BackgroundLoop()
        self._front = SubjectFront(path, context, host_address)

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> LiveCluster:
        """Return the cluster. Raises EnvironmentProblem when it does not answer."""
        del dialect, prepare, functions
        # One pool of connections for all cases: a handshake for each would cost more than its
        # requests.
        transport = self._transport = self._transport or connect(self._path, self._context)
        if self._log is None:
            # A server that does not answer is told here, in one line, and not by threads that
            # watch.
            Client(transport, agent="kueue-conformance").call("GET", "/version")
            # A User-Agent of its own: journals must not take the reads of the story for those of
            # a scenario.
            reader = Reader(self._path, self._context, agent="kueue-conformance/1 story")
            self._log = WatchLog(reader, self._delay_seed)
        return LiveCluster(
            self._path,
            transport,
            self._log,
            self._front,
            self._loop,
            self._host_address,
            self._rest_timeout,
            self._context,
        )

    def api_server(self, *, controllers: bool = False) -> Endpoint:
        """Return the cluster's server; alice and bob are impersonated,
        which needs the right to impersonate.
        """
        if controllers:
            raise lacking(CONTROLLERS)
        return endpoint(self._path, self._context)

    def proof(self) -> Proof:
        """Return the proof from the server's version. Raises Unproven."""
        transport = self._transport or connect(self._path, self._context)
        return of_server(Client(transport, agent="kueue-conformance").call("GET", "/version"))

    def save_failure_logs(self) -> None:
        """Save nothing: the cluster outlives the run."""

    def close(self) -> None:
        """Remove what was made."""
        if self._log is not None:
            self._log.stop()
        self._front.close()
        self._loop.close()


class LiveCluster:
    """A cluster in real time."""

    mark = ""
    log: Path | None = None

    def __init__(
        self,
        kubeconfig: str,
        transport: Transport,
        log: WatchLog,
        front: SubjectFront,
        loop: BackgroundLoop,
        host_address: str,
        rest_timeout: RestTimeout,
        context: str = "",
    ) -> None:
        self.kubeconfig = kubeconfig
        self._context = context
        self.host_address = host_address
        # Every revision that the harness writes is noted, so that the story can wait until its
        # watch has it.
        self.transport = log.witness(transport)
        self._log = log
        self._front = front
        self._faults: SubjectFaults | None = None
        self.recorder = WatchRecorder(log, lambda *_: False, front)
        self._loop = loop
        self._calm = 0.0
        self._rest_timeout = rest_timeout

    @cached_property
    def endpoint(self) -> Endpoint:
        """The API server for any request."""
        return endpoint(self.kubeconfig, self._context)

    def begins(self, owns: Owns, calm: float) -> None:
        """Start to record a case, and to watch the cluster if it is not watched yet."""
        self._log.start()
        self._calm = calm
        self.recorder = WatchRecorder(self._log, owns, self._front)

    @property
    def faults(self) -> SubjectFaults | None:
        """The faults of the front; None for a subject that does not pass through it."""
        self._faults = self._faults or self._front.faults()
        return self._faults

    @property
    def kueue_faults(self) -> None:
        """Return None: Kueue's requests do not pass through the front."""

    @property
    def autoscaler_faults(self) -> None:
        """Return None: an autoscaler's requests do not pass through the front."""

    def ends(self, react: Callable[[], bool]) -> bool:
        """Wait until the effects of the case are done, for cases that wait for quiet."""
        if self._calm:
            self.rest(self._calm, react)
        return bool(self._calm)

    def restart_server(self, pause: float) -> None:
        """Close the front and open it again after `seconds`; the API server itself goes on."""
        self._front.restart(pause)

    ahead = 0.0
    was_wait_too_short = False
    dial: Callable[[asyncio.Protocol], None] | None = None

    def skew(self, seconds: float) -> None:
        """Raise UsageError: the server is not ours."""
        del seconds
        raise lacking(CLOCK_SKEW)

    def now(self) -> float:
        """Return the cluster's time."""
        return time.time()

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Wait until the condition holds or the time is over."""
        deadline, poll = Deadline(seconds), PacedPoll(condition)
        # PacedPoll slows down costly conditions: the subject needs the machine for its answers.
        while not self._holds(poll.holds):
            if not deadline.end_turn():
                self.was_wait_too_short = deadline.is_early()
                return False
            if not react():
                self.recorder.await_change(_POLL_SECONDS)
        return True

    def _holds(self, condition: Callable[[], bool]) -> bool:
        """Tell whether the condition holds, at quiet where that is required;
        stand-ins run only after a first evaluation.
        """
        if self._calm:
            # Stand-ins do not run in this quiet: their reaction would come before the first
            # evaluation.
            self.rest(self._calm, lambda: False)
        return condition()

    def passes(self, seconds: float, react: Callable[[], bool]) -> None:
        """Let real time pass."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end, seconds, react)

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Wait until nothing was written for `seconds`, on a slow machine for longer: three times the slowest
        reaction (design.md §6), less than Kueue's delays.
        """
        deadline = time.monotonic() + max(self._rest_timeout.seconds, seconds)
        while react() or self.recorder.await_change(
            # A machine on which reactions take long would look quiet between two of them.
            max(seconds, min(_LONGEST_CALM, _TIMES * self.recorder.slowest()))
        ):
            if time.monotonic() >= deadline:
                self._rest_timeout.record_timeout(self)
                return

    def answer_for(self, service: str, handler: Callable[[Any], Any]) -> Callable[[], None]:
        """Raise UsageError: this API server reaches Services over the network only."""
        del service, handler
        raise lacking("API servers that are functions of this process")

    def answer_reviews(self, url: str, function: Callable[[Any], Any]) -> Callable[[], None]:
        """Raise UsageError: this API server calls webhooks over the network only."""
        del url, function
        raise lacking("webhooks that are functions of this process")

    def reviews_take(self, seconds: float) -> None:
        """Raise UsageError: the server is not ours."""
        del seconds
        raise lacking(SLOW_REVIEWS)

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run a coroutine on the cluster's loop."""
        # None: there is no clock but the machine's.
        return self._loop.run(work(None))

    def identity_for_subject(self, folder: Path, replica: int = 1, account: str = "") -> str:
        """Return a kubeconfig for a replica of the subject that leads through the front."""
        return self._front.identity(folder, replica, account)

    def cut_off(self, replica: int) -> None:
        """Refuse all requests of a replica of the subject."""
        if self.faults is not None:
            self.faults.cut_off(user_of(replica))

    def close(self) -> None:
        """Remove the faults; the case's client deletes its objects."""
        if self._faults is not None:
            self._faults.clear()

"""A fork of a prepared cluster with a virtual clock of its own, for each case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.server.quiescence import QUIET_BUDGET_SECONDS, NotQuiet

from ...base.errors import Nonconformance
from ...base.json_types import Json
from ...scenarios.dialect import Dialect
from ...wire.endpoint import Endpoint
from ..backend import NO_FUNCTIONS, InProcessFunctions, Prepare
from ..features import (
    AGGREGATED_ROLES,
    AUTOSCALER_FAULTS,
    BARE_API_SERVER,
    CLOCK_SKEW,
    CONTROLLERS,
    FAULTS,
    GARBAGE,
    JOURNAL,
    KUEUE_FAULTS,
    KUEUE_RESTART,
    SERVER_RESTART,
    SLOW_REVIEWS,
    VIRTUAL_TIME,
    WEBHOOKS,
)
from ..interception.faults import SubjectFaults
from .in_process_transport import InProcessTransport
from .lease import AUTOSCALER, ClusterLease, ClusterLender
from .storms import WriteLimit, describe_repetition

KUEUE = "kueue"
"""The first word of the User-Agent of a Kueue of any release."""
# Far above what a scenario needs: stand-ins that answer each other without end must end the case,
# not hang the run.
_TURNS = 10_000
_SETTLE_SECONDS = 0.25
"""Real seconds to wait for quiet before it is checked why the cluster is not quiet."""


class FakeBackend(ClusterLender):
    """Keeps a prepared cluster for each dialect, and one with webhooks, and lends forks of them."""

    def __init__(self, rights: Sequence[Json] | None = None, delay_seed: int | None = None) -> None:
        super().__init__(rights, delay_seed)
        judged = rights is not None
        controller_features = {GARBAGE} if judged else set()
        self.features = BARE_API_SERVER | {
            CONTROLLERS,
            VIRTUAL_TIME,
            JOURNAL,
            WEBHOOKS,
            FAULTS,
            SERVER_RESTART,
            CLOCK_SKEW,
            KUEUE_RESTART,
            KUEUE_FAULTS,
            AUTOSCALER_FAULTS,
            AGGREGATED_ROLES,
            SLOW_REVIEWS,
            *controller_features,
        }
        self._controllers = "garbage" if judged else "none"
        self._bases: dict[tuple[str, bool, bool, frozenset[str]], FakeCluster] = {}

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> FakeLease:
        """Return a cluster for one case."""
        # RBAC is enforced for a subject and for `extension`: elsewhere each request would pay for
        # a decision that nothing judges.
        key = dialect.name, bool(functions.reviews), functions.extension, functions.installed
        base = self._bases.get(key)
        if base is None:
            # Plain HTTP: TLS handshakes for each watch of each case would prove nothing about admission.
            base = self._keep(
                FakeCluster(
                    clock="virtual",
                    tls=False,
                    controllers=self._at_work(functions),
                    authorization="rbac" if functions.extension else self._authorization,
                    webhooks=functions.reviews,
                    converters=functions.converters,
                )
            )
            if prepare is not None:
                # Prepared before it is settled, and settled before it is kept: a fork copies a
                # cluster at rest, whose definitions are established.
                prepare(FakeLease(base, self._file("base")))
            base.settle()
            self._bases[key] = base
        # The base stays as it was prepared: each case works on a fork, and none sees what another
        # has written.
        fork = base.start().fork(on_call=functions.alone)
        return FakeLease(fork, self._file("case"), self._delay_seed)

    def _at_work(self, functions: InProcessFunctions) -> str:
        """Return the controllers to run in a cluster;
        aggregated ClusterRoles are filled where RBAC is enforced.
        """
        if not functions.extension:
            return self._controllers
        return "clusterroles" if self._controllers == "none" else f"{self._controllers},clusterroles"


class FakeLease(ClusterLease):
    """A running fake cluster with its virtual clock, and the journal as recorder."""

    def __init__(self, cluster: FakeCluster, file: Path, delay_seed: int | None = None) -> None:
        super().__init__(cluster, file, InProcessTransport(cluster), delay_seed)
        self.dial = cluster.dial
        self.kueue_faults = SubjectFaults(cluster, KUEUE)
        self.autoscaler_faults = SubjectFaults(cluster, AUTOSCALER)
        self._clock = cluster.virtual_clock
        self._write_limit = WriteLimit(cluster.journal, self.now)
        # One report is enough: the end of the case would run into the same storm.
        self._restless = False
        """A client sends requests without end, and that was reported."""

    @property
    def endpoint(self) -> Endpoint:
        """The API server for any request; no file is read."""
        return Endpoint.by_token(self._cluster.url, {"admin": self._cluster.token()})

    def ends(self, react: Callable[[], bool]) -> bool:
        """Let stand-ins finish: a wait that was fulfilled did not run them.

        A client without rest was reported by now.
        """
        if self._restless:
            return False
        # A verdict exists by now; what happens while the case ends must not replace it.
        with suppress(Nonconformance, NotQuiet):
            self._settle(react)
            self.recorder.complete()
            return True
        return False

    def restart_server(self, pause: float) -> None:
        """Cut every connection; on virtual time the port need not stay closed."""
        del pause
        self._cluster.restart()

    def skew(self, seconds: float) -> None:
        """Set the subject's clock behind: all other clients use the cluster's clock."""
        self.ahead = seconds

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Wait until the condition holds or the seconds are over; `within` ends here on virtual time."""
        deadline = self.now() + seconds
        # The condition is looked at before the deadline: what holds at rest at the last moment
        # counts.
        while not self._settle(react, condition):
            if self.now() >= deadline:
                return False
            # Time jumps to the next timer and no further: a condition that holds only between two
            # timers is still seen.
            with suppress(NotQuiet):  # which the next round looks into
                self._cluster.advance(
                    self._until(deadline, self._clock.next_due(), self.recorder.next_delivery()),
                    budget=_SETTLE_SECONDS,
                )
        return True

    def passes(self, seconds: float, react: Callable[[], bool]) -> None:
        """Let time pass; stand-ins run after each request, since only requests change what they see."""
        deadline = self.now() + seconds
        self._settle(react)
        while self.now() < deadline:
            with suppress(NotQuiet):  # which the next round looks into
                # Stops at each request: a stand-in reacts at the moment of the request, not at
                # the end of the span.
                self._cluster.advance_until_asked(
                    self._until(deadline, self.recorder.next_delivery()), budget=_SETTLE_SECONDS
                )
            self._settle(react)

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Wait for quiet that lasts `seconds`: Kueue batches some changes before it acts."""
        self.passes(seconds, react)  # after which everything has come to rest

    def close(self) -> None:
        """Remove what was made."""
        self._cluster.stop()

    def _until(self, deadline: float, *others: float | None) -> float:
        """Return the seconds until the first of these times, of which a deadline is the last."""
        return min([deadline, *(time for time in others if time is not None)]) - self.now()

    def _settle(self, react: Callable[[], bool], enough: Callable[[], bool] = lambda: False) -> bool:
        """Settle with stand-ins; returns the value of `enough`.

        Raises Nonconformance when a client writes the same object again and again meanwhile.
        """
        for _ in range(_TURNS):
            # The order matters: first rest, then the condition, then stand-ins. A stand-in that
            # acted first could undo what is waited for.
            self._calm()
            if enough():
                return True
            self._end_storm(self._write_limit.excess())
            if not react():
                return False
        raise AssertionError("the stand-ins never come to rest")

    def _calm(self) -> None:
        """Settle, however long work takes that sends requests.

        Raises Nonconformance when a client sends request after request at one moment of virtual time,
        NotQuiet when nothing comes to rest and no request was sent for `QUIET_BUDGET_SECONDS`.
        """
        journal = self._cluster.journal
        began = newest = journal.last
        silent = 0.0
        while True:
            try:
                self._cluster.settle(_SETTLE_SECONDS)
            except NotQuiet:
                self._end_storm(describe_repetition(journal.since(began)))
                # Slow work that sends requests is waited for however long it takes: on a busy
                # machine real seconds say nothing.
                silent = silent + _SETTLE_SECONDS if journal.last == newest else 0.0
                newest = journal.last
                if silent >= QUIET_BUDGET_SECONDS:
                    raise
            else:
                return

    def _end_storm(self, storm: str) -> None:
        """Raise Nonconformance with the description of a storm, if there is one."""
        if storm:
            self._restless = True
            raise Nonconformance(storm) from None

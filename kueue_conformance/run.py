"""One run: its settings, uid and seed, the backend and the control plane that its cases share."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from . import backends, control_planes
from .backends import VIRTUAL_TIME, Backend
from .bench import Bench
from .budget import Budgets
from .client import Client
from .control_planes import ControlPlane, Running
from .dialect import Dialect
from .options import Settings
from .scenario import Scenario

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def run_uid() -> str:
    """Return five letters that tell this run's objects from others'; the workers of one run share them."""
    shared = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    draw = random.Random(shared) if shared else random.SystemRandom()  # noqa: S311 - a name, not a secret
    return "".join(draw.choice(_LETTERS) for _ in range(5))


@dataclass(eq=False)
class Run:
    """Made lazily by the first case that needs it; `close` ends it."""

    settings: Settings
    uid: str = field(default_factory=run_uid)
    _backend: Backend | None = None
    _control_plane: ControlPlane | None = None
    _shared: ExitStack = field(default_factory=ExitStack)

    @property
    def shares_one_cluster(self) -> bool:
        """Every case works on the same cluster in real time, with one control plane for all workers."""
        return VIRTUAL_TIME not in self.backend.features

    def begin(self) -> None:
        """On the process that leads the run: prepare a cluster that all workers share and start its control plane."""
        if not self.shares_one_cluster:
            return
        dialect = self.settings.dialects[0]
        cluster = self.backend.lend(dialect)
        self._shared.callback(cluster.close)
        self.control_plane.install(cluster, dialect)
        self._shared.callback(self.control_plane.start(cluster, dialect).stop)

    @property
    def backend(self) -> Backend:
        """The backend, connected when first asked for."""
        if self._backend is None:
            self._backend = backends.connect(self.settings.backend)
        return self._backend

    @property
    def control_plane(self) -> ControlPlane:
        """Who plays Kueue."""
        if self._control_plane is None:
            self._control_plane = control_planes.choose(self.settings.control_plane, self.settings.backend)
        return self._control_plane

    def missing(self, scenario: Scenario) -> str:
        """Return the feature a scenario lacks here, empty when it can run."""
        if scenario.unsupported:
            return scenario.unsupported
        return next((need for need in scenario.needs if need not in self.backend.features), "")

    @contextmanager
    def bench(self, dialect: Dialect, scenario: str) -> Iterator[Bench]:
        """Lend a bench with a running control plane; everything the case made is removed at the end."""
        cluster = self.backend.lend(dialect, lambda base: self.control_plane.install(base, dialect))
        agent = f"kueue-conformance/1 {scenario}"
        playing = Playing(
            None if self.shares_one_cluster else lambda: self.control_plane.start(cluster, dialect)
        )
        try:
            playing.start()
            client = Client(cluster.transport, agent=agent, run=self.uid)
            bench = Bench(cluster, dialect, self._budgets(), client, scenario, playing.restart)
            try:
                with bench.current():
                    yield bench
            finally:
                if self.shares_one_cluster:
                    client.clean_up()
                playing.stop()
        finally:
            cluster.close()

    def close(self) -> None:
        """End what the run made."""
        self._shared.close()
        if self._backend is not None:
            self._backend.close()

    def _budgets(self) -> Budgets:
        return Budgets(not self.shares_one_cluster, self.settings.timeout_scale)


@dataclass(eq=False)
class Playing:
    """The control plane of one case: nobody where a shared one plays already."""

    begin: Callable[[], Running] | None
    running: Running | None = None

    def start(self) -> None:
        """Have it reconcile."""
        if self.begin is not None:
            self.running = self.begin()

    def stop(self) -> None:
        """End it."""
        if self.running is not None:
            self.running.stop()
            self.running = None

    def restart(self) -> None:
        """End it and start it anew."""
        self.stop()
        self.start()

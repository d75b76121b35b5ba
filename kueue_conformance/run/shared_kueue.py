"""The control plane that all cases share, where they share a cluster: begun by the process that leads the
run, configured anew for a case that wants that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

from ..backends.cluster import Cluster
from ..backends.features import WEBHOOKS
from ..control_planes import Running, Serving
from ..wire.client import Client
from .dialect_detection import with_detected_dialect
from .parts import Parts
from .shared_cluster import SharedClusterGuard

LOG = "kueue.log"
"""The log file of the reference on a shared cluster."""


@dataclass(eq=False)
class SharedKueue:
    """Nothing on a backend that makes a cluster for each case,
    and in a worker, whose leading process has begun it.
    """

    parts: Parts
    playing: Running | None = None
    """It, on the process that started it."""
    start_as: Callable[[frozenset[str]], Running] | None = None
    """Starts it with a configuration that switches on so much of `CONFIGURABLE`."""
    _held: ExitStack = field(default_factory=ExitStack)

    def begin(self, *, visible: Callable[[], bool]) -> None:
        """Prepare a cluster that all workers share and start its control plane, with its visibility server
        where that is `visible` to the cluster: only one that stands knows whether it reaches this machine.
        """
        dialect = self.parts.settings.dialects[0]
        cluster = self.parts.lent(dialect)
        folder = self.parts.settings.report_dir
        cluster.log = folder / LOG if folder else None
        self._held.callback(cluster.close)
        guard = self._guard(cluster)
        if guard:
            guard.arrive(self.parts.announce)
            self._held.callback(guard.leave)
        serving = Serving(
            webhooks="served" if WEBHOOKS in self.parts.backend.features else "none",
            visibility="served" if visible() else "none",
            provisioning=self.parts.provisions(),
        )
        self.parts.control_plane.install(cluster, dialect, serving)
        if guard:
            guard.resolve()
        self.start_as = lambda wanted: self.parts.control_plane.start(
            cluster, dialect, replace(serving, configured=wanted)
        )
        self.playing = self.start_as(serving.configured)
        self._held.callback(self._stop)
        self.parts.settings = with_detected_dialect(
            self.parts.settings, self.parts.control_plane.release(), self.parts.announce
        )

    @contextmanager
    def configured(self, wanted: frozenset[str]) -> Iterator[None]:
        """Configure it for one case until that ends.

        A real Kueue is as its manifests have it, for all cases.
        """
        ours = self.parts.control_plane.name == "reference"
        if not ours or self.start_as is None or self.playing is None or not wanted:
            yield
            return
        self.playing.stop()
        self.playing = self.start_as(wanted)
        try:
            yield
        finally:
            self.playing.stop()
            self.playing = self.start_as(frozenset())

    def close(self) -> None:
        """End it, and leave the cluster as it was found."""
        self._held.close()

    def _stop(self) -> None:
        if self.playing is not None:
            self.playing.stop()

    def _guard(self, cluster: Cluster) -> SharedClusterGuard | None:
        """Return the guard of other users' objects on a cluster that existed before the run."""
        reused = bool(self.parts.settings.cluster_options.reuse)
        if self.parts.backend.name != "kubeconfig" and not reused:
            return None
        client = Client(cluster.transport, agent="kueue-conformance", run=self.parts.uid)
        return SharedClusterGuard(
            client,
            self.parts.uid,
            self.parts.settings.control_plane,
            allowed=self.parts.settings.allow_neighbours,
            reused=reused,
        )

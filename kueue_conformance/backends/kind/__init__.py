"""A kind cluster made for one run, shared by its workers, deleted at the end (harness.md §8)."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from ...base.cluster_options import ClusterOptions
from ...programs.proof import Proof
from ...scenarios.dialect import Dialect
from ...wire.endpoint import Endpoint
from ..backend import NO_FUNCTIONS, InProcessFunctions, Prepare
from ..features import AGGREGATED_ROLES, FRONT, GARBAGE, OWN, PODS, REACHES_HOST, WEBHOOKS
from ..kubeconfig import KubeconfigBackend, LiveCluster
from . import node_image
from .engine import Engine
from .kind_program import KindProgram
from .new_cluster import NewCluster, Tell
from .reused_cluster import ReusedCluster, suitable


class KindCluster(Protocol):
    """A kind cluster that is ready."""

    kubeconfig: Path

    @property
    def description(self) -> str:
        """A short description of the cluster."""

    def explain(self) -> None:
        """Save logs that explain a failure."""

    def close(self, *, failed: bool) -> None:
        """Delete the cluster if this run made it."""


_ALWAYS = frozenset({PODS, GARBAGE, AGGREGATED_ROLES, *FRONT})


class KindBackend:
    """Makes a kind cluster on first use; otherwise like a cluster of backend kubeconfig.

    A worker of a run is given the kubeconfig of the cluster that the leading process made, and the address of
    this machine there.
    """

    name = "kind"
    shared = True

    def __init__(
        self,
        cluster_options: ClusterOptions,
        joined: str = "",
        tell: Tell = print,
        delay_seed: int | None = None,
    ) -> None:
        self._cluster_options = cluster_options
        self._delay_seed = delay_seed
        self._tell = tell
        # Address first: a path may hold spaces, an address cannot.
        self._host_address, _, self._path = joined.partition(" ")
        self._cluster: KindCluster | None = None
        self._live: KubeconfigBackend | None = None
        self._failed = False

    @property
    def features(self) -> frozenset[str]:
        """The features of the cluster; some need nodes that reach this machine, and a reused cluster may be
        shared with others.
        """
        # A reused cluster may serve another run at the same time.
        own = set() if self._cluster_options.reuse else {OWN}
        return _ALWAYS | own | ({REACHES_HOST, WEBHOOKS} if self._host_address else set())

    @property
    def handle(self) -> str:
        """The address of this machine as nodes see it, and the kubeconfig of the cluster."""
        return f"{self._host_address} {self._path}" if self._path else ""

    @property
    def program(self) -> str:
        """The cluster's description for the report."""
        return self._cluster.description if self._cluster else ""

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> LiveCluster:
        """Return the cluster. Raises ConformanceError when it cannot be made."""
        return self._standing().lend(dialect, prepare, functions)

    def api_server(self, *, controllers: bool = False) -> Endpoint:
        """Return the cluster's server; alice and bob are impersonated."""
        return self._standing().api_server(controllers=controllers)

    def proof(self) -> Proof:
        """Return the proof from the server's version. Raises Unproven."""
        return self._standing().proof()

    def save_failure_logs(self) -> None:
        """Save logs that explain a failure before the cluster is deleted."""
        # Remembered for `close`, which may keep the cluster of a run that failed.
        self._failed = True
        if self._cluster is not None:
            self._cluster.explain()

    def close(self) -> None:
        """Delete the cluster, unless it is to be kept."""
        if self._live is not None:
            # Watches and front go before their cluster is deleted.
            self._live.close()
        if self._cluster is not None:
            self._cluster.close(failed=self._failed)
            self._cluster = None

    def _standing(self) -> KubeconfigBackend:
        if self._live is None:
            if not self._path:
                self._cluster = _cluster(self._cluster_options, self._tell)
                self._path = str(self._cluster.kubeconfig)
                # After the cluster: kind makes its network, whose gateway this is, with the first
                # cluster.
                self._host_address = Engine.detect().host_address()
            self._live = KubeconfigBackend(
                self._path, host_address=self._host_address, delay_seed=self._delay_seed
            )
        return self._live


def look(cluster_options: ClusterOptions) -> None:
    """Raise ConformanceError when no cluster can be made: no program, daemon, image or disk space."""
    engine, kind = Engine.detect(), KindProgram.detect()
    if cluster_options.reuse:
        suitable(engine, kind, cluster_options)
    else:
        node_image.choose(engine, cluster_options)
        # Last: the image may have to be pulled, and then takes room itself.
        engine.check_room()


def _cluster(cluster_options: ClusterOptions, tell: Tell) -> KindCluster:
    engine, kind = Engine.detect(), KindProgram.detect()
    if cluster_options.reuse:
        return ReusedCluster.by_name(engine, kind, cluster_options)
    return NewCluster.fresh(engine, kind, cluster_options, tell)

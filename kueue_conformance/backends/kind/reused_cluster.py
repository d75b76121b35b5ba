"""A kind cluster that exists already: used if it fits and has no leftovers, and never deleted."""

from __future__ import annotations

from pathlib import Path

from ...base.cluster_options import ClusterOptions
from ...base.errors import EnvironmentProblem, UsageError, unknown
from ...base.files import scratch
from ...wire.client import Client
from ...wire.transport import connect
from ..leftovers import staying
from . import logs
from .engine import Engine
from .kind_program import KindProgram
from .node_readiness import lacks


class ReusedCluster:
    """An existing kind cluster, with a temporary kubeconfig of ours."""

    def __init__(self, kind: KindProgram, cluster_options: ClusterOptions, image: str) -> None:
        self._kind = kind
        self._cluster_options = cluster_options
        self._image = image
        self._folder = scratch.folder("kind-")
        self.kubeconfig = Path(self._folder.name) / "kubeconfig"
        # Made with its mode before it has content: a key must not be readable for a moment.
        self.kubeconfig.touch(mode=0o600)
        self.kubeconfig.write_text(kind.kubeconfig(cluster_options.reuse), encoding="utf-8")

    @classmethod
    def by_name(cls, engine: Engine, kind: KindProgram, cluster_options: ClusterOptions) -> ReusedCluster:
        """Return the cluster by its name.

        Raises ConformanceError when it is missing, unhealthy, or of another image.
        """
        cluster = cls(kind, cluster_options, suitable(engine, kind, cluster_options))
        try:
            cluster._check()
            for name in cluster_options.load:
                kind.load(cluster_options.reuse, name)
        except BaseException:
            cluster.close(failed=True)
            raise
        return cluster

    def _check(self) -> None:
        """Raise EnvironmentProblem when the cluster is unhealthy, or has leftovers of earlier runs."""
        name, client = (
            self._cluster_options.reuse,
            Client(connect(str(self.kubeconfig)), agent="kueue-conformance"),
        )
        if missing := next(lacks(client), ""):
            raise EnvironmentProblem(
                f"cluster {name!r} cannot be used: {missing}",
                hint=f"delete it (`kind delete cluster --name {name}`) and leave --kind-reuse out",
            )
        # A case that fails over objects of another run says nothing about this one's subject.
        if leftovers := staying(client):
            runs = ", ".join(sorted({leftover.run for leftover in leftovers}))
            raise EnvironmentProblem(
                f"cluster {name!r} still holds {len(leftovers)} objects of other runs ({runs}), such as {leftovers[0]}",
                hint=f"when they are over: kueue-conformance cleanup --kind-reuse {name}",
            )

    @property
    def description(self) -> str:
        """A short description of the cluster."""
        return f"kind {self._kind.version()}, node image {self._image}, cluster {self._cluster_options.reuse} used again"

    def explain(self) -> None:
        """Write the logs of nodes and pods, and all events, beside the report."""
        folder = self._cluster_options.logs / logs.FOLDER if self._cluster_options.logs else None
        logs.gather(self._kind, self._cluster_options.reuse, self.kubeconfig, folder)

    def close(self, *, failed: bool) -> None:
        """Remove our kubeconfig; the cluster stays."""
        del failed
        self._folder.cleanup()


def suitable(engine: Engine, kind: KindProgram, cluster_options: ClusterOptions) -> str:
    """Return the image of the cluster.

    Raises ConformanceError when it is missing, stopped or of another image.
    """
    clusters = kind.clusters()
    if cluster_options.reuse not in clusters:
        raise unknown("kind cluster", cluster_options.reuse, clusters)
    nodes = kind.nodes(cluster_options.reuse)
    for node in nodes:
        if not engine.runs(node):
            raise EnvironmentProblem(
                f"node {node} of cluster {cluster_options.reuse!r} does not run",
                hint=f"docker start {' '.join(nodes)}",
            )
    image = engine.image_of(nodes[0]) if nodes else ""
    if cluster_options.image and image != cluster_options.image:
        raise UsageError(
            f"cluster {cluster_options.reuse!r} is made from {image!r}, and --kind-image is {cluster_options.image!r}",
            hint="leave one of the two out",
        )
    return image

"""`upstream:manifests=FILE,images=ARCHIVE`: a release that is installed from its manifests, and deleted at
the end of the run.
"""

from __future__ import annotations

from ...backends.cluster import Cluster
from ...base.errors import EnvironmentProblem
from ...scenarios.dialect import Dialect
from ...subject.manifests import read_manifests
from ...wire.client import Client
from .. import DEFAULT_SERVING, Running, Serving
from ..applied import MANAGER, Applied
from . import awaiting, release
from .found import Found
from .words import Wanted


class Installed(Found):
    """Installs a Kueue into a cluster that has none."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self._manifests = [one for file in wanted.manifests for one in read_manifests(file)]
        self.images = tuple(map(str, wanted.images))

    def install(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> None:
        """Raise EnvironmentProblem when the cluster has a Kueue already."""
        del dialect, serving
        if not awaiting.unserved(Client(cluster.transport, agent=MANAGER, run=cluster.mark)):
            raise EnvironmentProblem(
                "the cluster has a Kueue already, and it is not replaced",
                hint="use --control-plane upstream for the existing one, or remove it",
            )

    def start(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> Running:
        """Apply the manifests; the webhooks answer when this returns."""
        del dialect, serving
        applied = Applied(
            Client(cluster.transport, agent=MANAGER, run=cluster.mark),
            self._manifests,
            "the Kueue of the manifests",
        )
        try:
            applied.apply()
        except BaseException:
            applied.stop()
            raise
        self._release = release.of_deployments(one for one in self._manifests if one["kind"] == "Deployment")
        return applied

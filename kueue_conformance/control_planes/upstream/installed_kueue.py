"""`upstream:manifests=FILE,images=ARCHIVE`: a release that is installed from its manifests, and deleted at
the end of the run.
"""

from __future__ import annotations

from ...backends.cluster import Cluster
from ...base.errors import EnvironmentProblem
from ...scenarios.dialect import Dialect
from ...subject.manifests import read_manifests
from ...wire.client import Client
from .. import DEFAULT_SERVING, RunningControlPlane, ServedApis
from ..applied_objects import MANAGER, AppliedObjects
from . import feature_gates, readiness, release
from .existing_kueue import ExistingKueue
from .request_definitions import install_request_definitions
from .sources import KueueSources


class InstalledKueue(ExistingKueue):
    """Installs a Kueue into a cluster that has none."""

    def __init__(self, sources: KueueSources) -> None:
        super().__init__()
        self._manifests = [manifest for file in sources.manifests for manifest in read_manifests(file)]
        self.images = tuple(map(str, sources.images))

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Install what Kueue does not bring. Raises EnvironmentProblem when the cluster has a Kueue."""
        del dialect, serving
        client = Client(cluster.transport, agent=MANAGER, run=cluster.mark)
        if not readiness.missing_kinds(client):
            raise EnvironmentProblem(
                "the cluster has a Kueue already, and it is not replaced",
                hint="use --control-plane upstream for the existing one, or remove it",
            )
        install_request_definitions(client)

    def start(
        self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING
    ) -> RunningControlPlane:
        """Apply the manifests; the webhooks answer when this returns."""
        del dialect, serving
        applied = AppliedObjects(
            Client(cluster.transport, agent=MANAGER, run=cluster.mark),
            self._manifests,
            "the Kueue of the manifests",
        )
        try:
            applied.apply()
        except BaseException:
            # BaseException, so that Ctrl-C during the installation leaves no half of a Kueue.
            applied.stop()
            raise
        self._gates = feature_gates.of_manifests(self._manifests)
        self._release = release.of_deployments(
            manifest for manifest in self._manifests if manifest["kind"] == "Deployment"
        )
        return applied

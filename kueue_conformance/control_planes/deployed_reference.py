"""`reference:deployed`: the reference as `kueue-reference manifests` prints it, in pods of the cluster.

A deployed reference is used as it is; else the manifests are applied, and taken away at the end of the run.
"""

from __future__ import annotations

from ..backends.cluster import Cluster
from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from ..programs.proof import KUEUE, Proof, refuse_imitation
from ..scenarios import dialect as dialects
from ..scenarios.dialect import Dialect
from ..wire.client import Client
from . import DEFAULT_SERVING, RunningControlPlane, ServedApis
from .applied_objects import MANAGER, AppliedObjects
from .reference import bundle, image
from .upstream import readiness, release
from .upstream.existing_kueue import ExistingKueue

_DIALECT = "--dialect="


class DeployedReference(ExistingKueue):
    """The reference as a Deployment."""

    name = "reference"
    selector = release.REFERENCE
    hint = "judge that one with --control-plane upstream"

    def __init__(self) -> None:
        super().__init__()
        self.images = (image(),)
        self._found = True

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Look for a deployed reference, and wait until it is ready."""
        client = Client(cluster.transport, agent=MANAGER, run=cluster.mark)
        deployments = release.deployments(client, self.selector)
        self._found = bool(deployments)
        if not deployments and not readiness.missing_kinds(client):
            raise EnvironmentProblem(
                f"the cluster has a Kueue, and no Deployment of it is labelled {self.selector}",
                hint=self.hint,
            )
        if deployments:
            super().install(cluster, dialect, serving)
            self._release = next(
                (version for deployment in deployments if (version := _spoken(deployment))), ""
            )

    def proof(self, cluster: Cluster) -> Proof:
        """Raise Unproven: the reference is not Kueue."""
        del cluster
        raise refuse_imitation("control plane reference:deployed", KUEUE)

    def start(
        self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING
    ) -> RunningControlPlane:
        """Apply the manifests if none was found; the webhooks answer when this returns."""
        if self._found:
            return super().start(cluster, dialect, serving)
        applied = AppliedObjects(
            Client(cluster.transport, agent=MANAGER, run=cluster.mark), bundle(dialect), "the reference"
        )
        try:
            applied.apply()
        except BaseException:
            applied.stop()
            raise
        return applied


def _spoken(deployment: Json) -> str:
    """Return the release that a deployed reference is configured for."""
    for container in deployment["spec"]["template"]["spec"]["containers"]:
        for word in container.get("args", ()):
            named = dialects.select(word.removeprefix(_DIALECT)) if word.startswith(_DIALECT) else ()
            if named and named[0].is_release:
                return f"v{named[0].version}"
    return ""

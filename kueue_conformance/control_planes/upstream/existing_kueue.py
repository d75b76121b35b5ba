"""A Kueue that runs in the cluster already: waited for, never started or stopped."""

from __future__ import annotations

from collections.abc import Mapping

from ...backends.backend import NO_FUNCTIONS, InProcessFunctions
from ...backends.cluster import Cluster
from ...backends.features import WEBHOOKS
from ...base.errors import EnvironmentProblem
from ...programs.proof import Proof, of_deployment
from ...scenarios.capability import PROVISIONING_REQUESTS
from ...scenarios.dialect import Dialect
from ...scenarios.feature_gates import NO_GATES
from ...wire.client import Client
from .. import DEFAULT_SERVING, RunningControlPlane, ServedApis
from . import feature_gates, readiness, release


class UnmanagedKueue:
    """A running Kueue that is not stopped."""

    def exit_reason(self) -> str:
        """Return "": the cluster restarts its pods."""
        return ""

    def stop(self) -> None:
        """Do nothing."""


class ExistingKueue:
    """Checks that Kueue's API is served."""

    name = "upstream"
    features: frozenset[str] = frozenset({WEBHOOKS, PROVISIONING_REQUESTS})
    lacks: frozenset[str] = frozenset()
    images: tuple[str, ...] = ()
    selector = release.SELECTOR
    hint = "install Kueue there, or use --control-plane reference"

    def __init__(self) -> None:
        self._release = ""
        self._gates = NO_GATES

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Install nothing.

        Raises EnvironmentProblem when the cluster has no Kueue, or it does not become ready.
        """
        del dialect, serving
        client = Client(cluster.transport, agent="kueue-conformance")
        if missing := readiness.missing_kinds(client):
            raise EnvironmentProblem(missing, hint=self.hint)
        deployments = release.deployments(client, self.selector)
        # A verdict about the reference must not be reported as one about Kueue.
        if not deployments and release.deployments(client, release.REFERENCE):
            raise EnvironmentProblem(
                "the Kueue of the cluster is the reference, and upstream means a real one",
                hint="use --control-plane reference:deployed",
            )
        self._release = release.of_deployments(deployments)
        self._gates = feature_gates.of_deployments(client, deployments)
        readiness.until(
            "the Kueue of the cluster is not ready",
            lambda: readiness.unready(client, deployments) or readiness.unavailable_webhook(client),
            hint="look at the pods and the log of its manager",
        )

    def start(
        self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING
    ) -> RunningControlPlane:
        """Return at once: Kueue runs already."""
        del cluster, dialect, serving
        return UnmanagedKueue()

    def in_process_functions(self, dialect: Dialect, serving: ServedApis) -> InProcessFunctions:
        """Return none."""
        del dialect, serving
        return NO_FUNCTIONS

    def uninstall(self) -> None:
        """Do nothing: nothing was installed."""

    def close(self) -> None:
        """Do nothing."""

    def version(self) -> str:
        """Return the version that the cluster has."""
        return self._release or "not observed"

    def release(self) -> str:
        """Return the version of its Deployment."""
        return self._release

    def feature_gates(self) -> Mapping[str, bool]:
        """Return those of its Configuration and its arguments."""
        return self._gates

    def proof(self, cluster: Cluster) -> Proof:
        """Return the proof from the image of its pods. Raises Unproven."""
        client = Client(cluster.transport, agent="kueue-conformance")
        pods = client.call("GET", "/api/v1/pods", labelSelector=self.selector)["items"]
        return of_deployment(release.deployments(client, self.selector), pods)

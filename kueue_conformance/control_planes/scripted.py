"""The harness as Kueue: it writes Workload status as a scenario says, so that only the subject is judged."""

from __future__ import annotations

from ..backends.backend import InProcessFunctions
from ..backends.cluster import Cluster
from ..scenarios.dialect import Dialect
from ..wire.client import Client
from ..wire.resource import KUEUE
from . import DEFAULT_SERVING, SCRIPTED, ServedApis
from .no_control_plane import NoControlPlane
from .reference import ReferenceControlPlane


class ScriptedControlPlane(NoControlPlane):
    """Installs Kueue's kinds and starts nothing: the scenario's words write what Kueue would write."""

    name = "scripted"
    features = frozenset({SCRIPTED})

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Create Kueue's kinds if missing; they come from the reference."""
        client = Client(cluster.transport, agent="kueue-conformance")
        if client.find("CustomResourceDefinition", f"workloads.{KUEUE}") is None:
            ReferenceControlPlane().install(
                cluster, dialect, ServedApis(older_versions=serving.older_versions)
            )

    def in_process_functions(self, dialect: Dialect, serving: ServedApis) -> InProcessFunctions:
        """Return the converters between the versions of Kueue's kinds."""
        return ReferenceControlPlane().in_process_functions(
            dialect, ServedApis(older_versions=serving.older_versions)
        )

"""The harness plays Kueue itself: it writes Workload status as a scenario says, so that only the subject is judged."""

from __future__ import annotations

from ..backends import Cluster, Inside
from ..dialect import Dialect
from ..wire.client import KUEUE, Client
from . import NOTHING_SERVED, SCRIPTED, Serving
from .nobody import NoControlPlane
from .reference import Reference


class Scripted(NoControlPlane):
    """Installs Kueue's kinds and starts nothing: the scenario's words write what Kueue would write."""

    name = "scripted"
    features = frozenset({SCRIPTED})

    def install(self, cluster: Cluster, dialect: Dialect, serving: Serving = NOTHING_SERVED) -> None:
        """Create Kueue's kinds where there are none; they are the reference's, the one source of them."""
        client = Client(cluster.transport, agent="kueue-conformance")
        if client.find("CustomResourceDefinition", f"workloads.{KUEUE}") is None:
            Reference().install(cluster, dialect, Serving(older_versions=serving.older_versions))

    def inside(self, dialect: Dialect, serving: Serving) -> Inside:
        """Return what converts between the versions of Kueue's kinds."""
        return Reference().inside(dialect, Serving(older_versions=serving.older_versions))

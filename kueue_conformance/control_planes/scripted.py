"""The harness plays Kueue itself: it writes Workload status as a scenario says, so that only the subject is judged."""

from __future__ import annotations

from ..backends import NOBODY, WEBHOOKS, Cluster, Inside
from ..client import KUEUE, Client
from ..dialect import Dialect
from . import SCRIPTED, Webhooks
from .nobody import Nobody
from .reference import Reference


class Scripted:
    """Installs Kueue's kinds and starts nothing: the scenario's words write what Kueue would write."""

    name = "scripted"
    features = frozenset({SCRIPTED})
    lacks = frozenset({WEBHOOKS})

    def install(self, cluster: Cluster, dialect: Dialect, *, webhooks: Webhooks = "none") -> None:
        """Create Kueue's kinds where there are none; they are the reference's, the one source of them."""
        del webhooks
        client = Client(cluster.transport, agent="kueue-conformance")
        if client.find("CustomResourceDefinition", f"workloads.{KUEUE}") is None:
            Reference().install(cluster, dialect)

    def start(self, cluster: Cluster, dialect: Dialect) -> Nobody:
        """Return at once."""
        del cluster, dialect
        return Nobody()

    def webhooks(self, dialect: Dialect) -> Inside:
        """Return none."""
        del dialect
        return NOBODY

    def close(self) -> None:
        """Do nothing."""

    def version(self) -> str:
        """Return what stands for a version."""
        return "scripted"

"""The harness plays Kueue itself: it writes Workload status as a scenario says, so that only the subject is judged."""

from __future__ import annotations

from ..backends import Cluster
from ..dialect import Dialect
from .reference import Reference


class Scripted:
    """Installs Kueue's kinds and starts nothing: the scenario's words write what Kueue would write."""

    name = "scripted"

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Create Kueue's kinds; they are the reference's, the one source of them."""
        Reference().install(cluster, dialect)

    def start(self, cluster: Cluster, dialect: Dialect) -> Nobody:
        """Return at once."""
        del cluster, dialect
        return Nobody()

    def version(self) -> str:
        """Return what stands for a version."""
        return "scripted"


class Nobody:
    """No process, nothing to stop."""

    def stop(self) -> None:
        """Do nothing."""

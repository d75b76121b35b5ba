"""Nobody plays Kueue: for profiles that judge the API server itself."""

from __future__ import annotations

from ..backends import Cluster
from ..dialect import Dialect


class NoControlPlane:
    """Installs nothing, starts nothing."""

    name = "none"
    features: frozenset[str] = frozenset()

    def install(self, cluster: Cluster, dialect: Dialect, *, webhooks: bool = False) -> None:
        """Do nothing."""

    def start(self, cluster: Cluster, dialect: Dialect) -> Nobody:
        """Return at once."""
        del cluster, dialect
        return Nobody()

    def close(self) -> None:
        """Do nothing."""

    def version(self) -> str:
        """Return what stands for a version."""
        return "none"


class Nobody:
    """No process, nothing to stop."""

    def stop(self) -> None:
        """Do nothing."""

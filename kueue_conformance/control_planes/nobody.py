"""Nobody plays Kueue: for profiles that judge the API server itself."""

from __future__ import annotations

from ..backends import NOBODY, WEBHOOKS, Cluster, Inside
from ..dialect import Dialect
from ..proof import KUEUE, Proof, refused
from . import NOTHING_SERVED, Serving


class NoControlPlane:
    """Installs nothing, starts nothing."""

    name = "none"
    features: frozenset[str] = frozenset()
    lacks = frozenset({WEBHOOKS})
    images: tuple[str, ...] = ()

    def install(self, cluster: Cluster, dialect: Dialect, serving: Serving = NOTHING_SERVED) -> None:
        """Do nothing."""

    def start(self, cluster: Cluster, dialect: Dialect, serving: Serving = NOTHING_SERVED) -> Nobody:
        """Return at once."""
        del cluster, dialect, serving
        return Nobody()

    def inside(self, dialect: Dialect, serving: Serving) -> Inside:
        """Return none."""
        del dialect, serving
        return NOBODY

    def close(self) -> None:
        """Do nothing."""

    def version(self) -> str:
        """Return what stands for a version."""
        return self.name

    def release(self) -> str:
        """Return nothing: there is no Kueue."""
        return ""

    def proof(self, cluster: Cluster) -> Proof:
        """Raise Unproven: it only plays Kueue."""
        del cluster
        raise refused(f"control plane {self.name}", KUEUE)


class Nobody:
    """No process, nothing to stop."""

    def stop(self) -> None:
        """Do nothing."""

    def ended(self) -> str:
        """Return nothing."""
        return ""

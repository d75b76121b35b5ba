"""Nobody plays Kueue: for profiles that judge the API server itself."""

from __future__ import annotations

from ..backends import NO_FUNCTIONS, WEBHOOKS, Cluster, InProcessFunctions
from ..dialect import Dialect
from ..proof import KUEUE, Proof, refused
from . import DEFAULT_SERVING, Serving


class NoControlPlane:
    """Installs nothing, starts nothing."""

    name = "none"
    features: frozenset[str] = frozenset()
    lacks = frozenset({WEBHOOKS})
    images: tuple[str, ...] = ()

    def install(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> None:
        """Do nothing."""

    def start(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> NotRunning:
        """Return at once."""
        del cluster, dialect, serving
        return NotRunning()

    def in_process_functions(self, dialect: Dialect, serving: Serving) -> InProcessFunctions:
        """Return none."""
        del dialect, serving
        return NO_FUNCTIONS

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


class NotRunning:
    """No process, nothing to stop."""

    def stop(self) -> None:
        """Do nothing."""

    def ended(self) -> str:
        """Return nothing."""
        return ""

"""No control plane: for profiles that judge the API server itself."""

from __future__ import annotations

from collections.abc import Mapping

from ..backends.backend import NO_FUNCTIONS, InProcessFunctions
from ..backends.cluster import Cluster
from ..backends.features import WEBHOOKS
from ..programs.proof import KUEUE, Proof, refuse_imitation
from ..scenarios.dialect import Dialect
from ..scenarios.feature_gates import NO_GATES
from . import DEFAULT_SERVING, ServedApis


class NoControlPlane:
    """A control plane that installs and starts nothing."""

    name = "none"
    features: frozenset[str] = frozenset()
    lacks = frozenset({WEBHOOKS})
    images: tuple[str, ...] = ()

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Do nothing."""

    def start(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> NotRunning:
        """Return at once."""
        del cluster, dialect, serving
        return NotRunning()

    def in_process_functions(self, dialect: Dialect, serving: ServedApis) -> InProcessFunctions:
        """Return none."""
        del dialect, serving
        return NO_FUNCTIONS

    def uninstall(self) -> None:
        """Do nothing: nothing was installed."""

    def close(self) -> None:
        """Do nothing."""

    def version(self) -> str:
        """Return the text that stands for a version."""
        return self.name

    def release(self) -> str:
        """Return "": there is no Kueue."""
        return ""

    def feature_gates(self) -> Mapping[str, bool]:
        """Return none: there is no Kueue."""
        return NO_GATES

    def proof(self, cluster: Cluster) -> Proof:
        """Raise Unproven: there is no Kueue."""
        del cluster
        raise refuse_imitation(f"control plane {self.name}", KUEUE)


class NotRunning:
    """Stands for a running control plane where there is none."""

    def stop(self) -> None:
        """Do nothing."""

    def exit_reason(self) -> str:
        """Return nothing."""
        return ""

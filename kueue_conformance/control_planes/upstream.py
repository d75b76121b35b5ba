"""A Kueue that is in the cluster already: found, not started. `upstream:<command>` comes with the kind backend."""

from __future__ import annotations

from ..backends import NOBODY, WEBHOOKS, Cluster, Inside
from ..client import KUEUE, ApiError, Client
from ..dialect import Dialect
from ..errors import EnvironmentProblem
from . import Webhooks


class _Found:
    def stop(self) -> None:
        """Somebody else's: left running."""


class Upstream:
    """Checks that Kueue's API is served and lets the cluster's own manager do the work."""

    name = "upstream"
    features = frozenset({WEBHOOKS})
    lacks: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._version = "not observed"

    def install(self, cluster: Cluster, dialect: Dialect, *, webhooks: Webhooks = "none") -> None:
        """Install nothing; raises EnvironmentProblem when the cluster has no Kueue."""
        del dialect, webhooks
        client = Client(cluster.transport, agent="kueue-conformance")
        try:
            client.call("GET", f"/apis/{KUEUE}/v1beta2")
        except ApiError as error:
            raise EnvironmentProblem(
                f"the cluster does not serve {KUEUE}/v1beta2: {error}",
                hint="install Kueue there, or use --control-plane reference",
            ) from error

    def start(self, cluster: Cluster, dialect: Dialect) -> _Found:
        """Return at once: it runs already."""
        del cluster, dialect
        return _Found()

    def webhooks(self, dialect: Dialect) -> Inside:
        """Return none."""
        del dialect
        return NOBODY

    def close(self) -> None:
        """Do nothing."""

    def version(self) -> str:
        """Return what the cluster told."""
        return self._version

"""The autoscaler that is at work in the cluster: how it is configured, and what machines there are, is its operator's."""

from __future__ import annotations

from ..backends import Cluster, lacking
from ..dialect import Dialect
from ..proof import CLUSTER_AUTOSCALER, Proof, refused
from . import ANSWERS, NODE_GROUPS, Flags
from .cloud import Cloud
from .missing import Idle


class Found:
    """Starts nothing: scenarios that need flags or groups of their own are unsupported."""

    name = "found"
    features = frozenset({ANSWERS})

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Do nothing: an autoscaler brings its definition."""

    def cloud(self, cluster: Cluster) -> Cloud:
        """Raise UsageError: there is none of ours behind it."""
        del cluster
        raise lacking(NODE_GROUPS)

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags) -> Idle:
        """Return at once: it works already."""
        del cluster, dialect, cloud, flags
        return Idle()

    def version(self) -> str:
        """Return nothing: it tells its version to no client."""
        return ""

    def proof(self) -> Proof:
        """Raise Unproven: nothing of it is seen but what it writes."""
        raise refused("the autoscaler that is at work in the cluster", CLUSTER_AUTOSCALER)

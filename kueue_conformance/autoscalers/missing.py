"""No autoscaler: scenarios about answers to ProvisioningRequests must fail with it."""

from __future__ import annotations

from ..backends.cluster import Cluster
from ..programs.proof import CLUSTER_AUTOSCALER, Proof, refused
from ..scenarios.dialect import Dialect
from . import ALL_OR_NONE, ANSWERS, CONFIGURED, NODE_GROUPS, Flags
from .cloud import Cloud
from .reference.cloud import ReferenceCloud
from .reference.definition import install


class Missing:
    """Installs the definition of ProvisioningRequests, starts nothing."""

    name = "none"
    features = frozenset({ANSWERS, CONFIGURED, NODE_GROUPS, ALL_OR_NONE})

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Put the definition of ProvisioningRequests into a cluster."""
        install(cluster, dialect)

    def cloud(self, cluster: Cluster) -> Cloud:
        """Return a cloud of this process."""
        return ReferenceCloud(cluster)

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags) -> Idle:
        """Return at once."""
        del cluster, dialect, cloud, flags
        return Idle()

    def version(self) -> str:
        """Return nothing."""
        return ""

    def proof(self) -> Proof:
        """Raise Unproven: there is no autoscaler."""
        raise refused(f"autoscaler {self.name}", CLUSTER_AUTOSCALER)


class Idle:
    """Stands for a running autoscaler where there is none."""

    def stop(self) -> None:
        """Do nothing."""

    def ended(self) -> str:
        """Return nothing."""
        return ""

"""No autoscaler: scenarios about answers to ProvisioningRequests must fail with it."""

from __future__ import annotations

from ..backends.cluster import Cluster
from ..programs.proof import CLUSTER_AUTOSCALER, Proof, refuse_imitation
from ..scenarios.dialect import Dialect
from . import ALL_OR_NONE, ANSWERS, CONFIGURED, NODE_GROUPS, Flags
from .cloud import Cloud
from .reference.cloud import ReferenceCloud
from .reference.definition import install


class NoAutoscaler:
    """Installs the definition of ProvisioningRequests, starts nothing."""

    name = "none"
    features = frozenset({ANSWERS, CONFIGURED, NODE_GROUPS, ALL_OR_NONE})

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Put the definition of ProvisioningRequests into a cluster."""
        install(cluster, dialect)

    def cloud(self, cluster: Cluster) -> Cloud:
        """Return a cloud of this process."""
        return ReferenceCloud(cluster)

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags) -> IdleAutoscaler:
        """Return at once."""
        del cluster, dialect, cloud, flags
        return IdleAutoscaler()

    def version(self) -> str:
        """Return nothing."""
        return ""

    def proof(self) -> Proof:
        """Raise Unproven: there is no autoscaler."""
        raise refuse_imitation(f"autoscaler {self.name}", CLUSTER_AUTOSCALER)


class IdleAutoscaler:
    """Stands for a running autoscaler where there is none."""

    def stop(self) -> None:
        """Do nothing."""

    def exit_reason(self) -> str:
        """Return nothing."""
        return ""

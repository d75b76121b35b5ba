"""An autoscaler that runs in the cluster already: its operator has configured it and its machines."""

from __future__ import annotations

from ..backends.cluster import Cluster, lacking
from ..programs.proof import CLUSTER_AUTOSCALER, Proof, refuse_imitation
from ..scenarios.dialect import Dialect
from . import ANSWERS, NODE_GROUPS, Flags
from .cloud import Cloud
from .no_autoscaler import IdleAutoscaler


class ExistingAutoscaler:
    """Starts nothing: scenarios that need flags or groups of their own are unsupported."""

    name = "found"
    features = frozenset({ANSWERS})

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Do nothing: the autoscaler has installed its CustomResourceDefinition."""

    def cloud(self, cluster: Cluster) -> Cloud:
        """Raise UsageError: the autoscaler's cloud is not ours."""
        del cluster
        raise lacking(NODE_GROUPS)

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags) -> IdleAutoscaler:
        """Return at once: the autoscaler runs already."""
        del cluster, dialect, cloud, flags
        return IdleAutoscaler()

    def version(self) -> str:
        """Return "": the autoscaler reports its version to no client."""
        return ""

    def proof(self) -> Proof:
        """Raise Unproven: only the autoscaler's writes can be seen."""
        raise refuse_imitation("the autoscaler that is at work in the cluster", CLUSTER_AUTOSCALER)

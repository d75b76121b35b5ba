"""Kinds that others of Kueue's objects name and that have no controller here:
topologies and worker clusters (AC-083, AC-131).

They are served so that manifests of a whole Kueue apply, in both versions.
"""

from __future__ import annotations

from typing import Annotated, Literal

from .common import Conditions
from .provisioning import LABEL_KEY
from .vocabulary import ATOMIC, WRITTEN, CelRule, Shape, items, length, since

Cluster = Annotated[str, length(0, 256)]
LOWEST = "kubernetes.io/hostname"
MUTABLE_LEVELS = ("0.20.0-devel",)
"""The release in which levels above the lowest may change (KV-23)."""
UNCHANGED, IMMUTABLE = "self == oldSelf", "field is immutable"
ENDS_LOWEST = (
    f"self[size(self) - 1].nodeLabel == '{LOWEST}' && oldSelf[size(oldSelf) - 1].nodeLabel == '{LOWEST}'"
)
MUTABLE_ABOVE = f"levels are mutable only when {LOWEST} is the lowest level both before and after the change"
REPEATED = "self.all(one, size(self.filter(other, other == one)) == 1)"


LEVEL_RULES = (
    CelRule(REPEATED, "must be unique"),
    CelRule(
        f"size(self.filter(i, i.nodeLabel == '{LOWEST}')) == 0 || "
        f"self[size(self) - 1].nodeLabel == '{LOWEST}'",
        f"the {LOWEST} label can only be used at the lowest level of topology",
    ),
)
"""Rules of levels that hold in each version."""


class TopologyLevel(Shape):
    """One level of the data center."""

    node_label: Annotated[str, length(1, 316), LABEL_KEY, "The label of nodes that tells them apart."]


class TopologySpec(Shape):
    """The levels, the widest first."""

    levels: Annotated[
        tuple[TopologyLevel, ...],
        items(1, 16),
        ATOMIC,
        CelRule(UNCHANGED, IMMUTABLE, gone=MUTABLE_LEVELS),
        CelRule(f"{UNCHANGED} || ({ENDS_LOWEST})", MUTABLE_ABOVE, since=MUTABLE_LEVELS),
        *LEVEL_RULES,
    ]


class Topology(Shape):
    """How the nodes of a data center lie to each other."""

    spec: TopologySpec | None = None


class MultiKueueConfigSpec(Shape):
    """Where Workloads may go."""

    clusters: Annotated[tuple[Cluster, ...], items(1, 20), ATOMIC, CelRule(REPEATED, "must be unique")]
    quota_management: Annotated[Literal["Manual", "Automated"] | None, since(0, 19)] = None


class MultiKueueConfig(Shape):
    """A group of worker clusters."""

    spec: MultiKueueConfigSpec | None = None


class KubeConfig(Shape):
    """How to reach a cluster."""

    location: Annotated[str, length(1, 256)]
    location_type: Literal["Secret", "Path"] = "Secret"


class ClusterProfileReference(Shape):
    """A cluster by its profile."""

    name: Annotated[str, length(1, 256)]


class ClusterSource(Shape):
    """One of the ways to reach a cluster."""

    rules = (
        CelRule(
            "has(self.kubeConfig) != has(self.clusterProfileRef)",
            "exactly one of the fields in [kubeConfig clusterProfileRef] must be set",
        ),
    )

    kube_config: KubeConfig | None = None
    cluster_profile_ref: ClusterProfileReference | None = None


class MultiKueueClusterSpec(Shape):
    """Where the cluster is."""

    cluster_source: Annotated[ClusterSource, WRITTEN]


class MultiKueueClusterStatus(Shape):
    """Whether it answers."""

    conditions: Conditions = ()


class MultiKueueCluster(Shape):
    """A worker cluster."""

    spec: Annotated[MultiKueueClusterSpec | None, WRITTEN] = None
    status: Annotated[MultiKueueClusterStatus | None, WRITTEN] = None

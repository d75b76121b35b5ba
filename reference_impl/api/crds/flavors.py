"""ResourceFlavor and WorkloadPriorityClass (AC-080…084, AC-180)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from .common import Taints, Tolerations
from .vocabulary import ATOMIC_MAP, WRITTEN, CelRule, Int32, Name, Shape, entries, length, since

TOPOLOGY = (0, 9)
"""The release that brought topologies."""
FREE_NODES = ("0.20.0-devel",)
"""The release in which labels and tolerations of a flavor with a topology may change (KV-22)."""
PINNED = (
    "!has(oldSelf.topologyName) || "
    "(has(self.{0}) == has(oldSelf.{0}) && (!has(self.{0}) || self.{0} == oldSelf.{0}))"
)


class ResourceFlavorSpec(Shape):
    """Which nodes the flavor stands for."""

    rules = (
        CelRule(
            "!has(self.topologyName) || size(self.nodeLabels) >= 1",
            "at least one nodeLabel is required when topology is set",
            TOPOLOGY,
        ),
        CelRule(
            PINNED.format("nodeLabels"),
            "nodeLabels are immutable when topologyName is set",
            TOPOLOGY,
            gone=FREE_NODES,
        ),
        CelRule(
            PINNED.format("tolerations"),
            "tolerations are immutable when topologyName is set",
            TOPOLOGY,
            gone=FREE_NODES,
        ),
        CelRule(
            PINNED.format("topologyName"), "topologyName is immutable when topologyName is set", TOPOLOGY
        ),
    )

    node_labels: Annotated[Mapping[str, str] | None, entries(8), ATOMIC_MAP, "Labels of the nodes."] = None
    node_taints: Annotated[Taints, "Taints of the nodes, which Workloads must tolerate."] = ()
    tolerations: Annotated[Tolerations, "Tolerations that admitted pods get."] = ()
    topology_name: Annotated[Name | None, since(*TOPOLOGY), "The Topology of the nodes."] = None


class ResourceFlavor(Shape):
    """A kind of resources: nodes that are alike."""

    spec: Annotated[ResourceFlavorSpec | None, WRITTEN] = None


class WorkloadPriorityClass(Shape):
    """A priority by name, for queueing only."""

    description: Annotated[str | None, length(0, 2048), "When to use the class."] = None
    value: Annotated[Int32, "The priority."]

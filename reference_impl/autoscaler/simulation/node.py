"""A node as a placement looks at it: its labels, its taints,
and the room that its pods leave (PR-316, PR-331).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.pods.amounts import amount

from .pod import Pod, PodShape

HOSTNAME: Final = "kubernetes.io/hostname"


@dataclass(frozen=True, slots=True, eq=False)
class NodeShape:
    """What does not change while pods are placed."""

    name: str
    labels: Mapping[str, str]
    taints: Sequence[Json]
    allocatable: Mapping[str, int]
    capacity: Mapping[str, int]
    cordoned: bool = False

    @classmethod
    def of(cls, node: Json) -> NodeShape:
        """Read a Node, or the template of one."""
        metadata, spec, status = node["metadata"], node.get("spec") or {}, node.get("status") or {}
        capacity = _amounts(status.get("capacity"))
        return cls(
            name=metadata["name"],
            labels=metadata.get("labels") or {},
            taints=tuple(spec.get("taints") or ()),
            allocatable=_amounts(status.get("allocatable")) or capacity,
            capacity=capacity,
            cordoned=bool(spec.get("unschedulable")),
        )

    def with_name(self, name: str) -> NodeShape:
        """Return a node like this one under its own name."""
        return replace(self, name=name, labels={**self.labels, HOSTNAME: name})


class NodeInfo:
    """The free capacity of a node while pods are placed on it and taken away again."""

    __slots__ = ("free", "node", "pods")

    def __init__(self, node: NodeShape) -> None:
        self.node = node
        self.free = dict(node.allocatable)
        self.pods: list[Pod] = []

    def add(self, pod: Pod) -> None:
        """Put a pod here, whether it fits or not: a pod that runs has its place."""
        for resource, value in pod.shape.requests.items():
            self.free[resource] = self.free.get(resource, 0) - value
        self.pods.append(pod)

    def remove_last(self) -> Pod:
        """Take the pod away that came last."""
        pod = self.pods.pop()
        for resource, value in pod.shape.requests.items():
            self.free[resource] += value
        return pod

    def lacks(self, shape: PodShape) -> str:
        """Name a resource of which there is not enough, empty when there is."""
        free = self.free
        for resource, value in shape.requests.items():
            if value and value > free.get(resource, 0):
                return resource
        return ""


def _amounts(quantities: Json) -> Mapping[str, int]:
    return {name: amount(name, quantity) for name, quantity in (quantities or {}).items()}

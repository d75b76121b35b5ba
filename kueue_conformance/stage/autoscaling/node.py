"""A Node that a scenario creates, as a kubelet registers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact

HOSTNAME = "kubernetes.io/hostname"


def manifest(
    name: str,
    cpu: str = "4",
    memory: str = "16Gi",
    *,
    pods: int = 110,
    labels: Mapping[str, str] | None = None,
    taints: Sequence[Json] = (),
    ready: bool = True,
    **resources: str,
) -> Json:
    """Return a Node; `resources` are further ones by their names, with underscores for slashes and dots."""
    amounts = {"cpu": cpu, "memory": memory, "pods": str(pods), **resources}
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": {HOSTNAME: name, **(labels or {})}},
        "spec": {"taints": list(taints)} if taints else {},
        # Equal: nothing is kept back for the system, so that sums of requests are exact.
        "status": {"capacity": amounts, "allocatable": amounts, "conditions": [readiness(ready=ready)]},
    }


def readiness(*, ready: bool) -> Json:
    """Return the Ready condition of a kubelet."""
    return {
        "type": "Ready",
        "status": "True" if ready else "False",
        "reason": "KubeletReady" if ready else "KubeletNotReady",
    }


class Node:
    """One Node, read anew by each property."""

    def __init__(self, context: CaseContext, name: str) -> None:
        self._context = context
        self.name = name

    def set_ready(self, *, ready: bool = True) -> None:
        """Set its Ready condition, with the taint that a node controller adds to a Node that is not ready."""
        # No node controller runs in these clusters, so the scenario writes the taint as well.
        taints = None if ready else [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]
        self._context.client.merge("Node", self.name, {"spec": {"taints": taints}})
        self._context.client.merge(
            "Node", self.name, {"status": {"conditions": [readiness(ready=ready)]}}, sub="status"
        )

    def set_cordoned(self, *, cordoned: bool = True) -> None:
        """Cordon or uncordon it, with the taint that a node controller adds."""
        taints = [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}] if cordoned else None
        self._context.client.merge("Node", self.name, {"spec": {"unschedulable": cordoned, "taints": taints}})

    def delete(self) -> None:
        """Remove it."""
        self._context.client.delete("Node", self.name)

    def exists(self) -> Fact:
        """It is there."""
        node = self._context.client.find("Node", self.name)
        return Fact(bool(node), f"Node {self.name} exists", "it does" if node else "it does not")

"""The Node of a cluster in which no Node was ever made: `node-0`, which takes every pod (FK-461, FK-484).

It is made when the first pod waits for a node, so that pods run without set-up and a cluster without pods has
no Node. As soon as another Node is made it is cordoned: from then on pods go where they fit.
"""

from __future__ import annotations

from ...api.outcome import User
from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ...registry.machinery import Api
from ..actor import Actor
from ..nodes.manifests import manifest, ready_condition
from .node_info import NODES

NAME = "node-0"
TAKES_ANY_POD = "fakecluster.dev/takes-any-pod"
ADDRESS = "192.168.0.1"
CAPACITY = {"cpu": "1k", "memory": "1Pi", "ephemeral-storage": "1Pi", "pods": "1M"}
"""Only shown: nothing of it is counted."""
KUBELET = User(name=f"system:node:{NAME}", groups=("system:masters", "system:nodes", "system:authenticated"))


class DefaultNode:
    """Makes the Node, and cordons it."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, KUBELET, "kubelet")

    def register(self) -> Steps[None]:
        """Make the Node. Raises StatusError."""
        row = self._actor.kind("v1", "Node")
        if row:
            yield from self._actor.create(row, _manifest(at(self._api.clock.now())))

    def cordon(self) -> Steps[None]:
        """Let it take no more pods, if it is there. Raises StatusError."""
        row, stored = self._actor.kind("v1", "Node"), self._api.store.get(NODES, ("", NAME))
        # Cordoned by somebody or by us: nothing to do.
        if row and stored and takes_any_pod(stored.object):
            yield from self._actor.patch(row, stored, {"spec": {"unschedulable": True}})


def takes_any_pod(node: Json) -> bool:
    """Tell whether a Node takes every pod, whatever it asks for."""
    annotations = node["metadata"].get("annotations") or {}
    return annotations.get(TAKES_ANY_POD) == "true" and not node.get("spec", {}).get("unschedulable")


def _manifest(current_time: str) -> Json:
    node = manifest(NAME, CAPACITY, {"kubernetes.io/os": "linux"})
    addresses = [{"type": "InternalIP", "address": ADDRESS}, {"type": "Hostname", "address": NAME}]
    status = {**node["status"], "conditions": [ready_condition(current_time)], "addresses": addresses}
    annotated = {**node["metadata"], "annotations": {TAKES_ANY_POD: "true"}}
    return {**node, "metadata": annotated, "status": status}

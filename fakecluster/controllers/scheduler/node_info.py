"""What the scheduler knows of the nodes: each with the pods on it, and the pods that wait for a node.

Kept in step with the store's events, so that a decision costs
as much as there are nodes, however many pods there are.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...kinds import resource_lists
from ...kinds.core.pod.requests import total_of_pod
from ...store import Event, Name, Store, Stored

PODS, NODES = ("", "pods"), ("", "nodes")
ENDED = frozenset({"Succeeded", "Failed"})


class NodeInfo:
    """A node by its name, its Node object when there is one, and the pods on it that have not ended."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.node: Json = None
        self.pods: dict[Name, Json] = {}
        self._requested: dict[str, Quantity] | None = None

    def add(self, name: Name, pod: Json) -> None:
        """Put a pod on the node; another state of the same pod replaces it."""
        # Taken off first, or the requests of its former state would stay in the sum.
        self.remove(name)
        self.pods[name] = pod
        if self._requested is not None:
            self._requested = resource_lists.add(self._requested, total_of_pod(pod["spec"], "requests"))

    def remove(self, name: Name) -> None:
        """Take a pod off the node."""
        pod = self.pods.pop(name, None)
        # The sum is kept in step only once it has been asked for.
        if pod is not None and self._requested is not None:
            for resource, amount in total_of_pod(pod["spec"], "requests").items():
                self._requested[resource] = self._requested[resource].minus(amount)

    @property
    def requested(self) -> dict[str, Quantity]:
        """What all pods on the node request; added up when it is first needed."""
        if self._requested is None:
            self._requested = resource_lists.total(
                total_of_pod(pod["spec"], "requests") for pod in self.pods.values()
            )
        return self._requested

    @property
    def allocatable(self) -> dict[str, Quantity]:
        """What the node offers."""
        return resource_lists.of(self.node.get("status", {}).get("allocatable"))


class NodeInfos:
    """Every node and the pods on it; `unassigned` are the pods without a node."""

    def __init__(self, store: Store) -> None:
        self.unassigned: dict[Name, None] = {}
        self.had_nodes = False
        """Whether there is a Node object, or was one since the beginning."""
        self._infos: dict[str, NodeInfo] = {}
        self._node_of: dict[Name, str] = {}
        self.assumed: set[Name] = set()
        """Pods that are being bound: they take their room before the server has answered, as kube-scheduler
        has it.
        """
        for stored in (*store.list(NODES), *store.list(PODS)):
            self._take(stored)

    def observe(self, event: Event) -> None:
        """Follow a change of a node or a pod."""
        self.had_nodes = self.had_nodes or event.resource == NODES
        if event.type != "DELETED":
            self._take(event.after)
        elif event.resource == PODS:
            self._forget_pod(event.after.name)
        elif info := self._infos.get(event.after.name[1]):
            # Pods may be bound to a node without an object; such a node takes no others.
            info.node = None
            self._drop_if_empty(event.after.name[1])

    def nodes(self) -> Iterator[NodeInfo]:
        """Return the nodes that have an object, by name."""
        return (info for _, info in sorted(self._infos.items()) if info.node is not None)

    def assume(self, name: Name, pod: Json, node: str) -> None:
        """Take the room of a pod on the node to which it is being bound."""
        self._forget_pod(name)
        self.assumed.add(name)
        self._node_of[name] = node
        self._info(node).add(name, pod)

    def end_assumption(self, name: Name, stored: Stored | None) -> None:
        """Follow the stored pod again; one that was not bound gives its room back."""
        if name in self.assumed:
            self._forget_pod(name)
            if stored is not None:
                self._take(stored)

    def _info(self, node: str) -> NodeInfo:
        info = self._infos.get(node)
        if info is None:
            info = self._infos[node] = NodeInfo(node)
        return info

    def _take(self, stored: Stored) -> None:
        if stored.resource == NODES:
            self.had_nodes = True
            self._info(stored.name[1]).node = stored.object
            return
        pod = stored.object
        if stored.name in self.assumed:
            if not pod["spec"].get("nodeName"):
                return
            self.assumed.discard(stored.name)
        # A pod that has ended takes no room on its node.
        node = "" if pod.get("status", {}).get("phase") in ENDED else pod["spec"].get("nodeName", "")
        if self._node_of.get(stored.name) != node:
            self._forget_pod(stored.name)
        if node:
            self._node_of[stored.name] = node
            self._info(node).add(stored.name, pod)
        elif not pod["spec"].get("nodeName"):
            self.unassigned[stored.name] = None

    def _forget_pod(self, name: Name) -> None:
        self.assumed.discard(name)
        self.unassigned.pop(name, None)
        node = self._node_of.pop(name, None)
        if node is not None:
            self._infos[node].remove(name)
            self._drop_if_empty(node)

    def _drop_if_empty(self, node: str) -> None:
        if self._infos[node].node is None and not self._infos[node].pods:
            del self._infos[node]


def frees_room(event: Event) -> bool:
    """Tell whether a pod gives up the room that it took on its node."""
    return (
        event.before is not None
        and _occupies(event.before)
        and (event.type == "DELETED" or not _occupies(event.after))
    )


def changes_places(event: Event) -> bool:
    """Tell whether a node changed in what decides about pods; signs of life do not."""
    return event.before is None or _offer(event.before.object) != _offer(event.after.object)


def _offer(node: Json) -> Json:
    # Conditions change with every sign of life and decide nothing here.
    return node["metadata"].get("labels"), node.get("spec"), node.get("status", {}).get("allocatable")


def _occupies(stored: Stored) -> bool:
    pod = stored.object
    return bool(pod["spec"].get("nodeName")) and pod.get("status", {}).get("phase") not in ENDED

"""Nodes: making one, and keeping those there are ready (FK-484)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..api.steps import Steps
from ..numbers.timestamps import at
from ..registry.machinery import Api
from ..store import Event, Store
from .actor import Actor, service_account
from .engine import Key

Json = Any
NODES = ("", "nodes")
NOT_READY = "node.kubernetes.io/not-ready"
READY_MESSAGE = "kubelet is posting ready status"


def manifest(
    name: str,
    capacity: Mapping[str, str],
    labels: Mapping[str, str] | None = None,
    taints: Sequence[Json] = (),
) -> Json:
    """Return a Node with this capacity, all of it allocatable."""
    marked = {"kubernetes.io/hostname": name, **(labels or {})}
    amounts = {"pods": "110", **capacity}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": marked},
        "spec": {"taints": list(taints)} if taints else {},
        "status": {"capacity": amounts, "allocatable": amounts},
    }


class NodeKeeper:
    """Reports every new Node as ready and lifts the taint that new Nodes carry."""

    resources = (NODES,)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("node-controller"), "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every node."""
        return [one.name for one in store.list(NODES)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the node of an event."""
        return (event.after.name,) if event.type != "DELETED" else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Make one node ready, unless it has a Ready condition already."""
        stored = self._api.store.get(NODES, (key[0], key[1]))
        row = self._actor.kind("v1", "Node")
        if stored is None or row is None:
            return None
        node = stored.object
        ready = _condition(node)
        if ready is None:
            node = yield from self._actor.update_status(row, _ready(node, at(self._api.clock.now())))
        taints = node.get("spec", {}).get("taints", ())
        if _condition(node)["status"] == "True" and any(one["key"] == NOT_READY for one in taints):
            left = [one for one in taints if one["key"] != NOT_READY]
            spec = {name: value for name, value in node["spec"].items() if name != "taints"}
            yield from self._actor.update(row, {**node, "spec": {**spec, "taints": left} if left else spec})
        return None


def _condition(node: Json) -> Json:
    return next((one for one in node.get("status", {}).get("conditions", ()) if one["type"] == "Ready"), None)


def _ready(node: Json, now: str) -> Json:
    condition = {
        "type": "Ready",
        "status": "True",
        "lastHeartbeatTime": now,
        "lastTransitionTime": now,
        "reason": "KubeletReady",
        "message": READY_MESSAGE,
    }
    status = node.get("status", {})
    return {**node, "status": {**status, "conditions": [*status.get("conditions", ()), condition]}}

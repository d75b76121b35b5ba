"""Keeps Nodes: new ones become ready, and taints follow their state (FK-484, FK-496).

No kubelet reports here, so a Node stays ready until a client writes another status. Pods are not evicted
while no Node is ready at all, as a real cluster does when the fault may be its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...api.steps import Steps
from ...base.numbers.timestamps import at
from ...registry.machinery import Api
from ...store import Event, Store
from ..actor import Actor, service_account
from ..engine import Key
from ..recorder import Recorder
from .condition_taints import adjust
from .manifests import ready_condition, ready_status

NODES = ("", "nodes")


class NodeController:
    """Reports every new Node as ready, and keeps the taints of each in step with its state."""

    resources = (NODES,)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("node-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "node-controller")
        self._registered: dict[str, str] = {}
        """The uids of the Nodes that were registered, by name."""
        self._ready: set[str] = set()

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every Node; those that are there are registered anew,
        as after a start of the real controller.
        """
        nodes = store.list(NODES)
        self._registered = {}
        self._ready = {stored.name[1] for stored in nodes if ready_status(stored.object) == "True"}
        return [stored.name for stored in nodes]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the Node of an event; all of them when it is the first that is ready, or the last."""
        # Whether any node is ready decides about the taints of all.
        name, before = event.after.name, bool(self._ready)
        if event.type != "DELETED" and ready_status(event.after.object) == "True":
            self._ready.add(name[1])
        else:
            self._ready.discard(name[1])
        if bool(self._ready) == before:
            return (name,)
        return (name, *(stored.name for stored in self._api.store.list(NODES)))

    def work(self, key: Key) -> Steps[float | None]:
        """Register or forget one Node, make it ready unless it has a Ready condition, and set its taints."""
        stored = self._api.store.get(NODES, (key[0], key[1]))
        row = self._actor.kind("v1", "Node")
        if row is None:
            return None
        if stored is None:
            yield from self._forget(key[1])
            return None
        node, current_time = stored.object, at(self._api.clock.now())
        # By uid: a Node of the same name may be another one.
        if self._registered.get(key[1]) != stored.uid:
            self._registered[key[1]] = stored.uid
            yield from self._record(
                key[1], stored.uid, "RegisteredNode", f"Registered Node {key[1]} in Controller"
            )
        # A client's own Ready condition is left alone.
        if not ready_status(node):
            conditions = [*(node.get("status", {}).get("conditions") or ()), ready_condition(current_time)]
            status = {**node.get("status", {}), "conditions": conditions}
            node = yield from self._actor.update_status(row, {**node, "status": status})
        # After the status, whose readiness decides about the taints.
        taints = adjust(node, current_time, evicts=bool(self._ready))
        if taints != (node.get("spec", {}).get("taints") or []):
            yield from self._actor.update(row, {**node, "spec": {**node.get("spec", {}), "taints": taints}})
        return None

    def _forget(self, name: str) -> Steps[None]:
        uid = self._registered.pop(name, None)
        if uid is not None:
            yield from self._record(name, uid, "RemovingNode", f"Removing Node {name} from Controller")

    def _record(self, name: str, uid: str, reason: str, message: str) -> Steps[None]:
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "uid": uid}}
        yield from self._recorder.record(node, reason, f"Node {name} event: {message}")

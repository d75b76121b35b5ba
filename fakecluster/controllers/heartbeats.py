"""A sign of life of every node: its Lease in kube-node-lease, renewed every ten seconds (FK-484, FK-493).

Not part of `all`, for it keeps a cluster from ever being at rest; ask for it by name.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..api.outcome import User
from ..api.steps import Steps
from ..base.numbers.timestamps import at
from ..registry.machinery import Api
from ..store import Event, Store
from .actor import Actor
from .engine import Key

NODES, LEASES = ("", "nodes"), ("coordination.k8s.io", "leases")
NAMESPACE = "kube-node-lease"
KUBELET = User(name="system:node:node-0", groups=("system:masters", "system:nodes", "system:authenticated"))
INTERVAL_SECONDS, LEASE_SECONDS = 10.0, 40


class Heartbeats:
    """Renews the Lease of every node."""

    resources = (NODES,)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, KUBELET, "kubelet")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every node."""
        return [node.name for node in store.list(NODES)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a node that is new."""
        return (event.after.name,) if event.type == "ADDED" else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Renew one Lease, and again later as long as the node is there."""
        node, row = (
            self._api.store.get(NODES, (key[0], key[1])),
            self._actor.kind("coordination.k8s.io/v1", "Lease"),
        )
        if node is None or row is None:
            return None
        # renewTime is a MicroTime: Go writes six digits of the second, zeros as well.
        current_time = at(self._api.clock.now()).replace("Z", ".000000Z")
        there = self._api.store.get(LEASES, (NAMESPACE, key[1]))
        spec = {"holderIdentity": key[1], "leaseDurationSeconds": LEASE_SECONDS, "renewTime": current_time}
        if there is None:
            owner = {"apiVersion": "v1", "kind": "Node", "name": key[1], "uid": node.uid}
            metadata = {"name": key[1], "namespace": NAMESPACE, "ownerReferences": [owner]}
            yield from self._actor.create(row, {"metadata": metadata, "spec": spec})
        else:
            yield from self._actor.update(row, {**there.object, "spec": {**there.object["spec"], **spec}})
        return INTERVAL_SECONDS

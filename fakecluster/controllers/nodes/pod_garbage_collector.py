"""Deletes pods that no kubelet will ever confirm the deletion of (FK-117, FK-496).

These are pods of a node that is gone for forty seconds, pods that go without having had a node, and pods that
go on a node that is out of service.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor, service_account
from ..engine import Key
from ..pod_conditions import disruption_status
from .manifests import ready_status

PODS, NODES = ("", "pods"), ("", "nodes")
OUT_OF_SERVICE = "node.kubernetes.io/out-of-service"
QUARANTINE_SECONDS = 40.0
ENDED = frozenset({"Succeeded", "Failed"})
REASON, MESSAGE = "DeletionByPodGC", "PodGC: node no longer exists"


class PodGarbageCollector:
    """Marks such pods as failed and deletes them at once."""

    resources = (NODES, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("pod-garbage-collector"), "kube-controller-manager")
        self._missing_since: dict[str, float] = {}
        """When a node that pods are bound to was first missed, in seconds since the epoch."""

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every pod that is bound or going."""
        self._missing_since.clear()
        return [stored.name for stored in store.list(PODS) if self._is_candidate(stored)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a pod that has no node to run on, or those of a node that is gone or out of service."""
        if event.resource == PODS:
            is_candidate = event.type != "DELETED" and self._is_candidate(event.after)
            return (event.after.name,) if is_candidate else ()
        name = event.after.name[1]
        if event.type == "DELETED" or _is_out_of_service(event.after.object):
            return [stored.name for stored in self._api.store.list(PODS) if _node_of(stored) == name]
        self._missing_since.pop(name, None)
        return ()

    def work(self, key: Key) -> Steps[float | None]:
        """Delete one pod, or say when to look again."""
        stored = self._api.store.get(PODS, (key[0], key[1]))
        if stored is None or not self._is_candidate(stored):
            return None
        current_time, name = self._api.clock.now(), _node_of(stored)
        # A pod that goes and has no node, or one out of service, waits for nobody's confirmation.
        if "deletionTimestamp" in stored.object["metadata"] and (not name or self._node(name)):
            yield from self._delete(stored, stored.object.get("status", {}))
            return None
        # From the first miss on: the node may be made again meanwhile.
        seconds = self._missing_since.setdefault(name, current_time) + QUARANTINE_SECONDS - current_time
        if seconds > 0:
            return seconds
        yield from self._delete(stored, disruption_status(stored.object, REASON, MESSAGE, at(current_time)))
        return None

    def _delete(self, stored: Stored, status: Json) -> Steps[None]:
        row = self._actor.kind("v1", "Pod")
        if row is None:
            return
        # Marked as failed first: no kubelet is left to change the phase.
        if stored.object.get("status", {}).get("phase") not in ENDED:
            yield from self._actor.patch(row, stored, {"status": {**status, "phase": "Failed"}}, "status")
        yield from self._actor.delete(row, stored, gracePeriodSeconds=0)

    def _is_candidate(self, stored: Stored) -> bool:
        name, is_going = _node_of(stored), "deletionTimestamp" in stored.object["metadata"]
        if not name:
            return is_going and stored.object.get("status", {}).get("phase") not in ENDED
        node = self._node(name)
        return node is None or (is_going and _is_out_of_service(node.object))

    def _node(self, name: str) -> Stored | None:
        return self._api.store.get(NODES, ("", name))


def _is_out_of_service(node: Json) -> bool:
    taints = node.get("spec", {}).get("taints") or ()
    return ready_status(node) != "True" and any(taint["key"] == OUT_OF_SERVICE for taint in taints)


def _node_of(stored: Stored) -> str:
    return str(stored.object["spec"].get("nodeName", ""))

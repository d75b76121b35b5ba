"""Deletes the pods that do not tolerate a NoExecute taint of their node, or no longer (FK-496)."""

from __future__ import annotations

from collections.abc import Iterable

from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ...registry.machinery import Api
from ...store import Event, Name, Store, Stored
from ..actor import Actor, service_account
from ..engine import Key
from ..pod_conditions import disruption_status
from ..recorder import Recorder
from ..taints import NO_EXECUTE, Tolerations, taints_of

PODS, NODES = ("", "pods"), ("", "nodes")
REASON, MESSAGE = "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint"


class TaintEviction:
    """Evicts at once, or when the shortest of the tolerations is over."""

    resources = (NODES, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("node-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "taint-eviction-controller")
        self._tainted: dict[str, list[Json]] = {}
        self._deadlines: dict[Name, float] = {}
        """When pods that tolerate a taint for a time are evicted, in seconds since the epoch."""

    def initial(self, store: Store) -> Iterable[Key]:
        """Return the pods on nodes with such taints."""
        self._deadlines.clear()
        nodes = {stored.name[1]: taints_of(stored.object, NO_EXECUTE) for stored in store.list(NODES)}
        self._tainted = {name: taints for name, taints in nodes.items() if taints}
        pods = store.list(PODS) if self._tainted else ()
        return [stored.name for stored in pods if _node_of(stored) in self._tainted]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the pods of a node whose taints changed, or a pod on a node that has some."""
        if event.resource == NODES:
            return self._pods_of(event)
        # A pod that has left the node is looked at once more, to cancel what was planned.
        is_concerned = _node_of(event.after) in self._tainted or event.after.name in self._deadlines
        return (event.after.name,) if is_concerned else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Delete one pod, cancel its deletion, or say when to look again."""
        name = (key[0], key[1])
        stored = self._api.store.get(PODS, name)
        taints = self._tainted.get(_node_of(stored), []) if stored else []
        if stored is None or not taints:
            yield from self._cancel(name)
            return None
        if "deletionTimestamp" in stored.object["metadata"]:
            return None
        seconds, current_time = seconds_of_toleration(stored.object, taints), self._api.clock.now()
        if seconds is None:
            yield from self._cancel(name)
            return None
        # At once, also where an earlier taint gave it more time.
        if seconds <= 0:
            yield from self._cancel(name)
        # The first deadline stays while taints remain, as its time runs from the first one.
        deadline = self._deadlines.setdefault(name, current_time + seconds)
        if current_time < deadline:
            return deadline - current_time
        del self._deadlines[name]
        yield from self._evict(stored)
        return None

    def _evict(self, stored: Stored) -> Steps[None]:
        yield from self._record(stored.name, "Marking for deletion Pod")
        row = self._actor.kind("v1", "Pod")
        if row:
            status = disruption_status(stored.object, REASON, MESSAGE, at(self._api.clock.now()))
            # The reason stands in the status before the pod goes.
            yield from self._actor.update_status(row, {**stored.object, "status": status})
            yield from self._actor.delete(row, stored)

    def _cancel(self, name: Name) -> Steps[None]:
        if self._deadlines.pop(name, None) is not None:
            yield from self._record(name, "Cancelling deletion of Pod")

    def _record(self, name: Name, action: str) -> Steps[None]:
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": name[0], "name": name[1]}}
        yield from self._recorder.record(pod, "TaintManagerEviction", f"{action} {name[0]}/{name[1]}")

    def _pods_of(self, event: Event) -> Iterable[Key]:
        name = event.after.name[1]
        taints = [] if event.type == "DELETED" else taints_of(event.after.object, NO_EXECUTE)
        if taints == self._tainted.get(name, []):
            return ()
        if taints:
            self._tainted[name] = taints
        else:
            del self._tainted[name]
        return [stored.name for stored in self._api.store.list(PODS) if _node_of(stored) == name]


def seconds_of_toleration(pod: Json, taints: Iterable[Json]) -> float | None:
    """Return for how long a pod tolerates these taints, in seconds; None for ever."""
    tolerations, limits = Tolerations(pod), []
    for taint in taints:
        toleration = tolerations.first(taint)
        # One taint without toleration is enough.
        if toleration is None:
            return 0
        if toleration.get("tolerationSeconds") is not None:
            limits.append(float(toleration["tolerationSeconds"]))
    # The shortest toleration counts; without a limit the pod stays.
    return min(limits, default=None)


def _node_of(stored: Stored) -> str:
    return str(stored.object["spec"].get("nodeName", ""))

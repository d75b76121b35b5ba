"""Carries pods through their lives: a node, the steps of the script, the end of a graceful deletion (FK-480…FK-482)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...api.outcome import User
from ...api.steps import Steps
from ...numbers.timestamps import at, since_epoch
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor
from ..engine import Key
from . import scheduling, scripts, statuses
from .scripts import INSTANT, Phase, Script, Step

Json = Any
PODS = ("", "pods")
NODES = ("", "nodes")
ENDED = frozenset({"Succeeded", "Failed"})
KUBELET = User(name="system:node:node-0", groups=("system:masters", "system:nodes", "system:authenticated"))


class PodSimulator:
    """Scheduler and kubelet of every node. `script` is what pods do that bring none; it may be changed at any time.

    Without `schedules` it is the kubelets only: another program binds pods.
    """

    resources = (PODS, NODES)

    def __init__(self, api: Api, script: Script = INSTANT, *, schedules: bool = True) -> None:
        self.script = script
        self._schedules = schedules
        self._api = api
        self._actor = Actor(api, KUBELET, "kubelet")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every pod."""
        return [one.name for one in store.list(PODS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the pod of an event; a node or a pod that goes gives pods without a node another chance."""
        if event.resource == PODS and event.type != "DELETED":
            return (event.after.name,)
        if self._api.store.list(NODES):
            waiting = (one for one in self._api.store.list(PODS) if not one.object["spec"].get("nodeName"))
            return [one.name for one in waiting]
        return ()

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one pod forward by as many steps as are due."""
        stored = self._api.store.get(PODS, (key[0], key[1]))
        if stored is None:
            return None
        pod = stored.object
        if "deletionTimestamp" in pod["metadata"]:
            return (yield from self._let_go(stored))
        if not pod["spec"].get("nodeName"):
            return (yield from self._bind(pod)) if self._schedules else None
        step = scripts.following(scripts.of(pod, self.script), pod["status"].get("phase", "Pending"))
        if step is None:
            return None
        left = since_epoch(statuses.since(pod)) + step.after - self._api.clock.now()
        if left > 0:
            return left
        yield from self._reach(pod, step)
        return None

    def reach(self, namespace: str, name: str, phase: Phase, exit_code: int = 0) -> Steps[None]:
        """Bring a pod to a phase now, whatever its script says. Raises LookupError when there is no such pod."""
        stored = self._api.store.get(PODS, (namespace, name))
        if stored is None:
            raise LookupError(f"there is no pod {namespace}/{name}: list the pods to see which there are")
        yield from self._reach(stored.object, Step(phase, exit_code=exit_code))

    def _reach(self, pod: Json, step: Step) -> Steps[None]:
        now = at(self._api.clock.now())
        status = statuses.running(pod, now) if step.phase == "Running" else statuses.ended(pod, step, now)
        yield from self._write(pod, status)

    def _bind(self, pod: Json) -> Steps[float | None]:
        if pod["spec"].get("schedulingGates"):
            return None
        nodes = [one.object for one in self._api.store.list(NODES)]
        running = (
            one.object for one in self._api.store.list(PODS) if one.object["status"].get("phase") not in ENDED
        )
        node = scheduling.node_for(pod, nodes, running if nodes else ())
        row = self._actor.kind("v1", "Pod")
        if not node:
            yield from self._write(
                pod, statuses.unschedulable(pod, scheduling.message(nodes), at(self._api.clock.now()))
            )
        elif row:
            target = {"apiVersion": "v1", "kind": "Node", "name": node}
            metadata = {"name": pod["metadata"]["name"], "namespace": pod["metadata"]["namespace"]}
            binding = {"apiVersion": "v1", "kind": "Binding", "metadata": metadata, "target": target}
            yield from self._actor.create(row, binding, "binding")
        return None

    def _let_go(self, stored: Stored) -> Steps[float | None]:
        """End the containers of a pod that is being deleted, then confirm the deletion."""
        pod, row = stored.object, self._actor.kind("v1", "Pod")
        if pod["status"].get("phase") == "Running":
            yield from self._write(
                pod, statuses.ended(pod, Step("Failed", exit_code=137), at(self._api.clock.now()))
            )
        current = self._api.store.get(PODS, stored.name)
        if row and current and current.object["metadata"].get("deletionGracePeriodSeconds"):
            yield from self._actor.delete(row, current, gracePeriodSeconds=0)
        return None

    def _write(self, pod: Json, status: Json) -> Steps[None]:
        row = self._actor.kind("v1", "Pod")
        if row and status != pod.get("status"):
            yield from self._actor.update_status(row, {**pod, "status": status})

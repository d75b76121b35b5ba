"""The kubelets of a cloud's machines, as clients of an API server: Nodes come, become ready and go, and pods
go with them (PR-355…357).
"""

from __future__ import annotations

from reference_impl.api.kinds import NODES, PODS
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.controller import Controller, RequeueAfter
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.part import Runtime
from reference_impl.runtime.store import Store

from .groups import NodeGroupSpec
from .machines import NEVER, SCHEME, Machine
from .model import CloudModel
from .nodes import make_node, ready_condition, without_startup_taints

BY_NODE = "node of a cloud"
WORKERS = 8


class Kubelets:
    """Makes the Nodes in an API server those of the machines of a model; one key is the name of a machine and
    of its Node.
    """

    def __init__(self, model: CloudModel, runtime: Runtime) -> None:
        self._model = model
        self._client: Client = runtime.client
        self._clock: Clock = runtime.clock
        log: Logger = runtime.log
        self.nodes: Controller[str] = Controller(
            "kubelets", self._reconcile, runtime.clock, log, workers=WORKERS
        )
        self.pods: Controller[Key] = Controller("ending pods", self._end, runtime.clock, log, workers=WORKERS)
        nodes, pods = runtime.informer(NODES), runtime.informer(PODS)
        self._nodes: Store = nodes.store
        self._pods: Store = pods.store
        pods.add_index(BY_NODE, _node_of)
        nodes.add_handler(lambda old, new: self._on_node(old, new, listed=nodes.synced.is_set()))
        pods.add_handler(self._on_pod)
        model.listeners.append(self.nodes.queue.add)
        runtime.endings.append(lambda: model.listeners.remove(self.nodes.queue.add))
        for machine in model.machines:
            self.nodes.queue.add(machine.id)

    def _on_node(self, old: Json | None, new: Json | None, *, listed: bool) -> None:
        """Look at a Node of the cloud; those that are there in the
        beginning are machines of a cloud that was there before.
        """
        node = new or old
        assert node is not None
        if not self._is_mine(node):
            return
        if not listed:
            self._model.adopt(node["metadata"]["name"])
        self.nodes.queue.add(node["metadata"]["name"])

    def _on_pod(self, _old: Json | None, new: Json | None) -> None:
        if new is None or not new["metadata"].get("deletionTimestamp"):
            return
        node = self._nodes.get(Key("", new["spec"].get("nodeName") or ""))
        if node is not None and self._is_mine(node):
            self.pods.queue.add(key_of(new))

    def _is_mine(self, node: Json) -> bool:
        """Tell whether a Node is one that this cloud makes; it leaves all others alone."""
        provider, name = _provider_id(node), node["metadata"]["name"]
        group = name.rpartition("-")[0]
        return provider == f"{SCHEME}{group}/{name}" and self._model.spec(group) is not None

    async def _reconcile(self, name: str) -> RequeueAfter | None:
        """Bring the Node of one machine to what it is to be now, and come back when that changes."""
        machine, node, current_time = (
            self._model.machine(name),
            self._nodes.get(Key("", name)),
            self._clock.now(),
        )
        if node is not None and not self._is_mine(node):
            return None
        spec = self._model.spec(machine.group) if machine else None
        if machine is None or spec is None:
            await self._remove(node)
            return None
        if not machine.has_node(current_time):
            await self._remove(node)
        elif node is None:
            await self._create(make_node(spec, machine, current_time))
        elif machine.ready_at <= current_time and not _is_ready(node):
            await self._make_ready(spec, node, current_time)
        return _again(machine, current_time)

    async def _create(self, node: Json) -> None:
        try:
            await self._client.create(NODES, node)
        except ApiError as error:
            if not error.is_already_exists:  # the informer has not told of it yet
                raise

    async def _make_ready(self, spec: NodeGroupSpec, node: Json, current_time: float) -> None:
        """Lift the startup taints, then report Ready: in the other order an autoscaler sees a ready node that
        takes no pod.
        """
        taints = (node.get("spec") or {}).get("taints") or ()
        remaining = without_startup_taints(spec, taints)
        if len(remaining) != len(taints):
            node = await self._client.update(NODES, {**node, "spec": {**node["spec"], "taints": remaining}})
        status = node.get("status") or {}
        other_conditions = [
            condition for condition in status.get("conditions") or () if condition["type"] != "Ready"
        ]
        conditions = [*other_conditions, ready_condition(current_time, is_ready=True)]
        await self._client.update_status(NODES, {**node, "status": {**status, "conditions": conditions}})

    async def _remove(self, node: Json | None) -> None:
        """Delete a Node whose machine is gone, and the pods that ran there."""
        if node is None:
            return
        name = node["metadata"]["name"]
        for pod in self._pods.by_index(BY_NODE, name):
            # Pods first: the API server lets a Node go at once, and nobody would
            # confirm their deletion.
            await self._end(key_of(pod))
        # By uid: a machine that came back under the same name keeps its Node.
        await self._client.delete(NODES, Key("", name), uid=node["metadata"].get("uid", ""))

    async def _end(self, pod: Key) -> None:
        """Confirm the deletion of a pod, as the kubelet of its node does when the containers have ended."""
        body = {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0}
        try:
            await self._client.request("DELETE", PODS.path(*pod), body=body)
        except ApiError as error:
            if not error.is_not_found:
                raise


def _again(machine: Machine, current_time: float) -> RequeueAfter | None:
    times = [
        at for at in (machine.registers_at, machine.ready_at, machine.ends_at) if current_time < at < NEVER
    ]
    return RequeueAfter(min(times) - current_time) if times else None


def _node_of(pod: Json) -> list[str]:
    name = (pod.get("spec") or {}).get("nodeName")
    return [name] if name else []


def _is_ready(node: Json) -> bool:
    conditions = (node.get("status") or {}).get("conditions") or ()
    return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)


def _provider_id(node: Json) -> str:
    return str((node.get("spec") or {}).get("providerID") or "")

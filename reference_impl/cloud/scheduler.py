"""A small scheduler: binds pods to nodes, and says of the others that they are unschedulable, which is what an autoscaler goes by."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Final

from reference_impl import instants
from reference_impl.api.kinds import NODES, PODS
from reference_impl.api.resource import Json, key_of
from reference_impl.runtime.controller import Controller
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.part import Runtime

from .placement import Binding, Unschedulable, is_waiting, placed

ROUND: Final = "round"
AT_ONCE: Final = 16
"""Requests that are under way together."""


class Scheduler:
    """Looks at all nodes and pods together, again after each change of one that matters. It does not preempt."""

    def __init__(self, runtime: Runtime) -> None:
        self.rounds: Controller[str] = Controller("scheduler", self._round, runtime.clock, runtime.log)
        self._client, self._clock = runtime.client, runtime.clock
        nodes, pods = runtime.informer(NODES), runtime.informer(PODS)
        self._nodes, self._pods = nodes.store, pods.store
        self._assumed: dict[str, str] = {}
        """Nodes, by uid of the pods that were bound to them, until the pods are seen there."""
        nodes.add_handler(self._on_node)
        pods.add_handler(self._on_pod)

    def _on_node(self, _old: Json | None, _new: Json | None) -> None:
        self.rounds.queue.add(ROUND)

    def _on_pod(self, old: Json | None, new: Json | None) -> None:
        """Have a round when a pod waits, or room may have become free."""
        pod = new or old
        assert pod is not None
        if new is None or new["spec"].get("nodeName"):
            self._assumed.pop(pod["metadata"]["uid"], None)
        if new is None or is_waiting(new) != (old is not None and is_waiting(old)) or _has_ended(new):
            self.rounds.queue.add(ROUND)

    async def _round(self, _key: str) -> None:
        bindings, others = placed(self._nodes, self._pods, self._assumed)
        await _each(map(self._bind, bindings))
        await _each(map(self._give_up, others))

    async def _bind(self, binding: Binding) -> None:
        metadata = binding.pod["metadata"]
        uid, key = metadata["uid"], key_of(binding.pod)
        body = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": key.name, "namespace": key.namespace, "uid": uid},
            "target": {"apiVersion": "v1", "kind": "Node", "name": binding.node},
        }
        self._assumed[uid] = binding.node
        try:
            await self._client.request("POST", PODS.path(*key, "binding"), body=body)
        except ApiError as error:
            self._assumed.pop(uid, None)
            if not (error.not_found or error.code == 409):  # deleted meanwhile, or bound by another scheduler
                raise

    async def _give_up(self, other: Unschedulable) -> None:
        status = other.pod.get("status") or {}
        before = next(
            (each for each in status.get("conditions") or () if each["type"] == "PodScheduled"), None
        )
        if before and (before.get("reason"), before.get("message")) == ("Unschedulable", other.message):
            return
        now = instants.render(self._clock.now())
        since = before["lastTransitionTime"] if before and before["status"] == "False" else now
        condition = {
            "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": other.message,
            "lastProbeTime": None, "lastTransitionTime": since,
        }  # fmt: skip
        body = {"status": {"conditions": [condition]}}
        try:
            await self._client.patch(PODS, key_of(other.pod), body, kind="strategic", subresource="status")
        except ApiError as error:
            if not error.not_found:
                raise


def _has_ended(pod: Json) -> bool:
    return (pod.get("status") or {}).get("phase") in {"Succeeded", "Failed"}


async def _each(work: Iterable[Awaitable[None]]) -> None:
    """Do all of it, some at once; raise the first error when the others are done."""
    pending = list(work)
    for start in range(0, len(pending), AT_ONCE):
        results = await asyncio.gather(*pending[start : start + AT_ONCE], return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

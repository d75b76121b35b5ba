"""A small scheduler: binds pods to nodes, and says of the others that they are unschedulable, which is what
an autoscaler goes by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Final

from reference_impl.api import instants
from reference_impl.api.kinds import NODES, PODS
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.runtime.controller import Controller
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.part import Runtime

from .placement import Binding, PodPlacement, Unschedulable, changes_room, has_ended, is_waiting

ROUND: Final = "round"
AT_ONCE: Final = 16
"""Requests that are under way together."""


class Scheduler:
    """Places the pods that have come since its last round,
    and all that wait when a node has changed or room became free.

    It does not preempt.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.rounds: Controller[str] = Controller("scheduler", self._round, runtime.clock, runtime.log)
        self._client, self._clock = runtime.client, runtime.clock
        nodes, pods = runtime.informer(NODES), runtime.informer(PODS)
        self._nodes, self._pods = nodes.store, pods.store
        self._placement: PodPlacement | None = None
        """What is known of nodes and pods; None where it must be read again."""
        self._new: dict[Key, Json] = {}
        self._given_up: dict[Key, Json] = {}
        # Nodes, by uid of the pods that were bound to them, until the pods are seen
        # there.
        self._assumed: dict[str, str] = {}
        nodes.add_handler(self._on_node)
        pods.add_handler(self._on_pod)

    def _on_node(self, old: Json | None, new: Json | None) -> None:
        if changes_room(old, new):
            self._try_all()

    def _on_pod(self, old: Json | None, new: Json | None) -> None:
        """Note a pod that waits; one that has ended or was bound
        by another program changes the room that there is.
        """
        pod = new or old
        assert pod is not None
        key, uid = key_of(pod), pod["metadata"]["uid"]
        if new is not None and is_waiting(new):
            if key in self._given_up and self._given_up[key]["spec"] == new["spec"]:
                # Only its status has changed, by our own write: nothing new can fit.
                self._given_up[key] = new
            # Bound by us a moment ago; the event of the binding is still on its way.
            elif uid not in self._assumed:
                self._given_up.pop(key, None)
                self._new[key] = new
                self.rounds.queue.add(ROUND)
            return
        self._new.pop(key, None)
        self._given_up.pop(key, None)
        node = pod["spec"].get("nodeName")
        was_bound = old is not None and old["spec"].get("nodeName") and not has_ended(old)
        if new is None or has_ended(new):
            self._assumed.pop(uid, None)
            if was_bound or node:
                self._try_all()
        elif node and not was_bound and self._assumed.pop(uid, "") != node:
            self._placement = None

    def _try_all(self) -> None:
        self._placement = None
        self._new |= self._given_up
        self._given_up = {}
        if self._new:
            self.rounds.queue.add(ROUND)

    async def _round(self, _key: str) -> None:
        pods, self._new = self._new, {}
        if self._placement is None:
            self._placement = PodPlacement(self._nodes, self._pods, self._assumed)
        bindings, unschedulable = self._placement.place(pods.values())
        # From now on its room is taken, although the informer has not seen it.
        self._assumed |= {binding.pod["metadata"]["uid"]: binding.node for binding in bindings}
        self._given_up |= {key_of(unplaced.pod): unplaced.pod for unplaced in unschedulable}
        try:
            await _each(map(self._bind, bindings))
            await _each(map(self._give_up, unschedulable))
        except BaseException:
            # The round is tried again: with the pods as they are then, of which some are bound.
            self._assumed.clear()
            self._given_up.clear()
            self._placement = None
            self._new |= {key_of(pod): pod for pod in self._pods if is_waiting(pod)}
            raise

    async def _bind(self, binding: Binding) -> None:
        metadata = binding.pod["metadata"]
        uid, key = metadata["uid"], key_of(binding.pod)
        body = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": key.name, "namespace": key.namespace, "uid": uid},
            "target": {"apiVersion": "v1", "kind": "Node", "name": binding.node},
        }
        try:
            await self._client.request("POST", PODS.path(*key, "binding"), body=body)
        except ApiError as error:
            if not (error.is_not_found or error.code == 409):
                raise
            self._assumed.pop(uid, None)  # deleted meanwhile, or bound by another scheduler
            self._placement = None

    async def _give_up(self, other: Unschedulable) -> None:
        status = other.pod.get("status") or {}
        before = next(
            (
                condition
                for condition in status.get("conditions") or ()
                if condition["type"] == "PodScheduled"
            ),
            None,
        )
        # Without a change no write: each would be an event for every watcher of pods.
        if before and (before.get("reason"), before.get("message")) == ("Unschedulable", other.message):
            return
        current_time = instants.render(self._clock.now())
        since = before["lastTransitionTime"] if before and before["status"] == "False" else current_time
        condition = {
            "type": "PodScheduled",
            "status": "False",
            "reason": "Unschedulable",
            "message": other.message,
            "lastProbeTime": None,
            "lastTransitionTime": since,
        }
        body = {"status": {"conditions": [condition]}}
        try:
            await self._client.patch(PODS, key_of(other.pod), body, kind="strategic", subresource="status")
        except ApiError as error:
            if not error.is_not_found:
                raise


async def _each(work: Iterable[Awaitable[None]]) -> None:
    """Do all of it, some at once; raise the first error when the others are done."""
    pending = list(work)
    for start in range(0, len(pending), AT_ONCE):
        results = await asyncio.gather(*pending[start : start + AT_ONCE], return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

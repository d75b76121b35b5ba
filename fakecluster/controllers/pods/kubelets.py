"""The stand-in for the kubelets: carries the pods of each node
through their lives, and records it in Events (FK-480…FK-482).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...api.outcome import User
from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ...registry.machinery import Api
from ...store import Stored
from ..actor import Actor
from ..recorder import Recorder
from . import statuses
from .scripts import ScriptError, ScriptStep

PODS, NODES = ("", "pods"), ("", "nodes")
GROUPS = ("system:masters", "system:nodes", "system:authenticated")
KILLED_STEP = ScriptStep("Failed", exit_code=137)
IMAGE_PRESENT = 'Container image "{}" already present on machine and can be accessed by the pod'
IMAGE_PULLING = 'Pulling image "{}"'
IMAGE_PULLED = 'Successfully pulled image "{}" in 0s (0s including waiting). Image size: 0 bytes.'


class Kubelet(Struct, frozen=True):
    """As whom the kubelet of one node acts."""

    actor: Actor
    recorder: Recorder


class Kubelets:
    """The kubelets of all nodes."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._kubelets: dict[str, Kubelet] = {}

    def runs(self, pod: Json) -> bool:
        """Tell whether a kubelet cares for a pod: its node is there, and not out of reach."""
        node = self._api.store.get(NODES, ("", pod["spec"]["nodeName"]))
        conditions = node.object.get("status", {}).get("conditions") or () if node else ()
        # A node whose readiness is unknown is out of reach: its kubelet can confirm nothing.
        return node is not None and ("Ready", "Unknown") not in {
            (condition["type"], condition["status"]) for condition in conditions
        }

    def reach(self, pod: Json, step: ScriptStep) -> Steps[None]:
        """Bring the containers of a pod to a step of its script. Raises StatusError."""
        current_time = at(self._api.clock.now())
        if step.phase == "Running":
            yield from self._record(pod, start_events(pod))
            yield from self._write(pod, statuses.running(pod, current_time))
        else:
            yield from self._write(pod, statuses.terminal(pod, step, current_time))

    def report_unreadable_script(self, pod: Json, error: ScriptError) -> Steps[None]:
        """Record that the script of a pod cannot be read; the pod stays unchanged. Raises StatusError."""
        yield from self._kubelet(pod).recorder.record(pod, "UnreadablePodScript", str(error), "Warning")

    def terminate(self, stored: Stored) -> Steps[None]:
        """End the containers of a pod that is being deleted,
        then confirm the deletion. Raises StatusError.
        """
        pod, actor = stored.object, self._kubelet(stored.object).actor
        if pod["status"].get("phase") == "Running":
            yield from self._record(pod, stop_events(pod))
            yield from self._write(pod, statuses.terminal(pod, KILLED_STEP, at(self._api.clock.now())))
        # Read again, as the writes before have changed it.
        row, current = actor.kind("v1", "Pod"), self._api.store.get(PODS, stored.name)
        # Without grace left the pod is gone already, or waits for finalizers alone.
        if row and current and current.object["metadata"].get("deletionGracePeriodSeconds"):
            yield from actor.delete(row, current, gracePeriodSeconds=0)

    def _record(self, pod: Json, events: list[ContainerEvent]) -> Steps[None]:
        recorder = self._kubelet(pod).recorder
        for event in events:
            yield from recorder.record(pod, event.reason, event.message, field_path=event.field_path)

    def _write(self, pod: Json, status: Json) -> Steps[None]:
        actor = self._kubelet(pod).actor
        row = actor.kind("v1", "Pod")
        if row and status != pod.get("status"):
            yield from actor.update_status(row, {**pod, "status": status})

    def _kubelet(self, pod: Json) -> Kubelet:
        node = pod["spec"].get("nodeName", "")
        kubelet = self._kubelets.get(node)
        if kubelet is None:
            actor = Actor(self._api, User(name=f"system:node:{node}", groups=GROUPS), "kubelet")
            kubelet = self._kubelets[node] = Kubelet(actor, Recorder(actor, "kubelet", node))
        return kubelet


class ContainerEvent(Struct, frozen=True):
    """What happened to the container at `field_path`."""

    field_path: str
    reason: str
    message: str


def start_events(pod: Json) -> list[ContainerEvent]:
    """Return the Events of containers that start, those that run before the others first."""
    return [event for path, container in _containers(pod) for event in _start(path, container)]


def stop_events(pod: Json) -> list[ContainerEvent]:
    """Return the Events of containers that are stopped."""
    return [
        ContainerEvent(
            f"spec.containers{{{container['name']}}}", "Killing", f"Stopping container {container['name']}"
        )
        for container in pod["spec"]["containers"]
    ]


def _containers(pod: Json) -> Iterator[tuple[str, Json]]:
    for members in ("initContainers", "containers"):
        for container in pod["spec"].get(members) or ():
            yield f"spec.{members}{{{container['name']}}}", container


def _start(path: str, container: Json) -> Iterator[ContainerEvent]:
    image = container.get("image", "")
    if container.get("imagePullPolicy") == "Always":
        yield ContainerEvent(path, "Pulling", IMAGE_PULLING.format(image))
        yield ContainerEvent(path, "Pulled", IMAGE_PULLED.format(image))
    else:
        yield ContainerEvent(path, "Pulled", IMAGE_PRESENT.format(image))
    yield ContainerEvent(path, "Created", "Container created")
    yield ContainerEvent(path, "Started", "Container started")

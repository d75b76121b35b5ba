"""A pod of a scenario, with a scheduler's condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact

CONSUME = "autoscaling.x-k8s.io/consume-provisioning-request"
OLD_CONSUME = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"
_IMAGE = "registry.k8s.io/pause:3.10"


def pod_manifest(cpu: str = "1", memory: str = "1Gi", *, limits: bool = False, **spec: Any) -> Json:
    """Return the spec of a pod with one container that requests so much, or only has it as limits."""
    amounts = {"cpu": cpu, "memory": memory}
    container = {"name": "c", "image": _IMAGE, "resources": {"limits" if limits else "requests": amounts}}
    return {"containers": [container], **spec}


class PendingPod:
    """One pod, read anew by each property."""

    def __init__(self, context: CaseContext, namespace: str, name: str) -> None:
        self._context = context
        self.namespace = namespace
        self.name = name

    def create(self, spec: Json, annotations: Mapping[str, str], node: str = "") -> None:
        """Create it, bound to a Node or unschedulable."""
        metadata = {"name": self.name, "namespace": self.namespace, "annotations": dict(annotations)}
        bound = {"nodeName": node} if node else {}
        self._context.client.create({"kind": "Pod", "metadata": metadata, "spec": {**spec, **bound}})
        if not node:
            # An autoscaler finds the pods that wait for machines by this condition.
            self._is_unschedulable()

    def _is_unschedulable(self) -> None:
        condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
        patch = {"status": {"conditions": [condition]}}
        self._context.client.merge("Pod", self.name, patch, namespace=self.namespace, sub="status")

    def finish(self) -> None:
        """Set it to Succeeded, as its kubelet does."""
        patch = {"status": {"phase": "Succeeded"}}
        self._context.client.merge("Pod", self.name, patch, namespace=self.namespace, sub="status")

    def delete(self) -> None:
        """Remove it at once."""
        self._context.client.call(
            "DELETE", f"/api/v1/namespaces/{self.namespace}/pods/{self.name}", gracePeriodSeconds="0"
        )

    def is_scheduled(self) -> Fact:
        """A scheduler has bound it."""
        pod = self._context.client.find("Pod", self.name, self.namespace) or {}
        node = pod.get("spec", {}).get("nodeName", "")
        return Fact(bool(node), f"the pod {self.name} has a Node", node or "none")

    @property
    def events(self) -> Sequence[Json]:
        """The events about it."""
        return events_about(self._context, self.namespace, self.name)

    def has_event(self, text: str, *, times: int = 1) -> Fact:
        """So many events about it have exactly this text."""
        messages = [event.get("message", "") for event in self.events]
        return Fact(
            messages.count(text) == times, f"{times} event(s) about pod {self.name}: {text!r}", f"{messages}"
        )

    def has_no_events(self) -> Fact:
        """It has no events."""
        messages = [event.get("message", "") for event in self.events]
        return Fact(not messages, f"no event about pod {self.name}", f"{messages}")


def events_about(context: CaseContext, namespace: str, name: str) -> Sequence[Json]:
    """Return the events of a namespace that regard an object of this name."""
    events = context.client.list("Event", namespace)
    # By name alone: the events of a pod outlive it, and its uid is gone.
    return [event for event in events if event["involvedObject"].get("name") == name]

"""Pods of scenarios about autoscalers: on a Node, unschedulable, of a Job, or consumers of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...case.context import CaseContext
from ...history.fact import Fact
from ..stage import Stage
from ..workloads.workload import Workload
from .node import Node
from .pending_pod import CONSUME, PendingPod, pod_manifest


class PodMaker:
    """Creates pods in the namespace of a case."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.context: CaseContext = stage.context
        self.client = stage.client
        self.namespace = stage.namespace

    def make_pod(
        self, cpu: str = "1", memory: str = "1Gi", *, on: Node | None = None, **annotations: str
    ) -> PendingPod:
        """Create a pod that is bound to a Node, or unschedulable."""
        return self.make_annotated_pod(annotations, cpu, memory, on=on)

    def make_pod_on(self, node: str) -> PendingPod:
        """Create a pod with the name of a Node that may not exist."""
        pod = PendingPod(self.context, self.namespace, self._stage.names.name("pod"))
        pod.create(pod_manifest(), {}, node)
        return pod

    def has_scheduled(self, pods: Sequence[PendingPod], count: int | None = None) -> Fact:
        """So many of these pods have a Node, by default all."""
        expected_count = len(pods) if count is None else count
        scheduled_count = sum(bool(pod.is_scheduled()) for pod in pods)
        return Fact(
            scheduled_count == expected_count,
            f"{expected_count} of {len(pods)} pods have a Node",
            f"{scheduled_count} have",
        )

    def make_consumer(
        self, request: str, cpu: str = "1", memory: str = "1Gi", *, on: Node | None = None, key: str = CONSUME
    ) -> PendingPod:
        """Create a pod with the annotations that consume a request."""
        return self.make_annotated_pod({key: request}, cpu, memory, on=on)

    def make_pods_of(self, workload: Workload) -> Sequence[PendingPod]:
        """Make the pods of a started Job from its template,
        as its controller does: with what Kueue put into it.
        """
        job = self.client.find("Job", workload.job, self.namespace) or {}
        template, pods = job["spec"]["template"], []
        for _ in range(job["spec"]["parallelism"]):
            pods.append(PendingPod(self.context, self.namespace, self._stage.names.name("pod")))
            pods[-1].create(template["spec"], template["metadata"].get("annotations") or {})
        return pods

    def make_annotated_pod(
        self, annotations: Mapping[str, str], cpu: str = "1", memory: str = "1Gi", *, on: Node | None = None
    ) -> PendingPod:
        """Make a pod with annotations, on a Node or without a place."""
        pod = PendingPod(self.context, self.namespace, self._stage.names.name("pod"))
        pod.create(pod_manifest(cpu, memory), annotations, on.name if on else "")
        return pod

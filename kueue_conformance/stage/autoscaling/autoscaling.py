"""The objects of scenarios about autoscalers: Nodes, pods, templates and requests, and the autoscaler itself
(provisioning.md A1, A4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ...case_context import AutoscalerHandle, CaseContext
from ...errors import UsageError
from ...fact import Fact
from ...history import PLAYERS
from ..answer import Answer, tried
from ..stage import Stage
from ..workloads.workload import Workload
from .capacity_request import KIND, CapacityRequest
from .group import Group
from .node import Node, manifest
from .pending_pod import CONSUME, PendingPod, pod_manifest

Json: TypeAlias = Any
_FRACTION = 0.25
"""Seconds after a whole one at which an autoscaler begins on virtual time: no real one begins at a whole
second, and what is due after so many seconds is done in the second in which they are over (finding X1).
"""


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a run in seconds: those of production on virtual time, shorter ones in real time, as the
    recordings have them.
    """

    scan: int
    first: int
    """Seconds before the first retry of a request that found no capacity."""
    most: int
    """The most seconds before a retry."""
    boot: int
    ready: int
    """Seconds until a machine has a Node, and again until that is ready."""

    shown: int
    """The number of delays that scenarios wait for: the longest occurs twice."""

    def delays(self, count: int) -> list[int]:
        """Return the first delays: each twice the one before, up to the longest (PR-122)."""
        found = [self.first]
        while len(found) < count:
            found.append(min(2 * found[-1], self.most))
        return found


PRODUCTION, SCALED = Times(20, 60, 600, 60, 5, 6), Times(1, 5, 20, 3, 1, 4)


class Autoscaling:
    """The methods of scenarios about autoscalers. The autoscaler runs after `starts`."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.context: CaseContext = stage.context
        self.client = stage.client
        self.namespace = stage.namespace
        self._has_delays = self.context.dialect.fact("delays") == "flags"
        self.times = PRODUCTION if self.context.budgets.virtual else SCALED
        if not self._has_delays:
            self.times = replace(
                self.times, first=self.times.most if self.context.budgets.virtual else 600, most=600
            )
        self._flags: dict[str, str] = {}
        self._templates: dict[tuple[Any, ...], str] = {}

    # The autoscaler

    @property
    def _autoscaler_handle(self) -> AutoscalerHandle:
        if self.context.autoscaler is None:
            raise UsageError(
                "no autoscaler is judged here", hint="the words of `autoscaling` are for scenarios of PRQ"
            )
        return self.context.autoscaler

    def starts(self, **flags: str | bool | float) -> None:
        """Start the autoscaler, with flags by their names with underscores besides those of `times`."""
        times = self.times
        delays = {
            "provisioning_request_initial_backoff_time": f"{times.first}s",
            "provisioning_request_max_backoff_time": f"{times.most}s",
        }
        # The status is written in every loop, of which virtual time has many; a scenario about it asks for it.
        quiet = {"write_status_configmap": False} if self.context.budgets.virtual else {}
        asked = {
            "enable_provisioning_requests": True, "scan_interval": f"{times.scan}s", **quiet, **delays, **flags,
        }  # fmt: skip
        if not self._has_delays:
            asked = {name: value for name, value in asked.items() if name not in delays}
        self._flags = {name.replace("_", "-"): _told(value) for name, value in asked.items()}
        self._begins()

    def _begins(self) -> None:
        self.context.acts()
        if self.context.budgets.virtual:
            # Nodes of the cloud are there, and followed, before it begins.
            now = self.context.cluster.now()
            self.context.cluster.passes((_FRACTION - now) % 1.0, self.context.react)
        self._autoscaler_handle.start(self._flags)
        self.context.cluster.passes(
            0.0, self.context.react
        )  # its first loop is done before the scenario goes on

    def stops(self) -> None:
        """Stop the autoscaler; state that it has not written is lost."""
        self.context.acts()
        self._autoscaler_handle.stop()

    def restarts(self, **flags: str | bool | float) -> None:
        """Restart the autoscaler, with other flags if given."""
        self.stops()
        self._flags |= {name.replace("_", "-"): _told(value) for name, value in flags.items()}
        self._begins()

    # Machines

    def nodes(self, count: int, **shape: Any) -> Sequence[Node]:
        """Create Nodes that are ready; `shape` as in `node`."""
        return [self.node(**shape) for _ in range(count)]

    def node(self, **shape: Any) -> Node:
        """Make a Node: see `node.manifest` for its `cpu`, `memory`, `labels`, `taints`."""
        name = self._stage.names.name("node")
        made = manifest(name, **shape)
        self.client.create(made)
        # The API server adds the taint of a Node that is not ready, which a node controller would take away.
        self.client.merge("Node", name, {"spec": {"taints": made["spec"].get("taints")}})
        return Node(self.context, name)

    def group(
        self, name: str = "ng-a", *, nodes: int = 0, most: int = 10, boots: float | None = None, **shape: Any
    ) -> Group:
        """Make a group of the cloud with so many machines that are ready, and of so many at most.

        A machine takes `boots` seconds to boot, a minute unless that is said; `shape` as in `GroupSpec`.
        """
        boots = self.times.boot if boots is None else boots
        self._autoscaler_handle.cloud.make_group(
            name, max=most, target=nodes, boot_seconds=boots, ready_seconds=self.times.ready, **shape
        )
        return Group(self.context, self._autoscaler_handle, name)

    @property
    def cloud(self) -> Any:
        """The autoscaler's cloud, at which failures are injected."""
        return self._autoscaler_handle.cloud

    # Requests

    def template(
        self,
        cpu: str = "1",
        memory: str = "1Gi",
        *,
        name: str = "",
        namespace: str = "",
        limits: bool = False,
        **spec: Any,
    ) -> str:
        """Make a PodTemplate with one container that requests so much, or that only has it as limits; `spec`
        adds fields of the pod.
        """
        name = name or self._stage.names.name("template")
        body = {"kind": "PodTemplate", "metadata": {"name": name, "namespace": namespace or self.namespace}}
        self.client.create({**body, "template": {"spec": pod_manifest(cpu, memory, limits=limits, **spec)}})
        return name

    def requests(
        self,
        pods: int | Sequence[tuple[str, int]],
        kind: str = "check",
        *,
        parameters: Mapping[str, str] | None = None,
        name: str = "",
        **template: Any,
    ) -> CapacityRequest:
        """Make a request for so many pods of one template, or for pod sets given by their template and count.

        `kind` is `check`, `atomic`, or the name of another class.
        """
        sets = [(self._like(template), pods)] if isinstance(pods, int) else pods
        name = name or self._stage.names.name("request")
        self.client.create(self.manifest(name, sets, kind, parameters))
        return CapacityRequest(self.context, self.namespace, name)

    def _like(self, template: Mapping[str, Any]) -> str:
        """Return a template of this shape; equal shapes share one template."""
        key = tuple(sorted((name, repr(value)) for name, value in template.items()))
        if key not in self._templates:
            self._templates[key] = self.template(**template)
        return self._templates[key]

    def manifest(
        self,
        name: str,
        sets: Sequence[tuple[str, int]],
        kind: str = "check",
        parameters: Mapping[str, str] | None = None,
    ) -> Json:
        """Return a request as a client of the dialect writes it; `kind` as in `requests`."""
        fact = self.context.dialect.fact
        class_name = fact("classes").get(kind, kind)
        spec = {
            fact("class-field"): class_name,
            "podSets": [{"podTemplateRef": {"name": ref}, "count": count} for ref, count in sets],
            **({fact("parameters-field"): dict(parameters)} if parameters is not None else {}),
        }
        return {"kind": KIND, "metadata": {"name": name, "namespace": self.namespace}, "spec": spec}

    def requests_with_status(self, pods: int, **conditions: bool) -> CapacityRequest:
        """Create a request with a status in the same write."""
        name = self._stage.names.name("request")
        told = [
            {
                "type": kind,
                "status": str(value),
                "reason": "Said",
                "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }
            for kind, value in conditions.items()
        ]
        made = self.manifest(name, [(self._like({}), pods)])
        self.client.create({**made, "status": {"conditions": told}})
        return CapacityRequest(self.context, self.namespace, name)

    def attempt_to_request(self, **spec: Json) -> Answer:
        """Try to create a request with exactly these fields; return the server's answer."""
        metadata = {"name": self._stage.names.name("request"), "namespace": self.namespace}
        return tried(lambda: self.client.create({"kind": KIND, "metadata": metadata, "spec": spec}))

    def loses(self, template: str) -> None:
        """Delete a PodTemplate."""
        self.client.delete("PodTemplate", template, self.namespace)

    def template_changes(self, template: str, cpu: str, memory: str = "1Gi") -> None:
        """Have the pods of a PodTemplate request something else."""
        changed = {"template": {"spec": pod_manifest(cpu, memory)}}
        self.client.merge("PodTemplate", template, changed, namespace=self.namespace)

    def tells_of_groups(self, reason: str) -> Fact:
        """An event with this reason exists about the autoscaler's status ConfigMap."""
        seen = sorted({str(one.get("reason")) for one in self.client.list("Event", "kube-system")})
        return Fact(reason in seen, f"an event {reason} about groups", f"{seen}")

    def answered(self, requests: Sequence[CapacityRequest]) -> Fact:
        """All of these requests are Provisioned or Failed."""
        seen = self._conditions()
        without = [
            one.name for one in requests if not {"Provisioned", "Failed"} & seen.get(one.name, {}).keys()
        ]
        return Fact(not without, f"{len(requests)} requests have an answer", f"without: {without}")

    def all_of(self, requests: Sequence[CapacityRequest], fact: str) -> Fact:
        """The fact with this name holds for all of these requests."""
        without = [one.name for one in requests if not getattr(one, fact)()]
        return Fact(not without, f"{fact} of {len(requests)} requests", f"not of {without}")

    def came_in_turns(self, requests: Sequence[CapacityRequest], condition: str, *counts: int) -> Fact:
        """A condition was set on these requests in batches of these sizes."""
        times = Counter(one.conditions.get(condition, {}).get("lastTransitionTime", "") for one in requests)
        seen = [times[at] for at in sorted(times)]
        return Fact(
            seen == list(counts), f"{condition} came to {list(counts)} requests in turn", f"to {seen}"
        )

    def has_template(self, name: str) -> Fact:
        """A PodTemplate is there."""
        found = self.client.find("PodTemplate", name, self.namespace)
        return Fact(bool(found), f"PodTemplate {name} exists", "it does" if found else "it does not")

    def provisioned(self, requests: Sequence[CapacityRequest], count: int) -> Fact:
        """Exactly so many of these are Provisioned."""
        told = self._conditions()
        seen = sum(
            told.get(one.name, {}).get("Provisioned") == "True" and told[one.name].get("Failed") != "True"
            for one in requests
        )
        return Fact(seen == count, f"{count} of {len(requests)} requests are Provisioned", f"{seen} are")

    def _conditions(self) -> Mapping[str, Mapping[str, str]]:
        """Return what the conditions of all requests say, by the names of the requests: many are read at once."""
        found = self.client.list(KIND, self.namespace)
        return {
            one["metadata"]["name"]: {
                each["type"]: each["status"] for each in (one.get("status") or {}).get("conditions") or ()
            }
            for one in found
        }

    def were_written(self, requests: Sequence[CapacityRequest], times: int) -> Fact:
        """The status of each of these was changed so often by the autoscaler."""
        written = Counter(
            one.name
            for one in self.context.history
            if one.kind == KIND and one.before and one.after and not one.actor.startswith(PLAYERS)
        )
        others = {one.name: written[one.name] for one in requests if written[one.name] != times}
        return Fact(not others, f"{len(requests)} requests were written {times} time(s)", f"{others}")

    # Pods

    def pod(
        self, cpu: str = "1", memory: str = "1Gi", *, on: Node | None = None, **annotations: str
    ) -> PendingPod:
        """Create a pod that is bound to a Node, or unschedulable."""
        return self.annotated_pod(annotations, cpu, memory, on=on)

    def pod_on(self, node: str) -> PendingPod:
        """Create a pod with the name of a Node that may not exist."""
        pod = PendingPod(self.context, self.namespace, self._stage.names.name("pod"))
        pod.create(pod_manifest(), {}, node)
        return pod

    def run(self, pods: Sequence[PendingPod], count: int | None = None) -> Fact:
        """So many of these pods have a Node, by default all."""
        wanted = len(pods) if count is None else count
        seen = sum(one.has_a_node for one in pods)
        return Fact(seen == wanted, f"{wanted} of {len(pods)} pods have a Node", f"{seen} have")

    def consumer(
        self, request: str, cpu: str = "1", memory: str = "1Gi", *, on: Node | None = None, key: str = CONSUME
    ) -> PendingPod:
        """Create a pod with the annotations that consume a request."""
        return self.annotated_pod({key: request}, cpu, memory, on=on)

    def pods_of(self, workload: Workload) -> Sequence[PendingPod]:
        """Make the pods of a started Job from its template, as its controller does: with what Kueue put into
        it.
        """
        job = self.client.find("Job", workload.job, self.namespace) or {}
        template, made = job["spec"]["template"], []
        for _ in range(job["spec"]["parallelism"]):
            made.append(PendingPod(self.context, self.namespace, self._stage.names.name("pod")))
            made[-1].create(template["spec"], template["metadata"].get("annotations") or {})
        return made

    def annotated_pod(
        self, annotations: Mapping[str, str], cpu: str = "1", memory: str = "1Gi", *, on: Node | None = None
    ) -> PendingPod:
        """Make a pod with annotations, on a Node or without a place."""
        pod = PendingPod(self.context, self.namespace, self._stage.names.name("pod"))
        pod.create(pod_manifest(cpu, memory), annotations, on.name if on else "")
        return pod


def _told(value: str | bool | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

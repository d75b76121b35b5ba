"""Requests of scenarios about autoscalers, their templates,
and facts about many requests (provisioning.md A1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from ...history.fact import Fact
from ...history.story import PLAYERS
from ..answer import Answer, try_request
from ..stage import Stage
from .capacity_request import CapacityRequest
from .pending_pod import pod_manifest
from .pods import PodMaker
from .request_status import KIND


class CapacityRequests(PodMaker):
    """Creates requests in the namespace of a case."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._templates: dict[tuple[Any, ...], str] = {}

    def make_template(
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

    def make_request(
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
        # repr, since a template may hold lists, which have no hash.
        key = tuple(sorted((name, repr(value)) for name, value in template.items()))
        if key not in self._templates:
            self._templates[key] = self.make_template(**template)
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

    def make_request_with_status(self, pods: int, **conditions: bool) -> CapacityRequest:
        """Create a request with a status in the same write."""
        name = self._stage.names.name("request")
        status_conditions = [
            {
                "type": kind,
                "status": str(value),
                "reason": "Said",
                "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }
            for kind, value in conditions.items()
        ]
        request = self.manifest(name, [(self._like({}), pods)])
        self.client.create({**request, "status": {"conditions": status_conditions}})
        return CapacityRequest(self.context, self.namespace, name)

    def try_to_make_request(self, **spec: Json) -> Answer:
        """Try to create a request with exactly these fields; return the server's answer."""
        metadata = {"name": self._stage.names.name("request"), "namespace": self.namespace}
        return try_request(lambda: self.client.create({"kind": KIND, "metadata": metadata, "spec": spec}))

    def delete_template(self, template: str) -> None:
        """Delete a PodTemplate."""
        self.client.delete("PodTemplate", template, self.namespace)

    def change_template(self, template: str, cpu: str, memory: str = "1Gi") -> None:
        """Have the pods of a PodTemplate request something else."""
        changed = {"template": {"spec": pod_manifest(cpu, memory)}}
        self.client.merge("PodTemplate", template, changed, namespace=self.namespace)

    def has_status_event(self, reason: str) -> Fact:
        """An event with this reason exists about the autoscaler's status ConfigMap."""
        reasons = sorted({str(event.get("reason")) for event in self.client.list("Event", "kube-system")})
        return Fact(reason in reasons, f"an event {reason} about groups", f"{reasons}")

    def has_answered(self, requests: Sequence[CapacityRequest]) -> Fact:
        """All of these requests are Provisioned or Failed."""
        conditions = self._conditions()
        without = [
            request.name
            for request in requests
            if not {"Provisioned", "Failed"} & conditions.get(request.name, {}).keys()
        ]
        return Fact(not without, f"{len(requests)} requests have an answer", f"without: {without}")

    def is_true_of_all(
        self, requests: Sequence[CapacityRequest], fact: Callable[[CapacityRequest], Fact]
    ) -> Fact:
        """A fact holds for all of these requests."""
        broken = [result for result in map(fact, requests) if not result]
        return Fact(
            not broken,
            f"a fact holds for {len(requests)} requests",
            f"not: {'; '.join(result.observed for result in broken)}",
        )

    def was_set_in_batches(self, requests: Sequence[CapacityRequest], condition: str, *counts: int) -> Fact:
        """A condition was set on these requests in batches of these sizes."""
        # What is set in one loop of the autoscaler has one time.
        times = Counter(
            request.conditions.get(condition, {}).get("lastTransitionTime", "") for request in requests
        )
        batches = [times[at] for at in sorted(times)]
        return Fact(
            batches == list(counts), f"{condition} came to {list(counts)} requests in turn", f"to {batches}"
        )

    def has_template(self, name: str) -> Fact:
        """A PodTemplate is there."""
        template = self.client.find("PodTemplate", name, self.namespace)
        return Fact(bool(template), f"PodTemplate {name} exists", "it does" if template else "it does not")

    def has_provisioned(self, requests: Sequence[CapacityRequest], count: int) -> Fact:
        """Exactly so many of these are Provisioned."""
        conditions = self._conditions()
        provisioned_count = sum(
            conditions.get(request.name, {}).get("Provisioned") == "True"
            and conditions[request.name].get("Failed") != "True"
            for request in requests
        )
        return Fact(
            provisioned_count == count,
            f"{count} of {len(requests)} requests are Provisioned",
            f"{provisioned_count} are",
        )

    def _conditions(self) -> Mapping[str, Mapping[str, str]]:
        """Return what the conditions of all requests say,
        by the names of the requests: many are read at once.
        """
        # One list for all: a request for each would change the load that is judged.
        requests = self.client.list(KIND, self.namespace)
        return {
            request["metadata"]["name"]: {
                condition["type"]: condition["status"]
                for condition in (request.get("status") or {}).get("conditions") or ()
            }
            for request in requests
        }

    def were_written(self, requests: Sequence[CapacityRequest], times: int) -> Fact:
        """The status of each of these was changed so often by the autoscaler."""
        written = Counter(
            change.name
            for change in self.context.history
            if change.kind == KIND and change.before and change.after and not change.actor.startswith(PLAYERS)
        )
        wrong_counts = {
            request.name: written[request.name] for request in requests if written[request.name] != times
        }
        return Fact(
            not wrong_counts, f"{len(requests)} requests were written {times} time(s)", f"{wrong_counts}"
        )

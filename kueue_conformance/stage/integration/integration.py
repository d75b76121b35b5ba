"""The judged job integration in a scenario: its jobs, its replicas and its requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.job_fields import QUEUE_LABEL
from ...case.context import CaseContext, within
from ...case.failure_text import CANARY
from ...history.fact import Fact
from ...history.footprint import is_granted, needs
from ...subject.job_kind import JobKind, with_value_at
from ...subject.role import usual_of_integration
from ...subject.running_subject import RunningSubject
from ..making.names import Names
from ..queues.queue import Queue
from ..subject.operating import SubjectReplicas
from ..workloads.job import PRIORITY_LABEL
from ..workloads.workload import Workload
from .canary import IntegrationCanary
from .job import IntegratedJob


class Integration(SubjectReplicas):
    """Submits jobs of the kind that it integrates; kills, stops and starts it."""

    def __init__(
        self, context: CaseContext, running: RunningSubject, kind: JobKind, names: Names, namespace: str
    ) -> None:
        super().__init__(context, running)
        self._kind = kind
        self._names = names
        self._namespace = namespace
        if not context.budgets.virtual:
            canary = IntegrationCanary(context, self._submit_canary)
            context.drains.append(canary.wait_for_workload)

    @property
    def resource(self) -> str:
        """The resource of its jobs: plural and group."""
        resource = self._context.client.resource(self._kind.kind)
        return f"{resource.plural}.{resource.group}"

    def new_name(self) -> str:
        """Return the name of a job that is submitted later."""
        return self._names.name("job")

    def start_job(self, queue: Queue, **fields: Any) -> IntegratedJob:
        """Submit a job, bring it through the checks of its queue, and wait until it runs with its pods."""
        job = self.submit_until_reserved(queue, **fields)
        for check in queue.checks:
            check.answer(job.workload, "Ready")
        within("start", job.is_running)
        job.begin_pods()
        return job

    def submit_until_reserved(self, queue: Queue, **fields: Any) -> IntegratedJob:
        """Submit a job, and wait until its Workload holds quota and lists the checks of its queue."""
        job = self.submit(queue, **fields)
        within(
            "reserve", lambda: job.workload.has_quota_reserved() and job.workload.lists_checks(*queue.checks)
        )
        return job

    def submit(
        self,
        queue: Queue | None,
        *,
        parallelism: int = 1,
        cpu: str = "1",
        suspended: bool = True,
        priority_class: str = "",
        name: str = "",
        template: Mapping[str, Any] | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        min_count: int | None = None,
        managed_by: str = "",
        parent: IntegratedJob | None = None,
    ) -> IntegratedJob:
        """Submit a job to a LocalQueue, or to none; `template` has metadata for its pod templates, and
        `parent` is a job that controls it.
        """
        name = name or self.new_name()
        namespace = queue.namespace if queue is not None else self._namespace
        queue_name = queue.name if queue is not None else ""
        manifest = self._kind.new_job(
            name=name, namespace=namespace, queue=queue_name, parallelism=parallelism, cpu=cpu
        )
        manifest = with_value_at(manifest, self._kind.suspend, suspended)
        for pod_set in self._kind.pod_sets if template else ():
            manifest = with_value_at(manifest, (*pod_set.template, "metadata"), dict(template or {}))
        own = manifest["metadata"].get("labels", {})
        kept = {key: value for key, value in own.items() if key != QUEUE_LABEL or queue is not None}
        chosen = {PRIORITY_LABEL: priority_class} if priority_class else {}
        metadata = {**manifest["metadata"], "labels": {**kept, **chosen, **(labels or {})}}
        if annotations:
            metadata["annotations"] = {**(metadata.get("annotations") or {}), **annotations}
        if parent is not None:
            metadata["ownerReferences"] = [parent.reference]
        created = {**manifest, "metadata": metadata}
        if min_count is not None:
            created = self._kind.options.with_min_count(created, min_count)
        if managed_by:
            created = with_value_at(created, tuple(self._kind.options.managed_by), managed_by)
        client = self._context.client
        client.create(created, client.resource(self._kind.kind))
        return IntegratedJob(self._context, self._kind, namespace, name)

    def new_workload_name(self) -> str:
        """Return the name of a Workload that is created later."""
        return self._names.name("workload")

    def prebuild_workload(self, name: str, queue: Queue, like: IntegratedJob) -> Workload:
        """Create a Workload that no job owns yet, with the pod sets of that of another job."""
        manifest = {
            "apiVersion": like.workload.object["apiVersion"],
            "kind": "Workload",
            "metadata": {"name": name, "namespace": queue.namespace},
            "spec": {"queueName": queue.name, "podSets": like.workload.object["spec"]["podSets"]},
        }
        self._context.client.create(manifest)
        return Workload(self._context, queue.namespace, name)

    def has_used_usual_rights_only(self) -> Fact:
        """It has asked for nothing but what its role grants, or what each integration needs where the subject
        file names no role.
        """
        granted = self.rules if self.rules is not None else usual_of_integration(self._kind)
        beyond = [need for need in sorted(needs(self.requests)) if not is_granted(granted, need)]
        return Fact(
            not beyond, "asks for what an integration needs", ", ".join(map(str, beyond)) or "nothing beyond"
        )

    def _submit_canary(self) -> IntegratedJob:
        """Submit a job to a queue that does not exist, so that the case's queues see nothing of it."""
        missing = Queue(self._context, self._names, self._names.name(CANARY), self._namespace, (), ())
        return self.submit(missing, name=self._names.name(CANARY))

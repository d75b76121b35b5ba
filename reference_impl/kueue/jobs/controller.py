"""The controller of batch/v1 Jobs: reads a snapshot, decides the next step, and does it (AC-330…336)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from reference_impl.api.kinds import (
    JOBS,
    NAMESPACES,
    PRIORITY_CLASSES,
    RESOURCE_FLAVORS,
    WORKLOAD_PRIORITY_CLASSES,
    WORKLOADS,
)
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.kueue.managed_namespaces import ManagedNamespaces
from reference_impl.kueue.workload import messages, metric_definitions
from reference_impl.kueue.workload.rules import WorkloadRules
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.controller import Controller, RequeueAfter
from reference_impl.runtime.log import Logger
from reference_impl.runtime.part import Runnable, Runtime
from reference_impl.runtime.store import Store

from .action_executor import ActionExecutor
from .decide import ORDER, decide
from .families import BY_PARENT, JobAncestors, parents
from .job import Job
from .priority import JobPriority, PriorityClasses, PriorityClassMissing
from .rules import V0_19, JobRules
from .snapshot import JobRule, JobSnapshot
from .steps import Await
from .workload_construction import controller_of

NAME: Final = "batch/job-kueue-controller"
BY_OWNER: Final = "workload/owning-job"
WORKERS: Final = 8


def owning_job(workload: Json) -> Iterable[str]:
    """Index Workloads by the Job that owns them."""
    metadata = workload["metadata"]
    return tuple(
        str(Key(metadata["namespace"], owner["name"]))
        for owner in metadata.get("ownerReferences") or ()
        if owner["kind"] == JOBS.kind and owner["apiVersion"] == JOBS.api_version
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JobController:
    """Reconciles one Job at a time."""

    jobs: Store
    workloads: Store
    priorities: PriorityClasses
    executor: ActionExecutor
    log: Logger
    waits_for_pods: bool
    manages_all: bool
    families: JobAncestors
    finishes_orphans: bool
    namespaces: ManagedNamespaces
    respects_namespaces: bool
    """Whether a Job with a queue is left alone as well where Jobs are not managed."""
    order: tuple[JobRule, ...]
    job_rules: JobRules

    async def reconcile(self, key: Key) -> RequeueAfter | None:
        """Do the one thing that is next."""
        workloads, obj = self._workloads_of(key), self.jobs.get(key)
        if obj is None:
            await self._leave(workloads)
            return None
        job = Job(obj)
        if job.is_deleting:
            await self._leave_with_job(job, workloads)
            return None
        is_managed = self.namespaces.include(key.namespace)
        # Before the ancestors: a Job that belongs to a managed one is left alone as well.
        if self.respects_namespaces and not is_managed:
            return None
        ancestor = self.families.ancestor(job)
        if ancestor is not None:
            await self._follow(job, ancestor)
            return None
        if not job.queue_name and not (self.manages_all and is_managed):
            return None
        snapshot = self._snapshot(job, workloads)
        step = decide(snapshot, self.order)
        if isinstance(step, Await):
            self.log.warning("job waits", key=key, missing=step.missing)
            self.executor.warn(job, step.event)
            return RequeueAfter()
        return None if step is None else await self.executor.do(job, snapshot.priority, step)

    def _workloads_of(self, key: Key) -> list[Workload]:
        owned = map(Workload, self.workloads.by_index(BY_OWNER, str(key)))
        return [workload for workload in owned if self.job_rules.is_of_job(key, workload)]

    async def _follow(self, job: Job, ancestor: Job) -> None:
        """Hold a Job back that runs although the one above it is not admitted."""
        above = self._workloads_of(ancestor.key)
        admitted = any(workload.is_admitted and not workload.is_finished for workload in above)
        if not (admitted or job.is_suspended or job.outcome):
            await self.executor.hold(job)

    def _snapshot(self, job: Job, owned: Sequence[Workload]) -> JobSnapshot:
        prebuilt = self.workloads.get(Key(job.key.namespace, job.prebuilt)) if job.prebuilt else None
        # A prebuilt Workload is found by its name: it has no owner before it is
        # adopted.
        workloads = owned if prebuilt is None else [Workload(prebuilt)]
        return JobSnapshot.of(
            job,
            workloads,
            self._priority(job),
            waits_for_pods=self.waits_for_pods,
            rules=self.job_rules,
        )

    def _priority(self, job: Job) -> JobPriority | PriorityClassMissing:
        """Look up the priority; a missing class matters only to steps that need the priority."""
        try:
            return self.priorities.of(job)
        except PriorityClassMissing as missing:
            return missing

    async def _leave_with_job(self, job: Job, workloads: Sequence[Workload]) -> None:
        """Let the Workloads of a Job go that is being deleted: at once, or when it has no pods (BUG-164)."""
        if self.job_rules.is_gone(job) or not self.finishes_orphans:
            await self._leave(workloads)
        elif not job.is_active:
            # A Job that is deleted in the foreground waits for its Workload, which is deleted before it.
            await self.executor.forget([workload for workload in workloads if workload.is_deleting])

    async def _leave(self, workloads: Sequence[Workload]) -> None:
        """Let the Workloads of a Job go; they are finished first (AC-297)."""
        for workload in workloads:
            if self.finishes_orphans and _may_be_finished(workload):
                await self.executor.finish(workload, "OwnerNotFound", messages.OWNER_NOT_FOUND)
            else:
                await self.executor.forget([workload])


def _may_be_finished(workload: Workload) -> bool:
    return bool(controller_of(workload)) and not workload.is_finished and not workload.is_deleting


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPart:
    """The batch/v1 Job integration as a part of the control plane."""

    rules: WorkloadRules
    manages_all: bool = False
    finishes_orphans: bool = True
    namespaces: ManagedNamespaces = field(default_factory=ManagedNamespaces)
    respects_namespaces: bool = True
    order: tuple[JobRule, ...] = ORDER
    job_rules: JobRules = V0_19

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow Jobs and the Workloads that they own."""
        # Also where this is the only part of its program: it counts what the Workloads of its Jobs do.
        runtime.metrics.add(metric_definitions.METRICS)
        jobs, workloads = runtime.informer(JOBS), runtime.informer(WORKLOADS)
        classes = runtime.informer(WORKLOAD_PRIORITY_CLASSES)
        controller = Controller(
            NAME,
            JobController(
                jobs=jobs.store,
                workloads=workloads.store,
                priorities=PriorityClasses(classes.store, runtime.informer(PRIORITY_CLASSES).store),
                executor=ActionExecutor(
                    rules=self.rules,
                    client=runtime.client,
                    clock=runtime.clock,
                    recorder=runtime.recorder(NAME),
                    metrics=runtime.metrics,
                    flavors=runtime.informer(RESOURCE_FLAVORS).store,
                    strict=runtime.replicated,
                ),
                log=runtime.log.with_name(NAME),
                waits_for_pods=self.rules.pods_ready is not None,
                manages_all=self.manages_all,
                families=JobAncestors(jobs.store, self.manages_all),
                finishes_orphans=self.finishes_orphans,
                namespaces=self.namespaces,
                respects_namespaces=self.respects_namespaces,
                order=self.order,
                job_rules=self.job_rules,
            ).reconcile,
            runtime.clock,
            runtime.log,
            workers=WORKERS,
        )
        self.namespaces.assemble(runtime)
        if self.namespaces.reads_labels:
            enqueue = partial(_enqueue_namespace, controller, jobs.store)
            runtime.informer(NAMESPACES).add_handler(enqueue)
        workloads.add_index(BY_OWNER, owning_job)
        jobs.add_index(BY_PARENT, parents)
        jobs.add_handler(lambda old, new: controller.queue.add(key_of(new or old)))
        workloads.add_handler(lambda old, new: _enqueue_family(controller, jobs.store, new or old))
        return [controller]


def _enqueue_namespace(controller: Controller[Key], jobs: Store, old: Json | None, new: Json | None) -> None:
    """Look at the Jobs that were read before their namespace was."""
    # A change of its labels leaves Jobs as they are, as in Kueue, which reads the
    # labels when something else has it look at a Job.
    if old is not None or new is None:
        return
    for job in jobs:
        if job["metadata"]["namespace"] == new["metadata"]["name"]:
            controller.queue.add(key_of(job))


def _enqueue_family(controller: Controller[Key], jobs: Store, workload: Json) -> None:
    """Look at the Job of a Workload, and at those that belong to it."""
    for owner in owning_job(workload):
        namespace, name = owner.split("/", 1)
        controller.queue.add(Key(namespace, name))
        for child in jobs.by_index(BY_PARENT, owner):
            controller.queue.add(key_of(child))

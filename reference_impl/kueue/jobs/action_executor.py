"""Executes the action that was decided for a Job: a few requests to the API server and an event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api.kinds import JOBS, WORKLOADS
from reference_impl.api.resource import Json
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import metrics, writing
from reference_impl.kueue.workload.activity import without_finalizer
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.controller import count
from reference_impl.kueue.workload.decision import MetricSample
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.pod_set_info import PodSetConflict
from reference_impl.kueue.workload.rules import Eviction, WorkloadRules
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.recorder import Recorder
from reference_impl.runtime.store import Store

from . import pods_ready, starting, steps, workload_construction
from .job import Job
from .merge_diff import merge_patch
from .priority import JobPriority
from .stopping import JobWrite

PODS_READY_MANAGER: Final = "kueue-job-controller-PodsReady"
RECLAIMABLE_MANAGER: Final = "kueue-reclaimable-pods"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionExecutor:
    """Executes the steps of `jobs/decide`; holds the clients and stores that they need."""

    rules: WorkloadRules
    client: Client
    clock: Clock
    recorder: Recorder
    metrics: Registry
    flavors: Store
    # Write on the revision seen only also where Kueue does not: there are other
    # replicas.
    strict: bool = False

    async def do(self, job: Job, priority: JobPriority, step: steps.Step) -> RequeueAfter | None:
        """Do one step; ask to come again when it cannot be done yet."""
        match step:
            case steps.NoAction():
                return None
            case steps.RecordEvent(reason, note):
                self._tell(job, reason, note)
            case steps.Start(workload):
                return await self._start(job, workload)
            case steps.Stop(writes, message):
                await self._stop(job, writes, message)
            case steps.CreateWorkload(timeouts_annotation):
                return await self._create(job, priority, timeouts_annotation)
            case steps.ReplaceWorkload(new, note):
                await self._replace(job, new, note)
            case _:
                await self._do_with_workload(job, step)
        return None

    def warn(self, job: Job, event: steps.RecordEvent | None) -> None:
        """Record what keeps a Job waiting, where there is an event for it."""
        if event is not None:
            self.recorder.warning(job.object, event.reason, self.rules.format_note(event.note))

    def _tell(self, job: Job, reason: str, note: str) -> None:
        self.recorder.normal(job.object, reason, self.rules.format_note(note))

    async def _do_with_workload(self, job: Job, step: steps.Step) -> None:
        match step:
            case steps.Release(workload):
                await self._release(workload)
            case steps.Evict(workload, why):
                await self._evict(workload, why)
            case steps.Finish(workload, reason, message):
                await self.finish(workload, reason, message)
            case steps.ForgetWorkload(workload, note):
                await self.forget([workload])
                if note:
                    self._tell(job, "FinishedWorkload", note)
            case steps.DeleteWorkloads(workloads):
                for workload in workloads:
                    await self._delete(job, workload)
            case steps.SetReclaimable(workload, pods):
                await self._apply(workload, {"reclaimablePods": pods}, RECLAIMABLE_MANAGER)
            case steps.SetPodsReady(workload, condition):
                await self._set_pods_ready(workload, condition)

    async def forget(self, workloads: Sequence[Workload]) -> None:
        """Take Kueue's finalizer from Workloads."""
        for workload in workloads:
            new = without_finalizer(workload.object)
            if new["metadata"]["finalizers"] != workload.metadata.get("finalizers", []):
                await self.client.update(WORKLOADS, new)

    async def hold(self, job: Job) -> None:
        """Suspend a Job that has no Workload of its own."""
        await self._patch(job.object, JobWrite({**job.object, "spec": {**job.spec, "suspend": True}}))
        self._tell(job, "Suspended", "Kueue managed child job suspended")

    async def _start(self, job: Job, workload: Workload) -> RequeueAfter | None:
        """Start it; a conflict is for good, a missing flavor may come (AC-364, AC-366)."""
        flavors = {flavor["metadata"]["name"]: flavor for flavor in self.flavors}
        try:
            new = starting.start(job, workload, flavors)
        except PodSetConflict as conflict:
            # Flavors and checks will not agree later either: Kueue finishes the
            # Workload (AC-364).
            await self.finish(workload, "FailedToStart", str(conflict))
            return None
        except KeyError:
            return RequeueAfter()
        await self._patch(job.object, JobWrite(new))
        note = f"Admitted by clusterQueue {metrics.cluster_queue_of(workload)}"
        self._tell(job, "Started", note)
        return None

    async def _stop(self, job: Job, writes: Sequence[JobWrite], message: str) -> None:
        """Make the missing writes; the Job is stopped, and reported so, only after the last one (C-21)."""
        present = job.object
        for write in writes:
            # Each write starts from the answer to the one before: its resourceVersion
            # is the precondition of the next.
            present = await self._patch(present, write)
        if not job.is_suspended:
            self._tell(job, "Stopped", message)

    async def _patch(self, present: Json, write: JobWrite) -> Json:
        """Send the difference as a merge patch on the revision it was made from."""
        desired = write.object
        patch = merge_patch(present, {**desired, "metadata": {**present["metadata"], **_own(desired)}})
        if not patch:
            return present
        revision = {"resourceVersion": present["metadata"]["resourceVersion"]}
        # A merge patch has no precondition of its own: the revision in its metadata
        # makes the server refuse it after another write.
        patch["metadata"] = {**patch.get("metadata", {}), **revision}
        return await self.client.patch(JOBS, Job(present).key, patch, subresource=write.subresource)

    async def _create(self, job: Job, priority: JobPriority, timeouts_annotation: str) -> RequeueAfter | None:
        """Make the Workload; one of the same name may only be unseen yet."""
        new = workload_construction.workload_of(job, priority, timeouts_annotation)
        try:
            workload = await self.client.create(WORKLOADS, new)
        except ApiError as error:
            if error.is_already_exists:
                return RequeueAfter()
            raise
        self._tell(job, "CreatedWorkload", f"Created Workload: {Workload(workload).key}")
        return None

    async def _replace(self, job: Job, new: Json, note: str) -> None:
        await self.client.update(WORKLOADS, new)
        if note:
            self._tell(job, "UpdatedWorkload", note)

    async def _delete(self, job: Job, workload: Workload) -> None:
        await self.forget([workload])
        await self.client.delete(WORKLOADS, workload.api_key, uid=workload.uid)
        self._tell(job, "DeletedWorkload", f"Deleted not matching Workload: {workload.key}")

    async def _evict(self, workload: Workload, why: Eviction) -> None:
        decision = self.rules.evict(workload, StatusDraft.of(workload, self.clock.now()), why, self.rules)
        if decision.write is not None:
            await writing.perform(self.client, workload, decision.write, self.rules)

    async def _release(self, workload: Workload) -> None:
        current_time = self.clock.now()
        evicted = workload.condition(c.EVICTED)
        assert evicted is not None, "a step to release follows an eviction"
        draft = self.rules.release(StatusDraft.of(workload, current_time), evicted, self.rules)
        await writing.apply_status(self.client, workload, self.rules.prune_status(draft.status))
        self._count(metrics.eviction_latency(workload, current_time))

    async def finish(self, workload: Workload, reason: str, message: str) -> None:
        """Declare a Workload finished."""
        current_time = self.clock.now()
        draft = StatusDraft.of(workload, current_time).set(Condition(c.FINISHED, True, reason, message))
        await writing.apply_status(self.client, workload, self.rules.prune_status(draft.status))
        self._count(self.rules.measure_finished(workload, current_time))

    async def _set_pods_ready(self, workload: Workload, condition: Condition) -> None:
        current_time = self.clock.now()
        written = c.put((), condition, workload.generation, current_time)
        await self._apply(workload, {"conditions": written}, PODS_READY_MANAGER)
        if condition == pods_ready.STARTED:
            self._count(metrics.pods_started(workload, current_time))

    def _count(self, samples: Iterable[MetricSample]) -> None:
        for sample in samples:
            count(self.metrics, sample)

    async def _apply(self, workload: Workload, status: Json, manager: str) -> None:
        fields = ("name", "namespace", "uid", *(("resourceVersion",) if self.strict else ()))
        metadata: Json = workload.metadata
        body = {
            "apiVersion": WORKLOADS.api_version,
            "kind": WORKLOADS.kind,
            "metadata": {name: metadata[name] for name in fields},
            "status": status,
        }
        await self.client.apply(WORKLOADS, body, manager=manager, subresource="status")


def _own(desired: Json) -> Json:
    """Return the part of the metadata that Kueue ever changes."""
    annotations = desired["metadata"].get("annotations")
    return {} if annotations is None else {"annotations": annotations}

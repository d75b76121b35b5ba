"""What to do next with a Job: the order of admission.md §2.6 (AC-330…336), as a tuple of small rules."""

from __future__ import annotations

from typing import Final

from reference_impl.api.kinds import RESOURCE_IN_USE
from reference_impl.checks.entries import PENDING
from reference_impl.workload import conditions as c
from reference_impl.workload.view import GATE_ANNOTATION, Workload

from . import making, pods_ready, prebuilt
from .job import PRIORITY_CLASS_LABEL
from .scene import JobRule, Scene
from .steps import (
    Await,
    CreateWorkload,
    DeleteWorkloads,
    Finish,
    ForgetWorkload,
    Release,
    ReplaceWorkload,
    Rest,
    SetPodsReady,
    SetReclaimable,
    Start,
    Step,
    Tell,
)


def bring_workload_up_to_date(scene: Scene) -> Step | None:
    """Change a waiting Workload when its Job was changed."""
    if scene.workload is not None or not scene.others or not scene.job.suspended:
        return None
    first = scene.others[0]
    if first.reserved:
        return None
    if scene.missing_class:
        return Await(scene.missing_class)
    new = making.brought_up_to_date(first, scene.job, scene.priority)
    return ReplaceWorkload(new, f"Updated not matching Workload for suspended job: {first.key}")


def stop_without_match(scene: Scene) -> Step | None:
    """Hold a Job back that runs without a Workload that fits."""
    if scene.workload is not None or scene.job.suspended or scene.job.outcome:
        return None
    if len(scene.others) == 1:
        message = "No matching Workload; restoring pod templates according to existent Workload"
        return scene.stop(scene.others[0], message)
    return scene.stop(None, "Missing Workload; unable to restore pod templates")


def delete_others(scene: Scene) -> Step | None:
    """Delete Workloads that do not stand for the Job."""
    return DeleteWorkloads(scene.others) if scene.others else None


def workload_finished(scene: Scene) -> Step | None:
    """Let a finished Workload go."""
    workload = scene.workload
    if workload is None or not workload.finished:
        return None
    if not _held(workload):
        return Rest()
    return ForgetWorkload(workload, f"Workload '{workload.key}' is declared finished")


def workload_deleted(scene: Scene) -> Step | None:
    """Stop the Job whose Workload is being deleted, then let the Workload go."""
    workload = scene.workload
    if workload is None or not workload.deleting:
        return None
    stop = scene.stop(workload, "Workload is deleted")
    return stop or (ForgetWorkload(workload) if _held(workload) else Rest())


def _held(workload: Workload) -> bool:
    return RESOURCE_IN_USE in workload.metadata.get("finalizers", ())


def job_finished(scene: Scene) -> Step | None:
    """Declare the Workload of a finished Job finished (AC-330)."""
    outcome, workload = scene.job.outcome, scene.workload
    if outcome is None:
        return None
    if workload is None:
        return Rest()
    return Finish(workload, "Succeeded" if outcome.succeeded else "Failed", outcome.message)


def create_workload(scene: Scene) -> Step | None:
    """Make the Workload that is missing, once its priority is known (C-28)."""
    if scene.workload is not None:
        return None
    return Await(scene.missing_class) if scene.missing_class else CreateWorkload()


def follow_priority(scene: Scene) -> Step | None:
    """Give the Workload the priority class that the Job names now."""
    workload, name = scene.workload, scene.job.labels.get(PRIORITY_CLASS_LABEL)
    if workload is None or not name or name == workload.priority_class:
        return None
    if scene.missing_class:
        return Await(scene.missing_class)
    new = {**workload.object, "spec": {**workload.spec, **scene.priority.fields}}
    return ReplaceWorkload(new, f"Updated workload priority class: {workload.key}")


def reclaim_pods(scene: Scene) -> Step | None:
    """Tell which pods will not be needed again (AC-115)."""
    workload = scene.workload
    if workload is None or scene.job.reclaimable == (workload.status.get("reclaimablePods") or []):
        return None
    return SetReclaimable(workload, scene.job.reclaimable)


def tell_pods_ready(scene: Scene) -> Step | None:
    """Tell whether the pods are ready (AC-272)."""
    workload = scene.workload
    if workload is None or not scene.waits_for_pods:
        return None
    condition = pods_ready.condition(scene.job, workload)
    return None if pods_ready.told(workload, condition) else SetPodsReady(workload, condition)


def evict(scene: Scene) -> Step | None:
    """Stop the Job of an evicted Workload and, once its pods are gone, give the quota back (AC-332, AC-289)."""
    workload = scene.workload
    if workload is None or not workload.evicted:
        return None
    evicted = workload.condition(c.EVICTED)
    stop = scene.stop(workload, evicted["message"] if evicted else "")
    return stop or (Release(workload) if workload.reserved and not scene.job.active else Rest())


def start(scene: Scene) -> Step | None:
    """Let the Job of an admitted Workload run (AC-333)."""
    workload = scene.workload
    if workload is None or not scene.job.suspended or not workload.admitted:
        return None
    return Start(workload)


def follow_queue(scene: Scene) -> Step | None:
    """Move the Workload to the queue that the Job names now (AC-334, C-29)."""
    workload = scene.workload
    if workload is None or not scene.job.suspended:
        return None
    if workload.queue_name == scene.job.queue_name:
        return None
    spec = {**workload.spec, "queueName": scene.job.queue_name}
    return ReplaceWorkload({**workload.object, "spec": spec})


def open_gates(scene: Scene) -> Step | None:
    """Take gates from the Workload that the Job no longer names; none is added (VIS-508)."""
    workload, job = scene.workload, scene.job
    if workload is None or not job.suspended:
        return None
    named = job.annotations.get(GATE_ANNOTATION, "").split(",")
    gates = ",".join(gate for gate in workload.gates.split(",") if gate in named)
    if gates == workload.gates:
        return None
    others = {key: value for key, value in workload.metadata["annotations"].items() if key != GATE_ANNOTATION}
    annotations = {**others, GATE_ANNOTATION: gates} if gates else others
    return ReplaceWorkload({**workload.object, "metadata": {**workload.metadata, "annotations": annotations}})


def tell_checks(scene: Scene) -> Step | None:
    """Tell on the Job what checks say that are not through yet (AC-286, C-08)."""
    workload = scene.workload
    if workload is None or not scene.job.suspended or not workload.reserved:
        return None
    said = [entry for entry in workload.checks.entries if entry["state"] == PENDING and entry.get("message")]
    note = "; ".join(f"{entry['name']}: {entry['message']}" for entry in said)
    return Tell("UpdatedAdmissionCheck", note) if said else None


def stop_unadmitted(scene: Scene) -> Step | None:
    """Hold a Job back that runs without admission (AC-335)."""
    workload = scene.workload
    if workload is None or scene.job.suspended or workload.admitted:
        return None
    return scene.stop(workload, "Not admitted by cluster queue")


ORDER: Final[tuple[JobRule, ...]] = (
    prebuilt.missing,
    prebuilt.adopt,
    prebuilt.out_of_sync,
    bring_workload_up_to_date,
    stop_without_match,
    delete_others,
    workload_finished,
    workload_deleted,
    job_finished,
    create_workload,
    follow_priority,
    reclaim_pods,
    tell_pods_ready,
    evict,
    start,
    follow_queue,
    open_gates,
    tell_checks,
    stop_unadmitted,
)


def decide(scene: Scene, order: tuple[JobRule, ...] = ORDER) -> Step | None:
    """Return the next step with a Job, None when it is at rest."""
    return next((step for rule in order if (step := rule(scene)) is not None), None)

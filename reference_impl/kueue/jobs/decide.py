"""What to do next with a Job: the order of admission.md §2.6 (AC-330…336), as a tuple of small rules."""

from __future__ import annotations

from typing import Final

from reference_impl.api.kinds import RESOURCE_IN_USE
from reference_impl.kueue.checks.entries import PENDING
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.view import GATE_ANNOTATION, Workload

from . import pods_ready, prebuilt, reclaiming, workload_construction
from .job import PRIORITY_CLASS_LABEL
from .snapshot import JobRule, JobSnapshot
from .steps import (
    Await,
    CreateWorkload,
    DeleteWorkloads,
    Finish,
    ForgetWorkload,
    NoAction,
    RecordEvent,
    Release,
    ReplaceWorkload,
    SetPodsReady,
    SetReclaimable,
    Start,
    Step,
)


def wait_for_controller(snapshot: JobSnapshot) -> Step | None:
    """Do nothing beside a Workload that refers to the Job and has no controller: v0.19.2 panics
    at each look (BUG-165).
    """
    controllers = map(workload_construction.controller_of, snapshot.other_workloads)
    return Await("controller of a workload") if None in controllers else None


def bring_workload_up_to_date(snapshot: JobSnapshot) -> Step | None:
    """Change a waiting Workload when its Job was changed."""
    if snapshot.workload is not None or not snapshot.other_workloads or not snapshot.job.is_suspended:
        return None
    first = snapshot.other_workloads[0]
    if first.has_quota_reservation or not workload_construction.is_owned_by(snapshot.job, first):
        return None
    if snapshot.missing_class:
        return _await_class(snapshot)
    new = workload_construction.brought_up_to_date(first, snapshot.job, snapshot.priority)
    return ReplaceWorkload(new, f"Updated not matching Workload for suspended job: {first.key}")


def stop_without_match(snapshot: JobSnapshot) -> Step | None:
    """Hold a Job back that runs without a Workload that fits."""
    if snapshot.workload is not None or snapshot.job.is_suspended or snapshot.job.outcome:
        return None
    match snapshot.other_workloads:
        case (only,):
            message = "No matching Workload; restoring pod templates according to existent Workload"
            return snapshot.stop(only, message)
    return snapshot.stop(None, "Missing Workload; unable to restore pod templates")


def delete_others(snapshot: JobSnapshot) -> Step | None:
    """Delete Workloads that do not stand for the Job."""
    return DeleteWorkloads(snapshot.other_workloads) if snapshot.other_workloads else None


def workload_finished(snapshot: JobSnapshot) -> Step | None:
    """Let a finished Workload go."""
    workload = snapshot.workload
    if workload is None or not workload.is_finished:
        return None
    if not _holds_finalizer(workload):
        return NoAction()
    return ForgetWorkload(workload, f"Workload '{workload.key}' is declared finished")


def workload_deleted(snapshot: JobSnapshot) -> Step | None:
    """Stop the Job whose Workload is being deleted, then let the Workload go."""
    workload = snapshot.workload
    if workload is None or not workload.is_deleting:
        return None
    stop = snapshot.stop(workload, "Workload is deleted")
    return stop or (ForgetWorkload(workload) if _holds_finalizer(workload) else NoAction())


def _holds_finalizer(workload: Workload) -> bool:
    return RESOURCE_IN_USE in workload.metadata.get("finalizers", ())


def job_finished(snapshot: JobSnapshot) -> Step | None:
    """Declare the Workload of a finished Job finished (AC-330)."""
    outcome, workload = snapshot.job.outcome, snapshot.workload
    if outcome is None:
        return None
    if workload is None:
        return NoAction()
    return Finish(workload, "Succeeded" if outcome.succeeded else "Failed", outcome.message)


def create_workload(snapshot: JobSnapshot) -> Step | None:
    """Make the Workload that is missing, once no pod is left and its priority is known (C-28, JI-066)."""
    if snapshot.workload is not None:
        return None
    if snapshot.job.is_active:
        # Its pods have run by an earlier Workload: a new one could be admitted beside them.
        return NoAction()
    if snapshot.missing_class:
        return _await_class(snapshot)
    return CreateWorkload(snapshot.rules.timeouts_annotation)


def _await_class(snapshot: JobSnapshot) -> Await:
    return Await(snapshot.missing_class, snapshot.rules.missing_class_event(snapshot.missing_class))


def follow_priority(snapshot: JobSnapshot) -> Step | None:
    """Give the Workload the priority class that the Job names now, where it may still follow it (AC-098)."""
    workload, name = snapshot.workload, snapshot.job.labels.get(PRIORITY_CLASS_LABEL, "")
    if workload is None or name == workload.priority_class:
        return None
    if not snapshot.rules.follows_label(workload, name):
        return None
    if snapshot.missing_class:
        return _await_class(snapshot)
    spec = {field: value for field, value in workload.spec.items() if field != "priorityClassRef"}
    new = {**workload.object, "spec": {**spec, **snapshot.priority.fields}}
    return ReplaceWorkload(new, f"Updated workload priority class: {workload.key}")


def reclaim_pods(snapshot: JobSnapshot) -> Step | None:
    """Tell which pods will not be needed again (AC-115)."""
    workload, rules = snapshot.workload, snapshot.rules
    if workload is None:
        return None
    pods = reclaiming.reclaimable_pods(rules.count_reclaimable(snapshot.job), workload)
    if pods == (workload.status.get("reclaimablePods") or []) or not rules.may_write_reclaimable(
        workload, pods
    ):
        return None
    return SetReclaimable(workload, pods)


def tell_pods_ready(snapshot: JobSnapshot) -> Step | None:
    """Tell whether the pods are ready (AC-272)."""
    workload = snapshot.workload
    if workload is None or not (snapshot.waits_for_pods or _has_timeouts(snapshot)):
        return None
    condition = pods_ready.condition(snapshot.job, workload)
    return None if pods_ready.has_condition(workload, condition) else SetPodsReady(workload, condition)


def _has_timeouts(snapshot: JobSnapshot) -> bool:
    return snapshot.rules.timeouts_annotation in snapshot.job.annotations


def evict(snapshot: JobSnapshot) -> Step | None:
    """Stop the Job of an evicted Workload and, once its pods are gone, give the
    quota back (AC-332, AC-289).
    """
    workload = snapshot.workload
    if workload is None or not workload.is_evicted:
        return None
    evicted = workload.condition(c.EVICTED)
    # Quota is given back only when no pod is left: until then they use it (AC-289).
    stop = snapshot.stop(workload, evicted["message"] if evicted else "")
    return stop or (
        Release(workload) if workload.has_quota_reservation and not snapshot.job.is_active else NoAction()
    )


def start(snapshot: JobSnapshot) -> Step | None:
    """Let the Job of an admitted Workload run (AC-333)."""
    workload = snapshot.workload
    if workload is None or not snapshot.job.is_suspended or not workload.is_admitted:
        return None
    return Start(workload)


def follow_queue(snapshot: JobSnapshot) -> Step | None:
    """Move the Workload to the queue that the Job names now (AC-334, C-29)."""
    workload = snapshot.workload
    if workload is None or not snapshot.job.is_suspended:
        return None
    if workload.queue_name == snapshot.job.queue_name:
        return None
    spec = {**workload.spec, "queueName": snapshot.job.queue_name}
    return ReplaceWorkload({**workload.object, "spec": spec})


def open_gates(snapshot: JobSnapshot) -> Step | None:
    """Take gates from the Workload that the Job no longer names; none is added (VIS-508)."""
    workload, job = snapshot.workload, snapshot.job
    if workload is None or not job.is_suspended:
        return None
    # The webhook of Workloads refuses new gates, so only removals are passed on.
    named = job.annotations.get(GATE_ANNOTATION, "").split(",")
    gates = ",".join(gate for gate in workload.gates.split(",") if gate in named)
    if gates == workload.gates:
        return None
    other_annotations = {
        key: value for key, value in workload.metadata["annotations"].items() if key != GATE_ANNOTATION
    }
    annotations = {**other_annotations, GATE_ANNOTATION: gates} if gates else other_annotations
    return ReplaceWorkload({**workload.object, "metadata": {**workload.metadata, "annotations": annotations}})


def follow_timeouts(snapshot: JobSnapshot) -> Step | None:
    """Give the Workload the times for its pods that the Job names now (KV-61)."""
    workload, job, name = snapshot.workload, snapshot.job, snapshot.rules.timeouts_annotation
    # The webhook keeps the annotation of a Job that runs, so that its Workload has it already.
    if workload is None or not name or not job.is_suspended:
        return None
    annotations = workload.metadata.get("annotations") or {}
    if annotations.get(name) == job.annotations.get(name):
        return None
    named = {name: job.annotations[name]} if name in job.annotations else {}
    others = {key: value for key, value in annotations.items() if key != name}
    metadata = {**workload.metadata, "annotations": {**others, **named}}
    return ReplaceWorkload({**workload.object, "metadata": metadata})


def tell_checks(snapshot: JobSnapshot) -> Step | None:
    """Tell on the Job what checks say that are not through yet (AC-286, C-08)."""
    workload = snapshot.workload
    if workload is None or not snapshot.job.is_suspended or not workload.has_quota_reservation:
        return None
    pending = [
        entry for entry in workload.checks.entries if entry["state"] == PENDING and entry.get("message")
    ]
    note = "; ".join(f"{entry['name']}: {entry['message']}" for entry in pending)
    return RecordEvent("UpdatedAdmissionCheck", note) if pending else None


def stop_unadmitted(snapshot: JobSnapshot) -> Step | None:
    """Hold a Job back that runs without admission (AC-335)."""
    workload = snapshot.workload
    if workload is None or snapshot.job.is_suspended or workload.is_admitted:
        return None
    return snapshot.stop(workload, "Not admitted by cluster queue")


# The order is that of Kueue's ReconcileGenericJob: it returns after its first write.
ORDER: Final[tuple[JobRule, ...]] = (
    prebuilt.missing,
    prebuilt.adopt,
    prebuilt.out_of_sync,
    wait_for_controller,
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
    follow_timeouts,
    tell_checks,
    stop_unadmitted,
)


def decide(snapshot: JobSnapshot, order: tuple[JobRule, ...] = ORDER) -> Step | None:
    """Return the next step with a Job, None when it is at rest."""
    return next((step for rule in order if (step := rule(snapshot)) is not None), None)

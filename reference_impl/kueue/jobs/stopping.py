"""Holding a Job back takes up to three writes (AC-336, C-21).

Only the third restores the pod template, and the API server refuses it while pods are left. The annotation
tells a controller that comes later, or again, that the Job is not stopped yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from reference_impl.api.resource import Json
from reference_impl.kueue.workload import pod_set_info
from reference_impl.kueue.workload.view import Workload

from .job import STOPPING_ANNOTATION, SYNC_COMPLETIONS_ANNOTATION, TRACKING_LABELS, Job


@dataclass(frozen=True, slots=True)
class JobWrite:
    """One write of the Job: the object and the endpoint, with or without /status."""

    object: Json
    subresource: str = ""


def writes(job: Job, workload: Workload | None) -> tuple[JobWrite, ...]:
    """Return the writes that are missing; without a Workload there is nothing to restore from."""
    events = []
    obj = job.object
    if not job.is_suspended:
        obj = _suspend(obj)
        events.append(JobWrite(obj))
    # The API server refuses changes of the pod template while `startTime` is set: it
    # goes by a write of the status.
    if job.status.get("startTime"):
        obj = {**obj, "status": {k: v for k, v in obj["status"].items() if k != "startTime"}}
        events.append(JobWrite(obj, "status"))
    back = _restore(obj, workload)
    if back != obj:
        events.append(JobWrite(back))
    return tuple(events)


def _suspend(obj: Json) -> Json:
    annotations = {**(obj["metadata"].get("annotations") or {}), STOPPING_ANNOTATION: "true"}
    metadata = {**obj["metadata"], "annotations": annotations}
    return {**obj, "metadata": metadata, "spec": {**obj["spec"], "suspend": True}}


def _restore(obj: Json, workload: Workload | None) -> Json:
    annotations = obj["metadata"].get("annotations") or {}
    other_annotations = {k: v for k, v in annotations.items() if k != STOPPING_ANNOTATION}
    if other_annotations != annotations:
        obj = {**obj, "metadata": {**obj["metadata"], "annotations": other_annotations}}
    if workload is None:
        return obj
    pod_set, *_ = workload.spec["podSets"]
    # Labels of the Job controller stay: it would not find its pods without them.
    template = pod_set_info.restore(obj["spec"]["template"], pod_set["template"], TRACKING_LABELS)
    spec = {**obj["spec"], "template": template, **counts(Job(obj), pod_set["count"])}
    return {**obj, "spec": spec}


def counts(job: Job, pods: int) -> Json:
    """Return the counts of a Job that would do with fewer pods; for others they never change."""
    if job.min_count is None:
        return {}
    synced = job.annotations.get(SYNC_COMPLETIONS_ANNOTATION) == "true"
    return {"parallelism": pods, **({"completions": pods} if synced else {})}

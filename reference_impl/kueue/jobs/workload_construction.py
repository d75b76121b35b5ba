"""The Workload of a Job: made once, recognised afterwards, brought up to date while it waits (AC-331)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from reference_impl.api.kinds import JOBS, PROVISIONING_PARAMETERS, RESOURCE_IN_USE, WORKLOADS
from reference_impl.api.resource import Json
from reference_impl.api.semantic_equality import are_equal
from reference_impl.kueue.workload.view import GATE_ANNOTATION, JOB_UID_LABEL, Workload

from .job import MAX_EXECUTION_LABEL, Job
from .priority import JobPriority

LONGEST_NAME: Final = 253
HASH_LENGTH: Final = 5


def workload_name(job: Job) -> str:
    """Return the name of the Workload: the same for the same Job, another for its successor.

    It has at most 253 characters, as without the feature gate ShortWorkloadNames: the name of a Job, of at
    most 63 characters, is never cut.
    """
    kind, name, uid = JOBS.kind, job.metadata["name"], job.metadata["uid"]
    prefix = f"{kind.lower()}-{name}"[: LONGEST_NAME - HASH_LENGTH - 1]
    identity = f"{kind}\n{JOBS.group}\n{name}\n{uid}"
    # SHA-1 as in Kueue, whose names a client may compute for itself.
    digest = hashlib.sha1(identity.encode(), usedforsecurity=False).hexdigest()
    return f"{prefix}-{digest[:HASH_LENGTH]}"


def workload_of(job: Job, priority: JobPriority, timeouts_annotation: str = "") -> Json:
    """Return the Workload of a Job, with the annotation about its pods where there is one (KV-61)."""
    metadata = {
        "name": workload_name(job),
        "namespace": job.key.namespace,
        "labels": {JOB_UID_LABEL: job.metadata["uid"]},
        "finalizers": [RESOURCE_IN_USE],
        "ownerReferences": [owner_reference(job)],
    }
    copied = {
        k: v
        for k, v in job.annotations.items()
        if k.startswith(PROVISIONING_PARAMETERS) or k in {GATE_ANNOTATION, timeouts_annotation}
    }
    if copied:
        metadata["annotations"] = copied
    return {
        "apiVersion": WORKLOADS.api_version,
        "kind": WORKLOADS.kind,
        "metadata": metadata,
        "spec": _spec(job, priority),
    }


def _spec(job: Job, priority: JobPriority) -> Json:
    spec = {"queueName": job.queue_name, "podSets": job.pod_sets, **priority.fields}
    if job.max_execution_seconds is not None:
        spec["maximumExecutionTimeSeconds"] = job.max_execution_seconds
    return spec


def owner_reference(job: Job) -> Json:
    """Return the reference by which the Workload belongs to the Job."""
    return {
        "apiVersion": JOBS.api_version,
        "kind": JOBS.kind,
        "name": job.metadata["name"],
        "uid": job.metadata["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def controller_of(workload: Workload) -> Json | None:
    """Return the reference to the object that manages a Workload, if there is one."""
    owners = workload.metadata.get("ownerReferences") or ()
    return next((owner for owner in owners if owner.get("controller")), None)


def is_owned_by(job: Job, workload: Workload) -> bool:
    """Tell whether a Workload belongs to this very Job."""
    owner = controller_of(workload)
    return owner is not None and bool(owner["uid"] == job.metadata["uid"])


def adopt(workload: Workload, job: Job) -> Json:
    """Return a prebuilt Workload as one that belongs to the Job.

    It is written as a Go client writes it, with the metadata of its templates.
    """
    metadata = workload.metadata
    owners = [*(metadata.get("ownerReferences") or ()), owner_reference(job)]
    labels = {**(metadata.get("labels") or {}), JOB_UID_LABEL: job.metadata["uid"]}
    pod_sets = [
        # A Go client writes the empty metadata of a template. Of a Workload that was
        # made without, the generation moves.
        {**pod_set, "template": {"metadata": {}, **pod_set["template"]}}
        for pod_set in workload.spec["podSets"]
    ]
    return {
        **workload.object,
        "metadata": {**metadata, "ownerReferences": owners, "labels": labels},
        "spec": {**workload.spec, "podSets": pod_sets},
    }


def brought_up_to_date(workload: Workload, job: Job, priority: JobPriority) -> Json:
    """Return the Workload with the Job's present requests and priority; only whether it is active stays."""
    active = {name: value for name, value in workload.spec.items() if name == "active"}
    return {**workload.object, "spec": {**active, **_spec(job, priority)}}


DescribePods = Callable[[Json], Json]


def describe_containers(pod: Json) -> Json:
    """Return what v0.19.2 compares of the spec of pods: nothing of the whole pod (BUG-162)."""
    return {name: pod.get(name) for name in ("containers", "initContainers")}


def describe_containers_and_pod(pod: Json) -> Json:
    """Return all that takes resources, also of the whole pod (BUG-162, fixed)."""
    return {**describe_containers(pod), **{name: pod.get(name) for name in ("resources", "resourceClaims")}}


def with_time_limit(job: Job) -> Job:
    """Return a Job with its time limit, with which its Workload is compared."""
    return job


def without_time_limit(job: Job) -> Job:
    """Return a Job without its time limit: a Workload of v0.6 has no field for it, and would never fit."""
    labels = {name: value for name, value in job.labels.items() if name != MAX_EXECUTION_LABEL}
    return Job({**job.object, "metadata": {**job.metadata, "labels": labels}})


def matches(job: Job, workload: Workload, describe_pods: DescribePods) -> bool:
    """Tell whether a Workload still has the Job's requests; only fields that take resources count."""
    if workload.spec.get("maximumExecutionTimeSeconds") != job.max_execution_seconds:
        return False

    def same(present: list[Json], *, tolerations: bool) -> bool:
        described = (
            [_describe(pod_set, describe_pods, tolerations=tolerations) for pod_set in pod_sets]
            for pod_sets in (job.pod_sets, present)
        )
        return are_equal(*described)

    # Tolerations of a running Job include those of its flavors: they are compared only
    # before admission.
    is_waiting = not workload.is_admitted
    if job.min_count is not None and same(_running(workload), tolerations=is_waiting):
        return True
    return same(workload.spec["podSets"], tolerations=is_waiting)


def _running(workload: Workload) -> list[Json]:
    """Return the podSets with the counts of a partial admission."""
    counts = {assignment["name"]: assignment.get("count") for assignment in workload.pod_set_assignments}
    return [
        {**pod_set, "count": counts.get(pod_set["name"], pod_set["count"])}
        for pod_set in workload.spec["podSets"]
    ]


def _describe(pod_set: Json, describe_pods: DescribePods, *, tolerations: bool) -> Json:
    pod = pod_set["template"].get("spec") or {}
    return {
        **{name: pod_set.get(name) for name in ("name", "count", "minCount")},
        **describe_pods(pod),
        **({"tolerations": pod.get("tolerations")} if tolerations else {}),
    }

"""Jobs and their Workloads for tables."""

from __future__ import annotations

from typing import Any

from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.priority import NO_PRIORITY
from reference_impl.kueue.jobs.snapshot import JobSnapshot
from reference_impl.kueue.jobs.workload_construction import workload_of
from reference_impl.kueue.workload.view import Workload

STARTED_AT = "2026-01-01T00:00:00Z"
CONTAINER = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
ADMISSION = {
    "clusterQueue": "cq",
    "podSetAssignments": [
        {"name": "main", "flavors": {"cpu": "f1"}, "count": 1, "resourceUsage": {"cpu": "1"}}
    ],
}


def job(
    *,
    suspend: bool = True,
    count: int = 1,
    completions: int | None = None,
    annotations: Any = None,
    labels: Any = None,
    template: Any = None,
    status: Any = None,
    pod: Any = None,
) -> Job:
    """A Job j in LocalQueue lq with one container."""
    return Job(
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {
                "name": "j",
                "namespace": "ns",
                "uid": "job-uid",
                "resourceVersion": "3",
                "labels": {"kueue.x-k8s.io/queue-name": "lq", **(labels or {})},
                "annotations": annotations or {},
            },
            "spec": {
                "suspend": suspend,
                "parallelism": count,
                "completions": count if completions is None else completions,
                "template": {
                    "metadata": {"labels": {"controller-uid": "job-uid"}, **(template or {})},
                    "spec": {"containers": [CONTAINER], **(pod or {})},
                },
            },
            "status": status or {},
        }
    )


def condition(kind: str, status: bool = True, reason: str = "ByTest", message: str = "by test") -> Any:
    text = "True" if status else "False"
    return {
        "type": kind,
        "status": text,
        "reason": reason,
        "message": message,
        "lastTransitionTime": STARTED_AT,
    }


RESERVED = condition("QuotaReserved")
ADMITTED = condition("Admitted")
EVICTED = condition("Evicted", reason="AdmissionCheck", message="go away")
FINISHED = condition("Finished")
WAITS = condition("PodsReady", False, "WaitForStart", "Not all pods are ready or succeeded")


def workload(of: Job, *conditions: Any, metadata: Any = None, spec: Any = None, **status: Any) -> Workload:
    """The Workload that was made for a Job, with these conditions."""
    constructed = workload_of(of, NO_PRIORITY)
    fields = {"conditions": [WAITS, *conditions], **status}
    if RESERVED in conditions:
        fields.setdefault("admission", ADMISSION)
    return Workload(
        {
            **constructed,
            "metadata": {
                **constructed["metadata"],
                "resourceVersion": "5",
                "generation": 1,
                **(metadata or {}),
            },
            "spec": {**constructed["spec"], **(spec or {})},
            "status": fields,
        }
    )


def snapshot(of: Job, *workloads: Workload) -> JobSnapshot:
    return JobSnapshot.of(of, workloads, NO_PRIORITY, waits_for_pods=True)

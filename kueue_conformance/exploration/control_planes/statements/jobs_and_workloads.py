"""What a Workload that waits takes over from its Job, and what is held while pods run (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....base.json_types import Json
from ....stage.workloads.view import WorkloadView
from ..state import Contradiction, State

_QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
_CLASS_LABEL = "kueue.x-k8s.io/priority-class"
_LIMIT_LABEL = "kueue.x-k8s.io/max-exec-time-seconds"


def follows_job(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """A Workload that waits has the queue, the time limit and the priority of its Job (AC-331, AC-334)."""
    if not state.holds("0.19") or not workload.holds_nothing or not workload.active:
        return
    for job in state.jobs_of(workload):
        is_suspended = job.get("spec", {}).get("suspend", False)
        if not is_suspended or "deletionTimestamp" in job["metadata"]:
            continue
        # Kueue reads queue and limit from labels of the Job, and writes them into fields of the Workload.
        labels: Mapping[str, str] = job["metadata"].get("labels") or {}
        spec: Mapping[str, Any] = workload.object["spec"]
        limit = int(labels[_LIMIT_LABEL]) if _LIMIT_LABEL in labels else None
        values: Mapping[str, tuple[object, object]] = {
            "the time limit": (limit, spec.get("maximumExecutionTimeSeconds")),
        }
        # What was moved while it had quota keeps its queue, which it cannot leave then, at first.
        if not workload.condition("Evicted"):
            values = {**values, "the queue": (labels.get(_QUEUE_LABEL), spec.get("queueName"))}
        priority_class = state.snapshot.get("WorkloadPriorityClass", labels.get(_CLASS_LABEL, ""))
        if priority_class and "deletionTimestamp" not in priority_class["metadata"]:
            values = {**values, "the priority": (priority_class["value"], spec.get("priority"))}
        for field, (expected, observed) in values.items():
            if expected != observed:
                yield f"it has {field} of its Job, {expected}", f"it has {observed}"


def quota_of_running_jobs(state: State) -> Iterator[Contradiction]:
    """Yield Workloads whose Jobs have active pods, and that hold no quota any more (AC-332)."""
    for workload in state.snapshot.workloads():
        earlier = state.earlier(workload)
        is_same = earlier.object.get("metadata", {}).get("uid") == workload.object["metadata"]["uid"]
        # A Job whose Workload was deleted gets another one, and the pods of the former run on.
        is_running = is_same and not workload.is_true("Finished") and any(map(_runs, state.jobs_of(workload)))
        if is_running and not earlier.holds_nothing and workload.holds_nothing:
            yield Contradiction(
                statement="held",
                name=f"Workload {workload.object['metadata']['name']}",
                expected="it holds its quota until the pods of its Job have ended (AC-332)",
                observed=f"it holds none; {workload}",
            )


def _runs(job: Json) -> bool:
    return bool(job.get("status", {}).get("active")) and "deletionTimestamp" not in job["metadata"]

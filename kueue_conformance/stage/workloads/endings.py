"""Ends work: a Job completes or fails, or a client sets Finished on a bare Workload."""

from __future__ import annotations

from collections.abc import Callable

from ...base.json_types import Json
from ...case.context import CaseContext
from ..checks.check import timestamp

JOB_CONTROLLER = "job-stand-in"


def finish(context: CaseContext, namespace: str, workload: str, *, well: bool = True) -> None:
    """Declare a bare Workload finished, well or not, as an integration would write it."""
    _apply(
        context,
        namespace,
        workload,
        "Finished",
        status="True",
        reason="Succeeded" if well else "Failed",
        message="done",
    )


def tell_pods_ready(context: CaseContext, namespace: str, workload: str, *, ready: bool, reason: str) -> None:
    """Set PodsReady of a bare Workload, as an integration does (AC-272)."""
    _apply(
        context,
        namespace,
        workload,
        "PodsReady",
        status=str(ready),
        reason=reason,
        message="finished by a scenario",
    )


def _apply(context: CaseContext, namespace: str, workload: str, kind: str, **fields: str) -> None:
    """Write one condition of a Workload; its time stays as long as its status does."""
    current = context.client.get("Workload", workload, namespace)
    present = next(
        (
            condition
            for condition in (current.get("status") or {}).get("conditions", ())
            if condition["type"] == kind and condition["status"] == fields["status"]
        ),
        {"lastTransitionTime": timestamp(context.cluster.now())},
    )
    condition = {
        "type": kind,
        **fields,
        "lastTransitionTime": present["lastTransitionTime"],
        "observedGeneration": current["metadata"]["generation"],
    }
    manifest = {
        "kind": "Workload",
        "metadata": {"name": workload, "namespace": namespace},
        "status": {"conditions": [condition]},
    }
    # An apply takes away what its manager has applied before: each condition has a manager of its own.
    manager = f"{JOB_CONTROLLER}-{kind.lower()}"
    context.client.with_agent(JOB_CONTROLLER).apply(manifest, manager=manager, sub="status")


def write_job_status(context: CaseContext, namespace: str, name: str, change: Callable[[Json], Json]) -> None:
    """Change fields of a Job's status, as a Job controller does: None removes a field.

    It is written against the state that was read, since on a real cluster another controller writes it too:
    the times of a Job that has begun never change.
    """

    def with_status(job: Json) -> Json:
        status = {**job.get("status", {}), **change(job)}
        return {**job, "status": {field: value for field, value in status.items() if value is not None}}

    context.client.with_agent(JOB_CONTROLLER).update(
        "Job", name, with_status, namespace=namespace, sub="status"
    )


def fail_job(context: CaseContext, namespace: str, name: str, message: str) -> None:
    """Make a Job fail, with the writes of a Job controller."""
    current_time = timestamp(context.cluster.now())
    condition = {
        "status": "True",
        "lastProbeTime": current_time,
        "lastTransitionTime": current_time,
        "reason": "BackoffLimitExceeded",
    }

    def failed(job: Json) -> Json:
        return {
            "startTime": job.get("status", {}).get("startTime", current_time),
            "active": 0,
            "ready": 0,
            "failed": 1,
            "conditions": [
                {"type": condition_type, "message": message, **condition}
                for condition_type in ("FailureTarget", "Failed")
            ],
        }

    write_job_status(context, namespace, name, failed)


def finish_job(context: CaseContext, namespace: str, name: str) -> None:
    """Make a Job succeed, with the writes of a Job controller."""
    current_time = timestamp(context.cluster.now())
    done = {
        "status": "True",
        "lastProbeTime": current_time,
        "lastTransitionTime": current_time,
        "reason": "CompletionsReached",
    }
    text = "Reached expected number of succeeded pods"

    def succeeded(job: Json) -> Json:
        return {
            "startTime": job.get("status", {}).get("startTime", current_time),
            "completionTime": current_time,
            "active": 0,
            "ready": 0,
            "succeeded": job["spec"].get("completions", 1),
            "conditions": [
                {"type": condition_type, "message": text, **done}
                for condition_type in ("SuccessCriteriaMet", "Complete")
            ],
        }

    write_job_status(context, namespace, name, succeeded)

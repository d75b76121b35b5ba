"""How work ends well: a Job completes, or somebody declares a bare Workload finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bench import Bench
from .check import timestamp

if TYPE_CHECKING:
    from .workload import Workload

JOB_CONTROLLER = "job-stand-in"


def finish(bench: Bench, workload: Workload) -> None:
    """Make the work succeed, writing what a Job controller or an integration would write."""
    now = timestamp(bench.cluster.now())
    if workload.job:
        _finish_job(bench, workload, now)
        return
    condition = {
        "type": "Finished",
        "status": "True",
        "reason": "Succeeded",
        "message": "done",
        "lastTransitionTime": now,
    }
    manifest = {
        "kind": "Workload",
        "metadata": {"name": workload.name, "namespace": workload.namespace},
        "status": {"conditions": [condition]},
    }
    bench.client.acting_as(JOB_CONTROLLER).apply(manifest, manager=JOB_CONTROLLER, sub="status")


def _finish_job(bench: Bench, workload: Workload, now: str) -> None:
    job = bench.client.get("Job", workload.job, workload.namespace)
    done = {"status": "True", "lastProbeTime": now, "lastTransitionTime": now, "reason": "CompletionsReached"}
    text = "Reached expected number of succeeded pods"
    status = {
        "startTime": job.get("status", {}).get("startTime", now),
        "completionTime": now,
        "active": 0,
        "succeeded": job["spec"].get("completions", 1),
        "conditions": [
            {"type": name, "message": text, **done} for name in ("SuccessCriteriaMet", "Complete")
        ],
    }
    bench.client.acting_as(JOB_CONTROLLER).merge(
        "Job", job["metadata"]["name"], {"status": status}, namespace=workload.namespace, sub="status"
    )

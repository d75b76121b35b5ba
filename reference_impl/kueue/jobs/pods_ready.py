"""The PodsReady condition of a Workload, from the status of its Job (AC-272)."""

from __future__ import annotations

from typing import Final

from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.view import Workload

from .job import Job

WAITS_FOR_START: Final = Condition(c.PODS_READY, False, "WaitForStart", "Not all pods are ready or succeeded")
WAITS_FOR_RECOVERY: Final = Condition(
    c.PODS_READY, False, "WaitForRecovery", "At least one pod has failed, waiting for recovery"
)
ALL_READY: Final = "All pods reached readiness and the workload is running"
STARTED: Final = Condition(c.PODS_READY, True, "Started", ALL_READY)
RECOVERED: Final = Condition(c.PODS_READY, True, "Recovered", ALL_READY)


def condition(job: Job, workload: Workload) -> Condition:
    """Return the PodsReady condition; its earlier value tells a start from a recovery."""
    if not workload.is_admitted:
        return WAITS_FOR_START
    before = workload.condition(c.PODS_READY)
    # The reason is the only memory of whether they were ready before.
    recovering = before is not None and before["reason"] in {"WaitForRecovery", "Recovered"}
    if job.has_ready_pods:
        return RECOVERED if recovering else STARTED
    was_ready = before is not None and before["status"] == "True"
    return WAITS_FOR_RECOVERY if recovering or was_ready else WAITS_FOR_START


def has_condition(workload: Workload, condition: Condition) -> bool:
    """Tell whether the Workload has this condition already."""
    present = workload.condition(condition.type)
    if present is None:
        return False
    status = "True" if condition.status else "False"
    return (present["status"], present["reason"], present["message"]) == (
        status,
        condition.reason,
        condition.message,
    )

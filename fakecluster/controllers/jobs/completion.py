"""Whether a Job is over and why: earlier decisions, then failures, then successes (FK-474)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch
from ...kinds.batch import completion_indexes
from ..pod_state import phase
from . import conditions, failures
from .conditions import JobCondition
from .pod_counts import PodCounts, is_indexed


def decide(
    job: Json, pods_of_job: Sequence[Json], counts: PodCounts, current_time: float
) -> JobCondition | None:
    """Return the end that holds whatever is done about pods now, None when the Job goes on."""
    status = job.get("status", {})
    # The order decides which reason a Job fails for when several hold (FK-474).
    return (
        conditions.pending(status)
        or _by_policy(job["spec"], pods_of_job)
        or _limits(job, pods_of_job, counts, current_time)
        or (_by_index(job["spec"], counts) if is_indexed(job["spec"]) else None)
    )


def check_completion(spec: Json, counts: PodCounts, active: int) -> JobCondition | None:
    """Return success when enough pods have succeeded and none is active."""
    completions = spec.get("completions")
    # Without completions a single success is enough, once the other pods have ended.
    enough = counts.succeeded > 0 if completions is None else counts.succeeded >= completions
    return conditions.COMPLETED if enough and active == 0 else None


def seconds_to_deadline(job: Json, current_time: float) -> float | None:
    """Return how long the Job may go on, None when there is no limit."""
    limit, started = job["spec"].get("activeDeadlineSeconds"), job.get("status", {}).get("startTime")
    # The clock of the deadline stands while a Job is suspended.
    if limit is None or not started or job["spec"].get("suspend"):
        return None
    return since_epoch(started) + float(limit) - current_time


def _by_policy(spec: Json, pods_of_job: Sequence[Json]) -> JobCondition | None:
    policy = spec.get("podFailurePolicy")
    messages = (
        (failures.message(policy, pod) for pod in pods_of_job if phase(pod) == "Failed") if policy else ()
    )
    return next((conditions.by_policy(message) for message in messages if message), None)


def _limits(
    job: Json, pods_of_job: Sequence[Json], counts: PodCounts, current_time: float
) -> JobCondition | None:
    # More failures than the limit: with a limit of 6 the seventh pod is the one too many.
    if counts.failed > job["spec"]["backoffLimit"] or _has_too_many_restarts(job["spec"], pods_of_job):
        return conditions.BACKOFF_LIMIT
    seconds = seconds_to_deadline(job, current_time)
    return conditions.DEADLINE_EXCEEDED if seconds is not None and seconds <= 0 else None


def _has_too_many_restarts(spec: Json, pods_of_job: Sequence[Json]) -> bool:
    """Restarts count only where containers restart in place."""
    if spec["template"]["spec"].get("restartPolicy") != "OnFailure":
        return False
    restarts = sum(
        status.get("restartCount", 0)
        for pod in pods_of_job
        # Pods that have ended are counted as failures or successes, not by their restarts.
        if phase(pod) in {"Running", "Pending"}
        for member in ("initContainerStatuses", "containerStatuses")
        for status in pod.get("status", {}).get(member, ())
    )
    # A limit of zero is exceeded by the first restart; the comparison below would hold without any.
    return bool(restarts > 0 if spec["backoffLimit"] == 0 else restarts >= spec["backoffLimit"])


def _by_index(spec: Json, counts: PodCounts) -> JobCondition | None:
    number = counts.failed_indexes.total
    # Without a limit of its own the number is compared with itself, which it never exceeds.
    if number > spec.get("maxFailedIndexes", number):
        return conditions.MAX_FAILED_INDEXES
    # Some indexes failed and none is left to run: the Job fails as a whole.
    if number and number + counts.completed.total >= spec["completions"]:
        return conditions.FAILED_INDEXES
    return _by_success_policy(spec, counts)


def _by_success_policy(spec: Json, counts: PodCounts) -> JobCondition | None:
    everything = completion_indexes.Indexes(((0, spec["completions"] - 1),))
    for number, rule in enumerate((spec.get("successPolicy") or {}).get("rules", ())):
        text = rule.get("succeededIndexes")
        required = completion_indexes.parse(text, spec["completions"]) if text else everything
        # A rule without a count asks for all of its indexes.
        needed = rule.get("succeededCount") or required.total
        if (counts.completed & required).total >= needed:
            message = f"Matched rules at index {number}"
            return JobCondition("SuccessCriteriaMet", "SuccessPolicy", message)
    return None

"""Conditions of a Job, with the words that belong to them (FK-471, FK-474)."""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json


class JobCondition(Struct, frozen=True):
    """Why a Job ends, or is paused: type, status, reason and message of a condition."""

    type: str
    reason: str
    message: str
    status: str = "True"

    def at(self, current_time: str) -> Json:
        """Return the condition as it begins now."""
        return {
            "type": self.type,
            "status": self.status,
            "lastProbeTime": current_time,
            "lastTransitionTime": current_time,
            "reason": self.reason,
            "message": self.message,
        }

    def final(self) -> JobCondition:
        """Return the terminal condition that follows an interim one."""
        return JobCondition(FINAL_CONDITION[self.type], self.reason, self.message)


FINAL_CONDITION = {"SuccessCriteriaMet": "Complete", "FailureTarget": "Failed"}
SUSPENDED = JobCondition("Suspended", "JobSuspended", "Job suspended")
RESUMED = JobCondition("Suspended", "JobResumed", "Job resumed", "False")
COMPLETED = JobCondition(
    "SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods"
)
BACKOFF_LIMIT = JobCondition(
    "FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit"
)
DEADLINE_EXCEEDED = JobCondition(
    "FailureTarget", "DeadlineExceeded", "Job was active longer than specified deadline"
)
MAX_FAILED_INDEXES = JobCondition(
    "FailureTarget",
    "MaxFailedIndexesExceeded",
    "Job has exceeded the specified maximal number of failed indexes",
)
FAILED_INDEXES = JobCondition("FailureTarget", "FailedIndexes", "Job has failed indexes")


def by_policy(message: str) -> JobCondition:
    """Return the failure that a podFailurePolicy demands."""
    return JobCondition("FailureTarget", "PodFailurePolicy", message)


def find(status: Json, kind: str) -> Json:
    """Return the condition of a type, None when there is none."""
    return next((condition for condition in status.get("conditions", ()) if condition["type"] == kind), None)


def holds(status: Json, kind: str) -> bool:
    """Tell whether a condition is True."""
    condition = find(status, kind)
    return condition is not None and condition["status"] == "True"


def is_finished(status: Json) -> bool:
    """Tell whether a Job has ended."""
    return holds(status, "Complete") or holds(status, "Failed")


def pending(status: Json) -> JobCondition | None:
    """Return the end that was decided earlier and has not been declared yet."""
    for kind in FINAL_CONDITION:
        if holds(status, kind):
            condition = find(status, kind)
            return JobCondition(kind, condition.get("reason", ""), condition.get("message", ""))
    return None


def ensure(status: Json, verdict: JobCondition, current_time: str) -> tuple[Json, bool]:
    """Return the status with a condition, and whether that changed it; nothing records what never held."""
    condition = find(status, verdict.type)
    # The real controller changes a condition to False, but adds none that is False from the start.
    if condition is None and verdict.status == "False":
        return status, False
    if condition and (condition["status"], condition.get("reason"), condition.get("message")) == (
        verdict.status,
        verdict.reason,
        verdict.message,
    ):
        return status, False
    conditions = status.get("conditions", [])
    if condition is None:
        return {**status, "conditions": [*conditions, verdict.at(current_time)]}, True
    replaced = [verdict.at(current_time) if entry is condition else entry for entry in conditions]
    return {**status, "conditions": replaced}, True

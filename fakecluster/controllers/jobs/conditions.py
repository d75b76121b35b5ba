"""Conditions of a Job, with the words that belong to them (FK-471, FK-474)."""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json


class Verdict(Struct, frozen=True):
    """Why a Job ends, or is paused: type, status, reason and message of a condition."""

    type: str
    reason: str
    message: str
    status: str = "True"

    def at(self, now: str) -> Json:
        """Return the condition as it begins now."""
        return {
            "type": self.type,
            "status": self.status,
            "lastProbeTime": now,
            "lastTransitionTime": now,
            "reason": self.reason,
            "message": self.message,
        }

    def final(self) -> Verdict:
        """Return the terminal condition that follows an interim one."""
        return Verdict(FINAL[self.type], self.reason, self.message)


FINAL = {"SuccessCriteriaMet": "Complete", "FailureTarget": "Failed"}
SUSPENDED = Verdict("Suspended", "JobSuspended", "Job suspended")
RESUMED = Verdict("Suspended", "JobResumed", "Job resumed", "False")
COMPLETED = Verdict("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods")
BACKOFF_LIMIT = Verdict(
    "FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit"
)
DEADLINE = Verdict("FailureTarget", "DeadlineExceeded", "Job was active longer than specified deadline")
MAX_FAILED_INDEXES = Verdict(
    "FailureTarget",
    "MaxFailedIndexesExceeded",
    "Job has exceeded the specified maximal number of failed indexes",
)
FAILED_INDEXES = Verdict("FailureTarget", "FailedIndexes", "Job has failed indexes")


def by_policy(message: str) -> Verdict:
    """Return the failure that a podFailurePolicy demands."""
    return Verdict("FailureTarget", "PodFailurePolicy", message)


def find(status: Json, kind: str) -> Json:
    """Return the condition of a type, None when there is none."""
    return next((one for one in status.get("conditions", ()) if one["type"] == kind), None)


def holds(status: Json, kind: str) -> bool:
    """Tell whether a condition is True."""
    found = find(status, kind)
    return found is not None and found["status"] == "True"


def is_finished(status: Json) -> bool:
    """Tell whether a Job has ended."""
    return holds(status, "Complete") or holds(status, "Failed")


def pending(status: Json) -> Verdict | None:
    """Return the end that was decided earlier and has not been declared yet."""
    for kind in FINAL:
        if holds(status, kind):
            found = find(status, kind)
            return Verdict(kind, found.get("reason", ""), found.get("message", ""))
    return None


def ensure(status: Json, verdict: Verdict, now: str) -> tuple[Json, bool]:
    """Return the status with a condition, and whether that changed it; nothing records what never held."""
    found = find(status, verdict.type)
    if found is None and verdict.status == "False":
        return status, False
    if found and (found["status"], found.get("reason"), found.get("message")) == (
        verdict.status,
        verdict.reason,
        verdict.message,
    ):
        return status, False
    conditions = status.get("conditions", [])
    if found is None:
        return {**status, "conditions": [*conditions, verdict.at(now)]}, True
    replaced = [verdict.at(now) if one is found else one for one in conditions]
    return {**status, "conditions": replaced}, True

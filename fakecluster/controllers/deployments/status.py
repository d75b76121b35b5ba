"""The status of a Deployment: numbers, and the conditions Available, Progressing and ReplicaFailure."""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json
from ...base.numbers.timestamps import at, since_epoch
from . import replica_counts
from .replica_sets import ReplicaSets, replicas

NO_LIMIT = 2**31 - 1
OPTIONAL_STATUS_FIELDS = (
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "conditions",
)
PROGRESSING, AVAILABLE, REPLICA_FAILURE = "Progressing", "Available", "ReplicaFailure"
NEW_REPLICA_SET_AVAILABLE, TIMED_OUT = "NewReplicaSetAvailable", "ProgressDeadlineExceeded"
PAUSED_REASON, RESUMED_REASON = "DeploymentPaused", "DeploymentResumed"


class DeploymentCondition(Struct, frozen=True):
    """One condition without its times."""

    type: str
    status: str
    reason: str
    message: str


def count_replicas(deployment: Json, family: ReplicaSets, current_time: float) -> Json:
    """Return the status with its numbers and the condition Available."""
    before, every = deployment.get("status", {}), family.every
    available = _sum(every, "availableReplicas")
    status = {
        "observedGeneration": deployment["metadata"].get("generation", 0),
        "replicas": _sum(every, "replicas"),
        # The new ReplicaSet is the last of the family, where there is one.
        "updatedReplicas": _sum(every[-1:], "replicas") if family.new else 0,
        "readyReplicas": _sum(every, "readyReplicas"),
        "availableReplicas": available,
        "unavailableReplicas": max(0, sum(map(replicas, every)) - available),
        "terminatingReplicas": _sum(every, "terminatingReplicas"),
        "conditions": before.get("conditions") or [],
        # A pointer in Go: absent until the first collision.
        **({"collisionCount": before["collisionCount"]} if "collisionCount" in before else {}),
    }
    enough = available >= replicas(deployment) - replica_counts.unavailable(deployment)
    verdict = (
        DeploymentCondition(
            AVAILABLE, "True", "MinimumReplicasAvailable", "Deployment has minimum availability."
        )
        if enough
        else DeploymentCondition(
            AVAILABLE, "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability."
        )
    )
    return compact(with_condition(status, verdict, current_time))


def rollout_status(deployment: Json, family: ReplicaSets, current_time: float) -> Json:
    """Return the status of a rollout: whether it goes on, is done, or has taken too long."""
    status = count_replicas(deployment, family, current_time)
    before = condition(deployment.get("status", {}), PROGRESSING)
    if deadline(deployment) is None:
        status = without(status, PROGRESSING)
    elif not (
        before
        and before["reason"] == NEW_REPLICA_SET_AVAILABLE
        and _get(status, "replicas") == _get(status, "updatedReplicas")
    ):
        status = _update_progress(deployment, family, status, current_time)
    # The new one's failure tells more than that of an old one.
    newest_first = (*filter(None, [family.new]), *family.old)
    failures = (condition(replica_set.get("status", {}), REPLICA_FAILURE) for replica_set in newest_first)
    failure = next(filter(None, failures), None)
    status = (
        without(status, REPLICA_FAILURE)
        if failure is None
        else with_condition(
            status,
            DeploymentCondition(
                REPLICA_FAILURE, failure["status"], failure["reason"], failure.get("message", "")
            ),
            since_epoch(failure["lastTransitionTime"]) if failure.get("lastTransitionTime") else current_time,
        )
    )
    return compact(status)


def seconds_to_deadline(deployment: Json, status: Json, current_time: float) -> float | None:
    """Return when to look again whether the rollout has taken too long, None when it cannot."""
    limit, current = deadline(deployment), condition(status, PROGRESSING)
    if limit is None or current is None or current["reason"] == TIMED_OUT or is_complete(deployment, status):
        return None
    # The real controller adds a second as well, against the skew of timers.
    return max(1.0, since_epoch(current["lastUpdateTime"]) + limit - current_time + 1)


def is_complete(deployment: Json, status: Json) -> bool:
    """Tell whether every pod is of the present template and available, and no other is left."""
    desired = replicas(deployment)
    numbers = (_get(status, name) for name in ("updatedReplicas", "replicas", "availableReplicas"))
    is_observed = _get(status, "observedGeneration") >= deployment["metadata"].get("generation", 0)
    return is_observed and all(number == desired for number in numbers)


def deadline(deployment: Json) -> float | None:
    """Return how many seconds a rollout may make no progress, None without a limit."""
    seconds = deployment["spec"].get("progressDeadlineSeconds")
    return None if seconds is None or seconds == NO_LIMIT else float(seconds)


def pause_condition(deployment: Json) -> DeploymentCondition | None:
    """Return the condition of a pause or of its end, None when neither is new."""
    current = condition(deployment.get("status", {}), PROGRESSING) or {}
    # A lack of progress that was reported is not overwritten by a pause.
    if deadline(deployment) is None or current.get("reason") == TIMED_OUT:
        return None
    was_paused, is_paused = current.get("reason") == PAUSED_REASON, bool(deployment["spec"].get("paused"))
    if was_paused == is_paused:
        return None
    if is_paused:
        return DeploymentCondition(PROGRESSING, "Unknown", PAUSED_REASON, "Deployment is paused")
    return DeploymentCondition(PROGRESSING, "Unknown", RESUMED_REASON, "Deployment is resumed")


def condition(status: Json, kind: str) -> Json | None:
    """Return a condition, None when there is none."""
    return next(
        (condition for condition in status.get("conditions") or () if condition["type"] == kind), None
    )


def with_condition(status: Json, verdict: DeploymentCondition, current_time: float) -> Json:
    """Return the status with a condition; one of the same status and reason is kept."""
    before = condition(status, verdict.type)
    if before and (before["status"], before["reason"]) == (verdict.status, verdict.reason):
        return status
    # Another reason with the same status is no transition.
    since = (
        before["lastTransitionTime"] if before and before["status"] == verdict.status else at(current_time)
    )
    return _replace_condition(status, verdict, at(current_time), since)


def without(status: Json, kind: str) -> Json:
    """Return the status without a condition."""
    return {
        **status,
        "conditions": [
            condition for condition in status.get("conditions") or () if condition["type"] != kind
        ],
    }


def compact(status: Json) -> Json:
    """Leave out numbers that are zero, as the encoder does."""
    return {name: value for name, value in status.items() if value or name not in OPTIONAL_STATUS_FIELDS}


def _update_progress(deployment: Json, family: ReplicaSets, status: Json, current_time: float) -> Json:
    name = (
        f'ReplicaSet "{family.new["metadata"]["name"]}"'
        if family.new
        else f'Deployment "{deployment["metadata"]["name"]}"'
    )
    before = condition(status, PROGRESSING)
    if is_complete(deployment, status):
        return with_condition(
            status,
            DeploymentCondition(
                PROGRESSING, "True", NEW_REPLICA_SET_AVAILABLE, f"{name} has successfully progressed."
            ),
            current_time,
        )
    if _moves(deployment.get("status", {}), status):
        # Written on every move, also when the condition says so already: the deadline counts from its
        # lastUpdateTime.
        verdict = DeploymentCondition(PROGRESSING, "True", "ReplicaSetUpdated", f"{name} is progressing.")
        since = before["lastTransitionTime"] if before and before["status"] == "True" else at(current_time)
        return _replace_condition(status, verdict, at(current_time), since)
    if _is_late(deployment, before, current_time):
        return with_condition(
            status,
            DeploymentCondition(PROGRESSING, "False", TIMED_OUT, f"{name} has timed out progressing."),
            current_time,
        )
    return status


def _moves(before: Json, after: Json) -> bool:
    growing = ("updatedReplicas", "readyReplicas", "availableReplicas")
    fewer_old = _get(after, "replicas") - _get(after, "updatedReplicas") < _get(before, "replicas") - _get(
        before, "updatedReplicas"
    )
    return fewer_old or any(_get(after, name) > _get(before, name) for name in growing)


def _is_late(deployment: Json, current: Json | None, current_time: float) -> bool:
    limit = deadline(deployment)
    if current is None or limit is None or current["reason"] == NEW_REPLICA_SET_AVAILABLE:
        # A rollout that has ended cannot be late.
        return False
    return current["reason"] == TIMED_OUT or since_epoch(current["lastUpdateTime"]) + limit < current_time


def _replace_condition(status: Json, verdict: DeploymentCondition, current_time: str, since: str) -> Json:
    new_condition = {
        "type": verdict.type,
        "status": verdict.status,
        "lastUpdateTime": current_time,
        "lastTransitionTime": since,
        "reason": verdict.reason,
        "message": verdict.message,
    }
    # A condition that changes moves to the end: the real controller filters it out and appends it.
    remaining = without(status, verdict.type)
    return {**remaining, "conditions": [*remaining["conditions"], new_condition]}


def _sum(replica_sets: tuple[Json, ...], name: str) -> int:
    return sum(int(replica_set.get("status", {}).get(name, 0)) for replica_set in replica_sets)


def _get(status: Json, name: str) -> int:
    return int(status.get(name, 0))

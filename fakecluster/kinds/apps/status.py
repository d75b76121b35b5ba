"""The status of a workload: counts of its pods (FK-500)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.basics import Errors

DAEMON_COUNTS = (
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
)


def shares(
    counts: Sequence[str], at_most_all: Sequence[str], ready: str = "readyReplicas"
) -> Callable[[Json, Json], list[FieldError]]:
    """Return the rule that no count is negative, none of `at_most_all` larger than all replicas, and that no
    more replicas are available than are ready.

    `ready` is the name of the ready ones in a message.
    """

    def judge(after: Json, before: Json) -> list[FieldError]:
        status = after.get("status", {})
        return [
            *_counted(status, counts),
            *_within(status, at_most_all, ready),
            *_collisions(status, before),
        ]

    return judge


def daemon_set(after: Json, before: Json) -> list[FieldError]:
    """Judge a DaemonSet's status."""
    status = after.get("status", {})
    return [*_counted(status, DAEMON_COUNTS), *_collisions(status, before)]


def _counted(status: Json, counts: Sequence[str]) -> Errors:
    for name in counts:
        yield from basics.not_negative(status.get(name), f"status.{name}")


def _within(status: Json, at_most_all: Sequence[str], ready: str) -> Errors:
    for name in at_most_all:
        count = status.get(name, 0)
        if count > status.get("replicas", 0):
            yield fields.invalid(f"status.{name}", count, "cannot be greater than status.replicas")
    available = status.get("availableReplicas", 0)
    if available > status.get("readyReplicas", 0):
        yield fields.invalid("status.availableReplicas", available, f"cannot be greater than {ready}")


def _collisions(status: Json, before: Json) -> Errors:
    counted = before.get("status", {}).get("collisionCount")
    if counted is not None and status.get("collisionCount", 0) < counted:
        count = status.get("collisionCount", 0)
        yield fields.invalid("status.collisionCount", count, "cannot be decremented")


deployment = shares(
    (
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
    ),
    ("updatedReplicas", "readyReplicas", "availableReplicas"),
)
replica_set = shares(
    (
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
        "terminatingReplicas",
    ),
    ("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
)
stateful_set = shares(
    (
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount",
    ),
    ("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
    ready="status.readyReplicas",
)

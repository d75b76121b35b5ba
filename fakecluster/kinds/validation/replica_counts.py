"""Counts of pods in the status of a workload (FK-500)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from . import basics
from .basics import Errors


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
            *counts_not_negative(status, counts),
            *_within(status, at_most_all, ready),
            *collisions_kept(status, before),
        ]

    return judge


def counts_not_negative(status: Json, counts: Sequence[str]) -> Errors:
    """Judge that no count is negative."""
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


def collisions_kept(status: Json, before: Json) -> Errors:
    """Judge that the count of collisions does not fall."""
    counted = before.get("status", {}).get("collisionCount")
    if counted is not None and status.get("collisionCount", 0) < counted:
        count = status.get("collisionCount", 0)
        yield fields.invalid("status.collisionCount", count, "cannot be decremented")

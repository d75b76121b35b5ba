"""How many pods a Job should have now, which ones to add and which to take away (FK-471, FK-472)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ...numbers.timestamps import since_epoch
from . import pods
from .tally import Tally, is_indexed, replaces_only_failed

Json = Any
FIRST_DELAY = 10.0
LAST_DELAY = 600.0
PHASES = ("Pending", "Unknown", "Running")


class Scaling(Struct, frozen=True):
    """Pods to remove, indexes to create pods at (None without indexes), and when to look again."""

    remove: tuple[Json, ...] = ()
    create: tuple[int | None, ...] = ()
    again: float | None = None


def plan(job: Json, found: Sequence[Json], tally: Tally, now: float) -> Scaling:
    """Return the difference between the pods there are and those there should be."""
    if job["spec"].get("suspend"):
        return Scaling(remove=tally.active)
    wanted = _wanted(job["spec"], tally)
    surplus = len(tally.active) - wanted
    if surplus > 0:
        return Scaling(remove=tuple(sorted(tally.active, key=_removal_order)[:surplus]))
    missing = -surplus - (tally.terminating if replaces_only_failed(job["spec"]) else 0)
    if missing <= 0:
        return Scaling()
    delay = _delay(found, now)
    if delay > 0:
        return Scaling(again=delay)
    return Scaling(create=_places(job["spec"], tally, missing))


def _wanted(spec: Json, tally: Tally) -> int:
    if spec.get("completions") is None:
        return len(tally.active) if tally.succeeded else int(spec["parallelism"])
    left = spec["completions"] - tally.succeeded - len(tally.failed_indexes)
    return max(0, min(int(spec["parallelism"]), int(left)))


def _places(spec: Json, tally: Tally, number: int) -> tuple[int | None, ...]:
    if not is_indexed(spec):
        return (None,) * number
    taken = tally.completed | tally.failed_indexes | {pods.index_of(one) for one in tally.active}
    free = [index for index in range(spec["completions"]) if index not in taken]
    return tuple(free[:number])


def _removal_order(pod: Json) -> tuple[Json, ...]:
    """Unassigned, pending and young pods go first."""
    phase = pods.phase(pod)
    return (
        bool(pod["spec"].get("nodeName")),
        PHASES.index(phase) if phase in PHASES else len(PHASES),
        pods.is_ready(pod),
        -since_epoch(pod["metadata"]["creationTimestamp"]),
        pod["metadata"]["name"],
    )


def _delay(found: Sequence[Json], now: float) -> float:
    """Return how long to wait after failures in a row: 10 s, doubled each time, at most 10 minutes."""
    succeeded = max((_ended(one) for one in found if pods.phase(one) == "Succeeded"), default=0.0)
    failed = [_ended(one) for one in found if pods.phase(one) == "Failed"]
    recent = [moment for moment in failed if moment > succeeded]
    if not recent:
        return 0.0
    delay = min(FIRST_DELAY * 2 ** (len(recent) - 1), LAST_DELAY)
    return float(max(recent) + delay - now)


def _ended(pod: Json) -> float:
    metadata = pod["metadata"]
    return since_epoch(
        pods.finished_at(pod) or metadata.get("deletionTimestamp") or metadata["creationTimestamp"]
    )

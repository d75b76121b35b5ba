"""How many pods a Job should have now, which ones to add and which to take away (FK-471, FK-472)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch
from ...kinds.batch import completion_indexes
from ..backoff import exponential
from ..pod_state import is_active, is_ready, is_terminating, phase
from ..pod_writer import BURST
from . import pods
from .pod_counts import PodCounts, is_indexed, replaces_only_failed

FIRST_DELAY = 10.0
LAST_DELAY = 600.0
PHASES = ("Pending", "Unknown", "Running")


class Scaling(Struct, frozen=True):
    """Pods to remove, indexes to create pods at (None without indexes), and when to look again."""

    remove: tuple[Json, ...] = ()
    create: tuple[int | None, ...] = ()
    retry_seconds: float | None = None


def plan(job: Json, pods_of_job: Sequence[Json], counts: PodCounts, current_time: float) -> Scaling:
    """Return the difference between the pods there are and those there should be, BURST of them at most."""
    # Suspending removes all active pods at once, not in bursts.
    if job["spec"].get("suspend"):
        return Scaling(remove=counts.active)
    desired = _target_count(job["spec"], counts)
    # Too many before too few: a sync does one of both.
    if surplus := _surplus(job["spec"], counts.active, len(counts.active) - desired):
        return Scaling(remove=tuple(surplus[:BURST]))
    # With the podReplacementPolicy Failed a pod that terminates keeps its place until it has ended.
    missing = desired - len(counts.active) - (counts.terminating if replaces_only_failed(job["spec"]) else 0)
    if missing <= 0:
        return Scaling()
    # Missing pods wait after failures, surplus ones do not.
    delay = _delay(pods_of_job, current_time)
    if delay > 0:
        return Scaling(retry_seconds=delay)
    return Scaling(create=_places(job["spec"], pods_of_job, counts, min(missing, BURST)))


def _surplus(spec: Json, active: Sequence[Json], number: int) -> list[Json]:
    """Return the pods to remove: those that repeat an index or have none that is wanted, and others until
    there are so many.
    """
    repeated: list[Json] = []
    indexed: list[Json] = list(active)
    if is_indexed(spec):
        covered: set[int] = set()
        indexed = []
        # From the one that would be removed last, so that the best pod of an index is the one that stays.
        for pod in sorted(active, key=_removal_order, reverse=True):
            index = pods.index_of(pod)
            if index is None or index >= spec["completions"] or index in covered:
                repeated.append(pod)
            else:
                covered.add(index)
                indexed.append(pod)
    still_too_many = max(0, number - len(repeated))
    return [*repeated, *(sorted(indexed, key=_removal_order)[:still_too_many] if still_too_many else ())]


def _target_count(spec: Json, counts: PodCounts) -> int:
    if spec.get("completions") is None:
        # After the first success no new pod is started where any success will do.
        return len(counts.active) if counts.succeeded else int(spec["parallelism"])
    remaining = spec["completions"] - counts.succeeded - counts.failed_indexes.total
    return max(0, min(int(spec["parallelism"]), int(remaining)))


def _places(
    spec: Json, pods_of_job: Sequence[Json], counts: PodCounts, number: int
) -> tuple[int | None, ...]:
    if not is_indexed(spec):
        return (None,) * number
    # A pod that goes occupies its index as long as its end is waited for.
    waits = replaces_only_failed(spec)
    indexes = (pods.index_of(pod) for pod in pods_of_job if is_active(pod) or (waits and is_terminating(pod)))
    occupied = completion_indexes.of(index for index in indexes if index is not None)
    return tuple(
        islice((counts.completed | counts.failed_indexes | occupied).free(spec["completions"]), number)
    )


def _removal_order(pod: Json) -> tuple[Json, ...]:
    """Unassigned, pending and young pods go first."""
    pod_phase = phase(pod)
    return (
        # False sorts first: pods without a node are the cheapest to lose.
        bool(pod["spec"].get("nodeName")),
        PHASES.index(pod_phase) if pod_phase in PHASES else len(PHASES),
        is_ready(pod),
        # Negative: the youngest first.
        -since_epoch(pod["metadata"]["creationTimestamp"]),
        pod["metadata"]["name"],
    )


def _delay(pods_of_job: Sequence[Json], current_time: float) -> float:
    """Return how long to wait after failures in a row: 10 s, doubled each time, at most 10 minutes."""
    failed = [_end_time(pod) for pod in pods_of_job if phase(pod) == "Failed"]
    if not failed:
        return 0.0
    # A success ends a row of failures.
    succeeded = max((_end_time(pod) for pod in pods_of_job if phase(pod) == "Succeeded"), default=0.0)
    recent = [moment for moment in failed if moment > succeeded]
    if not recent:
        return 0.0
    return max(recent) + exponential(FIRST_DELAY, len(recent) - 1, LAST_DELAY) - current_time


def _end_time(pod: Json) -> float:
    metadata = pod["metadata"]
    return since_epoch(
        pods.finish_time(pod) or metadata.get("deletionTimestamp") or metadata["creationTimestamp"]
    )

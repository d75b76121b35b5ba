"""How a Job stands: its pods counted, together with what its status remembers of pods that are gone (FK-473)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ...kinds.batch import completion_indexes
from . import failures, pods

Json = Any


class Tally(Struct, frozen=True):
    """Numbers of one moment.

    Pods that ended and still carry the finalizer are `fresh`: not in the status yet.
    """

    active: tuple[Json, ...]
    terminating: int
    fresh_succeeded: tuple[Json, ...]
    fresh_failed: tuple[Json, ...]
    succeeded: int
    failed: int
    completed: frozenset[int]
    failures_at: dict[int, int]
    """Failed pods at each index; only counted with backoffLimitPerIndex."""

    failed_indexes: frozenset[int]

    @property
    def ready(self) -> int:
        """How many active pods are ready."""
        return sum(pods.is_ready(one) for one in self.active)


def count(job: Json, found: Sequence[Json]) -> Tally:
    """Count the pods of a Job."""
    spec, status = job["spec"], job.get("status", {})
    failed_only = replaces_only_failed(spec)
    fresh = [one for one in found if pods.is_tracked(one)]
    fresh_failed = [one for one in fresh if pods.has_failed(one, replaces_only_failed=failed_only)]
    fresh_succeeded = [one for one in fresh if pods.phase(one) == "Succeeded"]
    counted = [
        one for one in fresh_failed if failures.judge(spec.get("podFailurePolicy"), one)[0] != "Ignore"
    ]
    completed = _completed(spec, status, found)
    failures_at = _failures_at(spec, found)
    return Tally(
        active=tuple(one for one in found if pods.is_active(one)),
        terminating=sum(pods.is_terminating(one) for one in found),
        fresh_succeeded=tuple(fresh_succeeded),
        fresh_failed=tuple(counted),
        succeeded=len(completed) if is_indexed(spec) else status.get("succeeded", 0) + len(fresh_succeeded),
        failed=status.get("failed", 0) + len(counted),
        completed=completed,
        failures_at=failures_at,
        failed_indexes=_failed_indexes(spec, failures_at, found),
    )


def is_indexed(spec: Json) -> bool:
    """Tell whether each completion of the Job has an index."""
    return bool(spec.get("completionMode") == "Indexed")


def replaces_only_failed(spec: Json) -> bool:
    """Tell whether a pod that is merely being deleted is not replaced."""
    return bool(spec.get("podReplacementPolicy") == "Failed")


def _completed(spec: Json, status: Json, found: Sequence[Json]) -> frozenset[int]:
    if not is_indexed(spec):
        return frozenset()
    now = (pods.index_of(one) for one in found if pods.phase(one) == "Succeeded")
    known = completion_indexes.parse(status.get("completedIndexes", "")) | {
        index for index in now if index is not None
    }
    return frozenset(index for index in known if index < spec["completions"])


def _failures_at(spec: Json, found: Sequence[Json]) -> dict[int, int]:
    totals: dict[int, int] = {}
    if spec.get("backoffLimitPerIndex") is None:
        return totals
    for one in found:
        index = pods.index_of(one)
        ignored = failures.judge(spec.get("podFailurePolicy"), one)[0] == "Ignore"
        if index is not None and pods.phase(one) == "Failed" and not ignored:
            totals[index] = totals.get(index, 0) + 1
    return totals


def _failed_indexes(spec: Json, failures_at: dict[int, int], found: Sequence[Json]) -> frozenset[int]:
    limit = spec.get("backoffLimitPerIndex")
    if limit is None:
        return frozenset()
    at_once = {
        pods.index_of(one)
        for one in found
        if pods.phase(one) == "Failed" and failures.judge(spec.get("podFailurePolicy"), one)[0] == "FailIndex"
    }
    exhausted = {index for index, number in failures_at.items() if number > limit}
    return frozenset(index for index in exhausted | at_once if index is not None)

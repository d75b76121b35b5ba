"""How a Job stands: its pods counted,
together with what its status remembers of pods that are gone (FK-473).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...base.json_types import Json
from ...kinds.batch import completion_indexes
from ...kinds.batch.completion_indexes import Indexes
from ..pod_state import is_active, is_ready, is_terminating, phase
from . import failures, pods


class PodCounts(Struct, frozen=True):
    """Numbers of one moment.

    Pods that ended and still carry the finalizer are `fresh`: not in the status yet.
    """

    active: tuple[Json, ...]
    terminating: int
    fresh_succeeded: tuple[Json, ...]
    fresh_failed: tuple[Json, ...]
    succeeded: int
    failed: int
    completed: Indexes
    failures_at: dict[int, int]
    """Failed pods at each index; only counted with backoffLimitPerIndex."""

    failed_indexes: Indexes

    @property
    def ready(self) -> int:
        """How many active pods are ready."""
        return sum(is_ready(pod) for pod in self.active)


def count(job: Json, pods_of_job: Sequence[Json]) -> PodCounts:
    """Count the pods of a Job."""
    spec, status = job["spec"], job.get("status", {})
    failed_only = replaces_only_failed(spec)
    # Those without the finalizer were counted earlier and are in the status.
    fresh = [pod for pod in pods_of_job if pods.is_tracked(pod)]
    fresh_failed = [pod for pod in fresh if pods.has_failed(pod, replaces_only_failed=failed_only)]
    fresh_succeeded = [pod for pod in fresh if phase(pod) == "Succeeded"]
    # Ignored failures are uncounted, but their finalizer goes as well.
    counted = [
        pod for pod in fresh_failed if failures.judge(spec.get("podFailurePolicy"), pod)[0] != "Ignore"
    ]
    completed = _succeeding_indexes(spec, status, pods_of_job)
    failures_at = _failures_at(spec, pods_of_job)
    return PodCounts(
        active=tuple(pod for pod in pods_of_job if is_active(pod)),
        terminating=sum(is_terminating(pod) for pod in pods_of_job),
        fresh_succeeded=tuple(fresh_succeeded),
        fresh_failed=tuple(counted),
        succeeded=completed.total if is_indexed(spec) else status.get("succeeded", 0) + len(fresh_succeeded),
        failed=status.get("failed", 0) + len(counted),
        completed=completed,
        failures_at=failures_at,
        failed_indexes=_failing_indexes(spec, failures_at, pods_of_job),
    )


def is_indexed(spec: Json) -> bool:
    """Tell whether each completion of the Job has an index."""
    return bool(spec.get("completionMode") == "Indexed")


def replaces_only_failed(spec: Json) -> bool:
    """Tell whether a pod that is merely being deleted is not replaced."""
    return bool(spec.get("podReplacementPolicy") == "Failed")


def _succeeding_indexes(spec: Json, status: Json, pods_of_job: Sequence[Json]) -> Indexes:
    if not is_indexed(spec):
        return Indexes()
    below = spec["completions"]
    succeeded_indexes = (pods.index_of(pod) for pod in pods_of_job if phase(pod) == "Succeeded")
    # An index beyond completions is of a pod from before the Job shrank.
    new = completion_indexes.of(index for index in succeeded_indexes if index is not None and index < below)
    # What the status remembers is of pods that may be gone.
    return completion_indexes.parse(status.get("completedIndexes", ""), below) | new


def _failures_at(spec: Json, pods_of_job: Sequence[Json]) -> dict[int, int]:
    totals: dict[int, int] = {}
    if spec.get("backoffLimitPerIndex") is None:
        return totals
    for pod in pods_of_job:
        index = pods.index_of(pod)
        ignored = failures.judge(spec.get("podFailurePolicy"), pod)[0] == "Ignore"
        # A pod that is merely being deleted does not count against its index.
        if index is not None and phase(pod) == "Failed" and not ignored:
            totals[index] = totals.get(index, 0) + 1
    return totals


def _failing_indexes(spec: Json, failures_at: dict[int, int], pods_of_job: Sequence[Json]) -> Indexes:
    limit = spec.get("backoffLimitPerIndex")
    if limit is None:
        return Indexes()
    at_once = {
        pods.index_of(pod)
        for pod in pods_of_job
        if phase(pod) == "Failed" and failures.judge(spec.get("podFailurePolicy"), pod)[0] == "FailIndex"
    }
    # More failures than the limit: the limit counts retries.
    exhausted = {index for index, number in failures_at.items() if number > limit}
    return completion_indexes.of(index for index in exhausted | at_once if index is not None)

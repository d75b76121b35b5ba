"""Which pods of a Job are not needed again, so that their quota is given back (AC-115, Q-083)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reference_impl.api import numbers
from reference_impl.api.resource import Json
from reference_impl.kueue.workload.view import Workload

from .job import MAIN, Job


def free_slots(job: Job) -> int:
    """Return how many pods of its parallelism have nothing left to do, as v0.19.2 counts them (BUG-158)."""
    return _count_unused(job, job.parallelism)


def free_pods(job: Job) -> int:
    """Return how many of the pods that hold quota have nothing left to do (BUG-158, corrected)."""
    # A parallelism beyond the completions never had quota, so that none of it is given back.
    return _count_unused(job, job.pod_count)


def _count_unused(job: Job, pods: int) -> int:
    ended = count_ended(job)
    remaining = max(0, job.completions - ended)
    return max(0, pods - remaining) if job.parallelism > 1 and ended else 0


def count_ended(job: Job) -> int:
    """Return how many of its completions need no pod any more; of an Indexed Job those that failed for good
    as well.
    """
    if not job.is_indexed:
        return int(job.status.get("succeeded") or 0)
    texts = (job.status.get("completedIndexes"), job.status.get("failedIndexes"))
    return count_indexes(tuple(text for text in texts if text), job.completions)


def count_indexes(texts: Sequence[str], limit: int) -> int:
    """Return how many indexes below a limit are in any of the texts, such as `1,3-5`."""
    count = following = 0
    # Older releases of Kubernetes list an index as completed and as failed: it counts once.
    for first, last in sorted(interval for text in texts for interval in _intervals(text)):
        end = min(last + 1, limit)
        count += max(0, end - max(first, following))
        following = max(following, end)
    return count


def _intervals(text: str) -> Iterator[tuple[int, int]]:
    for interval in text.split(","):
        first, dash, last = interval.partition("-")
        bounds = numbers.parse_int64(first), numbers.parse_int64(last if dash else first)
        if bounds[0] is not None and bounds[1] is not None:
            yield bounds[0], bounds[1]


def reclaimable_pods(count: int, workload: Workload) -> list[Json]:
    """Return the entries for a count of pods, of no more than the Workload has."""
    sizes = {pod_set["name"]: int(pod_set.get("count", 1)) for pod_set in workload.spec["podSets"]}
    return [{"name": MAIN, "count": min(count, sizes.get(MAIN, count))}] if count else []


def write_whatever_holds_quota(_workload: Workload, _pods: Sequence[Json]) -> bool:
    """Write also what the API refuses, and do nothing that comes after, as v0.19.2 does (BUG-159)."""
    return True


def is_accepted(workload: Workload, pods: Sequence[Json]) -> bool:
    """Tell whether no pod is taken back while quota is reserved, which is refused (BUG-159, corrected)."""
    counts = {entry["name"]: int(entry["count"]) for entry in pods}
    entries = workload.status.get("reclaimablePods") or ()
    return not workload.has_quota_reservation or all(
        entry["name"] in counts and counts[entry["name"]] >= int(entry["count"]) for entry in entries
    )

"""One sync of a Job: which pods to create and delete, and its status before and after (FK-471…474).

The status is written twice when pods ended: first with their uids as uncounted, then, once their finalizers
are gone, with the counters raised. A crash in between would count no pod twice, and watchers see what they
see on a real cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, structs

from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ..pod_state import has_ended, is_ready
from . import completion, conditions, pods, scaling
from .conditions import JobCondition
from .pod_counts import PodCounts, count, is_indexed
from .scaling import Scaling

MOST_UNCOUNTED = 500
"""Pods that are counted in one sync; their uids stand in the status meanwhile."""
Note = tuple[str, str, Literal["Normal", "Warning"]]


class JobDecision(Struct, frozen=True):
    """What to do about the pods of a Job that has not ended and is ours."""

    job: Json
    """The Job, started."""
    counts: PodCounts
    end: JobCondition | None
    over: bool
    """Whether no more pods are created: the Job ends, or is being deleted."""
    delete: tuple[Json, ...]
    """Pods deleted because the Job is over; they are counted afterwards."""
    scaling: Scaling


class JobPlan(Struct, frozen=True):
    """What to do once pods are created and deleted, in this order."""

    notes: tuple[Note, ...]
    interim: Json
    untrack: tuple[Json, ...]
    final: Json
    closing: tuple[Note, ...]
    retry_seconds: float | None


def decide(job: Json, pods_of_job: Sequence[Json], current_time: float) -> JobDecision:
    """Decide which pods a Job gets and which go."""
    job = {**job, "status": _start(job, at(current_time))}
    counts = count(job, pods_of_job)
    # Before pods are scaled: a Job that ends gets no new ones.
    end = completion.decide(job, pods_of_job, counts, current_time)
    over = bool(end) or "deletionTimestamp" in job["metadata"]
    todo = Scaling() if over else scaling.plan(job, pods_of_job, counts, current_time)
    return JobDecision(job, counts, end, over, counts.active if end else (), todo)


def plan(decision: JobDecision, pods_of_job: Sequence[Json], created: int, current_time: float) -> JobPlan:
    """Decide the status before and after pods are counted, of which `created` are new."""
    job, counts, stamp = decision.job, decision.counts, at(current_time)
    gone = (*decision.delete, *decision.scaling.remove)
    # As if the requests had been carried out: the store's events come too late for this status.
    active = len(counts.active) - len(gone) + created
    # An end by success is judged last, when the number of active pods is known.
    end = decision.end or completion.check_completion(job["spec"], counts, active)
    status, notes = (job["status"], ()) if decision.over else _suspend_or_resume(job, stamp)
    status = {
        **status,
        "active": active,
        "ready": counts.ready - sum(map(is_ready, gone)),
        "terminating": counts.terminating + len(gone),
    }
    uncounted = _list_uncounted(job["spec"], pods_of_job, counts, over=bool(end) or decision.over)
    # So many at once, since their uids stand in the status, which has a limit of size.
    untrack = tuple(uncounted[:MOST_UNCOUNTED])
    complete = len(untrack) == len(uncounted)
    counted = counts if complete else _without(counts, count(job, untrack))
    interim = _interim(status, counted, end, job["spec"], stamp)
    # The end is declared only when nothing remains to be counted.
    final, closing = _final(interim, counted, end if complete else None, job["spec"], stamp)
    waits = (decision.scaling.retry_seconds, completion.seconds_to_deadline(job, current_time))
    retry_seconds = min((seconds for seconds in waits if seconds is not None), default=None)
    return JobPlan(notes, interim, untrack, final, closing, retry_seconds)


def _list_uncounted(
    spec: Json, pods_of_job: Sequence[Json], counts: PodCounts, *, over: bool
) -> Sequence[Json]:
    """Return the pods that are ready to be counted; those of an indexed Job in the order of their indexes."""
    failed = {pod["metadata"]["uid"] for pod in counts.fresh_failed}
    uncounted = [
        pod
        for pod in pods_of_job
        if pods.is_tracked(pod) and (over or has_ended(pod) or pod["metadata"]["uid"] in failed)
    ]
    return sorted(uncounted, key=lambda pod: pods.index_of(pod) or 0) if is_indexed(spec) else uncounted


def _without(counts: PodCounts, counted: PodCounts) -> PodCounts:
    """Return the tally with what is counted now in place of all that waits to be counted."""
    return structs.replace(
        counts,
        fresh_succeeded=counted.fresh_succeeded,
        fresh_failed=counted.fresh_failed,
        succeeded=counted.succeeded,
        failed=counted.failed,
        completed=counted.completed,
    )


def _start(job: Json, stamp: str) -> Json:
    status = job.get("status", {})
    # A suspended Job has not started, so its deadline does not run.
    if status.get("startTime") or job["spec"].get("suspend"):
        return status
    return {**status, "startTime": stamp}


def _suspend_or_resume(job: Json, stamp: str) -> tuple[Json, tuple[Note, ...]]:
    """Return the status with the condition Suspended, and the event when that is new."""
    suspended = job["spec"].get("suspend")
    verdict = conditions.SUSPENDED if suspended else conditions.RESUMED
    status, changed = conditions.ensure(job["status"], verdict, stamp)
    if not changed:
        return status, ()
    # A resumed Job starts anew: the time while it was suspended does not count.
    status = {name: value for name, value in status.items() if name != "startTime"}
    if not suspended:
        status["startTime"] = stamp
    return status, (("Suspended" if suspended else "Resumed", verdict.message, "Normal"),)


def _interim(status: Json, counts: PodCounts, end: JobCondition | None, spec: Json, stamp: str) -> Json:
    """Return the status that announces the end and lists pods not counted yet."""
    # Successes of an Indexed Job are counted by their indexes, not by their uids.
    lists = {"succeeded": () if is_indexed(spec) else counts.fresh_succeeded, "failed": counts.fresh_failed}
    uncounted = {
        name: [pod["metadata"]["uid"] for pod in fresh_pods]
        for name, fresh_pods in lists.items()
        if fresh_pods
    }
    status = {**status, "uncountedTerminatedPods": uncounted}
    if is_indexed(spec):
        status = {
            **status,
            "succeeded": counts.completed.total,
            "completedIndexes": str(counts.completed),
        }
    if spec.get("backoffLimitPerIndex") is not None:
        status = {**status, "failedIndexes": str(counts.failed_indexes)}
    # The interim condition is set once; its time is that of the decision.
    if end and not conditions.holds(status, end.type):
        status = {**status, "conditions": [*status.get("conditions", []), end.at(stamp)]}
    return _compact(status)


def _final(
    interim: Json, counts: PodCounts, end: JobCondition | None, spec: Json, stamp: str
) -> tuple[Json, tuple[Note, ...]]:
    """Return the status with everything counted, ended when nothing is left to end."""
    succeeded = counts.completed.total if is_indexed(spec) else counts.succeeded
    status = {**interim, "uncountedTerminatedPods": {}, "succeeded": succeeded, "failed": counts.failed}
    # Terminating pods hold back the end, though not the interim condition that announces it.
    if end is None or status.get("terminating"):
        return _compact(status), ()
    last = end.final()
    status, _ = conditions.ensure(status, last, stamp)
    if last.type == "Complete":
        return _compact({**status, "completionTime": stamp}), (("Completed", "Job completed", "Normal"),)
    return _compact(status), ((last.reason, last.message, "Warning"),)


def _compact(status: Json) -> Json:
    """Leave out counters that are zero, as the encoder does."""
    # `ready` and `terminating` are pointers in Go, and written when zero.
    optional = ("active", "succeeded", "failed", "completedIndexes")
    return {name: value for name, value in status.items() if value or name not in optional}

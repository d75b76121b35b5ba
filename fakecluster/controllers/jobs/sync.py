"""One sync of a Job: which pods to create and delete, and its status before and after (FK-471…474).

The status is written twice when pods ended: first with their uids as uncounted, then, once their finalizers
are gone, with the counters raised. A crash in between would count no pod twice, and watchers see what they
see on a real cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from ...kinds.batch import completion_indexes
from ...numbers.timestamps import at
from . import conditions, ending, pods, scaling
from .conditions import Verdict
from .scaling import Scaling
from .tally import Tally, count, is_indexed

Json = Any
Note = tuple[str, str, Literal["Normal", "Warning"]]


class Plan(Struct, frozen=True):
    """What to do, in this order."""

    delete: tuple[Json, ...]
    """Pods deleted because the Job is over; they are counted afterwards."""
    scaling: Scaling
    notes: tuple[Note, ...]
    interim: Json
    untrack: tuple[Json, ...]
    final: Json
    closing: tuple[Note, ...]
    again: float | None


def plan(job: Json, found: Sequence[Json], now: float) -> Plan:
    """Decide everything about a Job that has not ended and is ours."""
    spec, stamp = job["spec"], at(now)
    job = {**job, "status": _started(job, stamp)}
    tally = count(job, found)
    end = ending.decided(job, found, tally, now)
    deleted = "deletionTimestamp" in job["metadata"]
    todo = Scaling() if end or deleted else scaling.plan(job, found, tally, now)
    delete = tally.active if end else ()
    gone = (*delete, *todo.remove)
    active = len(tally.active) - len(gone) + len(todo.create)
    end = end or ending.completed(spec, tally, active)
    status, notes = (job["status"], ()) if end or deleted else _paused(job, stamp)
    status = {
        **status, "active": active, "ready": tally.ready - sum(map(pods.is_ready, gone)),
        "terminating": tally.terminating + len(gone),
    }  # fmt: skip
    interim = _interim(status, tally, end, spec, stamp)
    untrack = tuple(
        one for one in found if pods.is_tracked(one) and _may_go(one, tally, over=bool(end) or deleted)
    )
    final, closing = _final(interim, tally, end, spec, stamp)
    waits = [one for one in (todo.again, ending.seconds_to_deadline(job, now)) if one is not None]
    return Plan(delete, todo, notes, interim, untrack, final, closing, min(waits, default=None))


def _started(job: Json, stamp: str) -> Json:
    status = job.get("status", {})
    if status.get("startTime") or job["spec"].get("suspend"):
        return status
    return {**status, "startTime": stamp}


def _paused(job: Json, stamp: str) -> tuple[Json, tuple[Note, ...]]:
    """Return the status with the condition Suspended, and the event when that is new."""
    suspended = job["spec"].get("suspend")
    verdict = conditions.SUSPENDED if suspended else conditions.RESUMED
    status, changed = conditions.ensure(job["status"], verdict, stamp)
    if not changed:
        return status, ()
    status = {name: value for name, value in status.items() if name != "startTime"}
    if not suspended:
        status["startTime"] = stamp
    return status, (("Suspended" if suspended else "Resumed", verdict.message, "Normal"),)


def _may_go(pod: Json, tally: Tally, *, over: bool) -> bool:
    return over or pods.phase(pod) == "Succeeded" or pod in tally.fresh_failed or pods.phase(pod) == "Failed"


def _interim(status: Json, tally: Tally, end: Verdict | None, spec: Json, stamp: str) -> Json:
    """Return the status that announces the end and lists pods not counted yet."""
    lists = {"succeeded": () if is_indexed(spec) else tally.fresh_succeeded, "failed": tally.fresh_failed}
    uncounted = {name: [one["metadata"]["uid"] for one in found] for name, found in lists.items() if found}
    status = {**status, "uncountedTerminatedPods": uncounted}
    if is_indexed(spec):
        status = {
            **status,
            "succeeded": len(tally.completed),
            "completedIndexes": completion_indexes.render(tally.completed),
        }
    if spec.get("backoffLimitPerIndex") is not None:
        status = {**status, "failedIndexes": completion_indexes.render(tally.failed_indexes)}
    if end and not conditions.holds(status, end.type):
        status = {**status, "conditions": [*status.get("conditions", []), end.at(stamp)]}
    return _compact(status)


def _final(
    interim: Json, tally: Tally, end: Verdict | None, spec: Json, stamp: str
) -> tuple[Json, tuple[Note, ...]]:
    """Return the status with everything counted, ended when nothing is left to end."""
    succeeded = len(tally.completed) if is_indexed(spec) else tally.succeeded
    status = {**interim, "uncountedTerminatedPods": {}, "succeeded": succeeded, "failed": tally.failed}
    if end is None or status.get("terminating"):
        return _compact(status), ()
    last = end.final()
    status, _ = conditions.ensure(status, last, stamp)
    if last.type == "Complete":
        return _compact({**status, "completionTime": stamp}), (("Completed", "Job completed", "Normal"),)
    return _compact(status), ((last.reason, last.message, "Warning"),)


def _compact(status: Json) -> Json:
    """Leave out counters that are zero, as the encoder does."""
    optional = ("active", "succeeded", "failed", "completedIndexes")
    return {name: value for name, value in status.items() if value or name not in optional}

"""Which run of a CronJob is due, and when the next one is."""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch
from .timetable import Timetable

MANY_MISSED_RUNS = 100
"""Missed runs of which an Event warns."""
SAME_SECOND = "time difference between two schedules is less than 1 second"


class NoRunError(ValueError):
    """A schedule has no moments."""


class MissedRuns(Struct, frozen=True):
    """The last run that should have begun, None when none should have, and how many were missed with it."""

    earliest: float
    """Since when runs are looked for."""
    moment: int | None = None
    number: int = 0


def due(
    cron_job: Json, timetable: Timetable, current_time: float, *, within_deadline: bool = True
) -> MissedRuns:
    """Return the last run that should have begun, unless its deadline is over where that counts.

    Raises NoRunError.
    """
    earliest = _earliest(cron_job, current_time, within_deadline=within_deadline)
    first = timetable.following(earliest)
    second = None if first is None else timetable.following(first)
    if first is None or second is None:
        raise NoRunError(SAME_SECOND)
    if current_time < first:
        return MissedRuns(earliest)
    if current_time < second:
        return MissedRuns(earliest, first)
    # From the first interval alone, as the real controller does: the number is wrong for irregular
    # schedules, but found without walking through years of them.
    number = int(current_time - first) // (second - first) + 1
    return MissedRuns(
        earliest, _last(timetable, first + (number - 2) * (second - first), current_time), number
    )


def seconds_to_next(cron_job: Json, timetable: Timetable, current_time: float) -> float | None:
    """Return in how many seconds the next run is due, None for a schedule that has none."""
    try:
        due_run = due(cron_job, timetable, current_time, within_deadline=False)
    except NoRunError:
        return None
    start = (
        due_run.moment
        if due_run.moment is not None
        else (current_time if due_run.number else due_run.earliest)
    )
    moment = timetable.following(start)
    return None if moment is None else max(0.0, moment - current_time)


def _earliest(cron_job: Json, current_time: float, *, within_deadline: bool) -> float:
    last = cron_job.get("status", {}).get("lastScheduleTime")
    earliest = since_epoch(last or cron_job["metadata"]["creationTimestamp"])
    deadline = cron_job["spec"].get("startingDeadlineSeconds")
    return max(earliest, current_time - deadline) if within_deadline and deadline is not None else earliest


def _last(timetable: Timetable, start: float, current_time: float) -> int | None:
    """Return the last moment after a start that has come."""
    last, moment = None, timetable.following(start)
    while moment is not None and moment <= current_time:
        last, moment = moment, timetable.following(moment)
    return last

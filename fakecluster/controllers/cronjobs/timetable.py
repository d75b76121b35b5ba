"""The moments of a schedule, in seconds since the epoch."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from ...base.json_types import Json
from ...kinds.batch import schedules
from ...kinds.batch.schedules import ConstantDelaySchedule, SpecSchedule

YEARS = 5
"""How far ahead a moment is looked for."""
MINUTE, HOUR = 60, 3600


class Timetable(Struct, frozen=True):
    """A schedule in a time zone."""

    schedule: ConstantDelaySchedule | SpecSchedule
    zone: ZoneInfo

    def following(self, moment: float) -> int | None:
        """Return the first moment of the schedule after another moment,
        None when none comes within five years.
        """
        second = math.floor(moment)
        if isinstance(self.schedule, ConstantDelaySchedule):
            return second + self.schedule.seconds
        return _next(self.schedule, self.zone, second - second % MINUTE + MINUTE)


def of(cron_job: Json) -> Timetable:
    """Return the timetable of a CronJob. Raises schedules.ScheduleError."""
    spec = cron_job["spec"]
    return Timetable(schedules.read(spec["schedule"]), ZoneInfo(spec.get("timeZone") or "UTC"))


def _next(calendar: SpecSchedule, zone: ZoneInfo, minute: int) -> int | None:
    """Return the first minute of a calendar from a minute on."""
    time = datetime.fromtimestamp(minute, zone)
    last_year = time.year + YEARS
    while time.year <= last_year:
        if time.month not in calendar.months.numbers:
            time = _at(time.year + time.month // 12, time.month % 12 + 1, 1, zone)
        elif not _is_day(calendar, time):
            midnight = datetime(time.year, time.month, time.day) + timedelta(days=1)  # noqa: DTZ001
            time = _at(midnight.year, midnight.month, midnight.day, zone)
        elif time.hour not in calendar.hours.numbers:
            time = _later(time, HOUR - time.minute * MINUTE, zone)
        elif time.minute not in calendar.minutes.numbers:
            time = _later(time, MINUTE, zone)
        else:
            return int(time.timestamp())
    return None


def _is_day(calendar: SpecSchedule, time: datetime) -> bool:
    """Tell whether a day is one of the calendar:
    of month and weekday one is enough when both are restricted.
    """
    day = time.day in calendar.days.numbers
    weekday = time.isoweekday() % 7 in calendar.weekdays.numbers
    if calendar.days.has_star or calendar.weekdays.has_star:
        return day and weekday
    return day or weekday


def _at(year: int, month: int, day: int, zone: ZoneInfo) -> datetime:
    """Return the first moment of a day; where the clock skips midnight that is later."""
    return datetime.fromtimestamp(datetime(year, month, day, tzinfo=zone).timestamp(), zone)


def _later(time: datetime, seconds: int, zone: ZoneInfo) -> datetime:
    """Return a time so many seconds later, whatever the clock of the zone does meanwhile."""
    return datetime.fromtimestamp(time.timestamp() + seconds, zone)

"""When a CronJob runs: the text of its schedule and its time zone (FK-464, FK-504)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from ...api import deadlines
from ...base.numbers import integers

ZONES = ("TZ=", "CRON_TZ=")
NO_SCHEDULE = "invalid schedule format: runtime error: slice bounds out of range [:-1]"
WITH_ZONE = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
NO_ZONE = "timeZone must be nil or non-empty string"
LOCAL_ZONE = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
PREDEFINED_SCHEDULES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
EVERY_PREFIX = "@every "
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


class ScheduleError(ValueError):
    """A cron schedule does not parse; the text is the parser's message."""


class CronField(Struct, frozen=True):
    """What one field of a schedule counts: smallest and largest number, and names that stand for numbers."""

    least: int
    most: int
    names: Mapping[str, int] = field(default_factory=dict)


class FieldNumbers(Struct, frozen=True):
    """The numbers of one field, and whether a part of it was a star, which does not restrict days."""

    numbers: frozenset[int]
    has_star: bool


class ConstantDelaySchedule(Struct, frozen=True):
    """A schedule of equal waits."""

    seconds: int


class SpecSchedule(Struct, frozen=True):
    """A schedule by the calendar."""

    minutes: FieldNumbers
    hours: FieldNumbers
    days: FieldNumbers
    months: FieldNumbers
    weekdays: FieldNumbers


UNITS = (
    CronField(0, 59),
    CronField(0, 23),
    CronField(1, 31),
    CronField(1, 12, {name: number for number, name in enumerate(MONTHS, 1)}),
    CronField(0, 6, {name: number for number, name in enumerate(DAYS)}),
)


def problems(text: str) -> Iterator[str]:
    """Yield why a schedule cannot be used."""
    try:
        read(_without_zone(text))
    except ScheduleError as error:
        yield str(error)
    # Also a text that does not parse, and wherever the letters stand.
    if "TZ" in text:
        yield WITH_ZONE


def _without_zone(text: str) -> str:
    """Return a schedule without the time zone in front. Raises ScheduleError for a zone that is unknown."""
    if not text.startswith(ZONES):
        return text
    name, space, rest = text.partition("=")[2].partition(" ")
    if not space:
        # The parser slices the text up to a space that is not there, and reports its own panic.
        raise ScheduleError(NO_SCHEDULE)
    if why := zone_problem(name):
        raise ScheduleError(f"provided bad location {name}: {why}")
    return rest.strip()


def zone_problem(name: str) -> str:
    """Return why a time zone cannot be used; empty when it can."""
    if not name:
        return NO_ZONE
    # The zone of the server itself, which no client can know.
    if name.lower() == "local":
        return LOCAL_ZONE
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # few schedules name a zone

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return f"unknown time zone {name}"
    return ""


def read(text: str) -> ConstantDelaySchedule | SpecSchedule:
    """Parse a cron schedule. Raises ScheduleError."""
    if text.startswith(EVERY_PREFIX):
        return ConstantDelaySchedule(_whole_seconds(text))
    if text.startswith("@") and text not in PREDEFINED_SCHEDULES:
        raise ScheduleError(f"unrecognized descriptor: {text}")
    fields = PREDEFINED_SCHEDULES.get(text, text).split()
    if len(fields) != len(UNITS):
        raise ScheduleError(
            f"expected exactly {len(UNITS)} fields, found {len(fields)}: [{' '.join(fields)}]"
        )
    return SpecSchedule(*(_numbers(field, unit) for field, unit in zip(fields, UNITS, strict=True)))


def _whole_seconds(text: str) -> int:
    try:
        # Rounded down to whole seconds, one at least.
        return max(1, int(deadlines.seconds(text.removeprefix(EVERY_PREFIX))))
    except ValueError as error:
        raise ScheduleError(f"failed to parse duration {text}: time: {error}") from error


def _numbers(field: str, unit: CronField) -> FieldNumbers:
    # An empty part is skipped, as strings.FieldsFunc does.
    ranges = [_range(text, unit) for text in filter(None, field.split(","))]
    numbers = frozenset(number for numbers, _ in ranges for number in numbers)
    return FieldNumbers(numbers, any(is_star for _, is_star in ranges))


def _range(text: str, unit: CronField) -> tuple[range, bool]:
    """Return the numbers of a range, and whether it is a star without steps."""
    bounds, *steps = text.split("/")
    ends = bounds.split("-")
    # A question mark is a star in any field.
    is_star = ends[0] in {"*", "?"}
    if is_star:
        start, end = unit.least, unit.most
    else:
        if len(ends) > 2:
            raise ScheduleError(f"too many hyphens: {text}")
        start = _number(ends[0], unit)
        end = _number(ends[-1], unit)
    if len(steps) > 1:
        raise ScheduleError(f"too many slashes: {text}")
    step = _number(steps[0], CronField(0, 0)) if steps else 1
    # `5/10` begins at 5 and goes to the end, unlike `5-5/10`.
    end = unit.most if steps and len(ends) == 1 else end
    _check_bounds(start, end, step, unit, text)
    # With steps a star restricts the days after all.
    return range(start, end + 1, step), is_star and step == 1


def _check_bounds(start: int, end: int, step: int, unit: CronField, text: str) -> None:
    if start < unit.least:
        raise ScheduleError(f"beginning of range ({start}) below minimum ({unit.least}): {text}")
    if end > unit.most:
        raise ScheduleError(f"end of range ({end}) above maximum ({unit.most}): {text}")
    if start > end:
        raise ScheduleError(f"beginning of range ({start}) beyond end of range ({end}): {text}")
    if step == 0:
        raise ScheduleError(f"step of range should be a positive number: {text}")


def _number(text: str, unit: CronField) -> int:
    if text.lower() in unit.names:
        return unit.names[text.lower()]
    try:
        number = integers.parse_int(text, reader="Atoi")
    except integers.NumberError as error:
        raise ScheduleError(f"failed to parse int from {text}: {error}") from error
    if number < 0:
        raise ScheduleError(f"negative number ({number}) not allowed: {text}")
    return number

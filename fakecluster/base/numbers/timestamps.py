"""Times as Go parses and prints them: RFC 3339 to the second, and to the microsecond (FK-061, FK-493)."""

from __future__ import annotations

import re
from calendar import monthrange, timegm
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from ..caching import cache_short_texts
from .quoting import time_quote


class TimeError(ValueError):
    """A text is not a time; the message is Go's."""


class Layout(Struct, frozen=True):
    """A Go layout: its text, and whether exactly six fractional digits are demanded."""

    text: str
    micro: bool


SECONDS = Layout("2006-01-02T15:04:05Z07:00", micro=False)
MICROS = Layout("2006-01-02T15:04:05.000000Z07:00", micro=True)
LAYOUT_ELEMENTS = (
    (r"\d{4}", "2006"),
    ("-", "-"),
    (r"\d{2}", "01"),
    ("-", "-"),
    (r"\d{2}", "02"),
    ("T", "T"),
    (r"\d{2}", "15"),
    (":", ":"),
    (r"\d{2}", "04"),
    (":", ":"),
    (r"\d{2}", "05"),
)
CYCLE_YEARS, CYCLE_SECONDS, FIRST_YEAR = 400, 146_097 * 86_400, 2000
"""The calendar repeats itself: every year is one of 2000…2399, so many cycles away.

Go's years have neither beginning nor end.
"""
FIRST_SECOND = 946_684_800
"""Seconds from the epoch to the first of these years."""
GO_ZERO_SECONDS = -62_135_596_800
"""Seconds from the epoch to Go's zero time."""
LARGEST_OFFSET, LARGEST_MINUTES = 24, 60
UNUSUAL_YEAR = re.compile(r"(-\d{4}|\d{5})(-.{1,40})", re.ASCII)
ZONE = re.compile(r"Z|[+-]\d{2}:\d{2}")


class Moment(Struct, frozen=True):
    """A moment in UTC: a date within 2000…2399, and the cycles of the calendar between its year and the one
    that is meant.
    """

    date: datetime
    cycles: int

    @property
    def year(self) -> int:
        """The year that is meant."""
        return self.date.year + CYCLE_YEARS * self.cycles

    @property
    def seconds(self) -> int:
        """Whole seconds since the epoch."""
        return timegm(self.date.timetuple()) + CYCLE_SECONDS * self.cycles


def parse(text: str, layout: Layout) -> Moment:
    """Return the moment in UTC. Raises TimeError."""
    numbers, rest = [], text
    for pattern, element in LAYOUT_ELEMENTS:
        match = re.match(pattern, rest, re.ASCII)
        if not match:
            raise _cannot(text, layout, rest, element)
        # The digits are values, the other elements stand between them.
        if pattern.startswith("\\"):
            numbers.append(int(match[0]))
        rest = rest[match.end() :]
    micros, rest = _fraction(text, rest, layout)
    zone = ZONE.match(rest)
    if not zone:
        raise _cannot(text, layout, rest, "Z07:00")
    if rest[zone.end() :]:
        raise TimeError(f"parsing time {time_quote(text)}: extra text: {time_quote(rest[zone.end() :])}")
    moment = _moment(text, numbers, micros)
    return Moment(moment.date - _offset(text, zone[0]), moment.cycles)


def _fraction(text: str, rest: str, layout: Layout) -> tuple[int, str]:
    """Read the fraction of a second: six digits exactly, or any number of them and optional."""
    # A comma is a decimal point to Go as well, since 1.17.
    match = re.match(r"[.,](\d{6})" if layout.micro else r"[.,](\d+)", rest, re.ASCII)
    if match:
        return int(match[1][:6].ljust(6, "0")), rest[match.end() :]
    if layout.micro:
        raise _cannot(text, layout, rest, ".000000")
    return 0, rest


def _moment(text: str, numbers: list[int], micros: int) -> Moment:
    year, month, day, hour, minute, second = numbers
    cycles, year_of_cycle = divmod(year - FIRST_YEAR, CYCLE_YEARS)
    cycle_year = FIRST_YEAR + year_of_cycle
    # In the order in which Go's parser meets them; the day comes last, as it depends on month and year.
    ranges = (
        ("month", 1 <= month <= 12),
        ("hour", hour < 24),
        ("minute", minute < 60),
        ("second", second < 60),
        # A month that is out of range is told as such, so any day will do for it here.
        ("day", 1 <= day <= (monthrange(cycle_year, month)[1] if 1 <= month <= 12 else 31)),
    )
    for name, fits in ranges:
        if not fits:
            raise TimeError(f"parsing time {time_quote(text)}: {name} out of range")
    return Moment(datetime(cycle_year, month, day, hour, minute, second, micros, tzinfo=UTC), cycles)


def _offset(text: str, zone: str) -> timedelta:
    if zone == "Z":
        return timedelta()
    # Go takes offsets up to 24:60, more than any zone has.
    if int(zone[1:3]) > LARGEST_OFFSET:
        raise TimeError(f"parsing time {time_quote(text)}: time zone offset hour out of range")
    if int(zone[4:6]) > LARGEST_MINUTES:
        raise TimeError(f"parsing time {time_quote(text)}: time zone offset minute out of range")
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:6]))
    return -offset if zone[0] == "-" else offset


def _cannot(text: str, layout: Layout, rest: str, element: str) -> TimeError:
    return TimeError(
        f"parsing time {time_quote(text)} as {time_quote(layout.text)}:"
        f" cannot parse {time_quote(rest)} as {time_quote(element)}"
    )


@cache_short_texts(4096)
def to_seconds(text: str) -> str | None:
    """Return a time as `metav1.Time` prints it, None for the zero time."""
    return print_moment(parse(text, SECONDS), "%H:%M:%SZ")


@cache_short_texts(4096)
def to_micros(text: str) -> str | None:
    """Return a time as `metav1.MicroTime` prints it, None for the zero time."""
    return print_moment(parse(text, MICROS), "%H:%M:%S.%fZ")


def moment_at(seconds: int) -> Moment:
    """Return the moment so many seconds after the epoch, or before it."""
    cycles, rest = divmod(seconds - FIRST_SECOND, CYCLE_SECONDS)
    return Moment(datetime.fromtimestamp(FIRST_SECOND + rest, UTC), cycles)


def print_moment(moment: Moment, clock: str) -> str | None:
    """Return a moment as Go prints it, with the format of its time of day; None for the zero time."""
    if moment.seconds == GO_ZERO_SECONDS and not moment.date.microsecond:
        # The zero time is null in JSON.
        return None
    # A negative year has its sign before four digits.
    year = f"{'-' if moment.year < 0 else ''}{abs(moment.year):04}"
    return f"{year}-{moment.date:%m-%d}T{moment.date:{clock}}"


def at(moment: float) -> str:
    """Return seconds since the epoch as `metav1.Time` prints them."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@cache_short_texts(4096)
def since_epoch(text: str) -> float:
    """Return the seconds since the epoch of a stored time."""
    whole_seconds, micros = whole_and_micros(text)
    return whole_seconds + micros / 1e6


def whole_and_micros(text: str) -> tuple[int, int]:
    """Return the whole seconds since the epoch of a time, and its microseconds.

    Raises TimeError for what is none.
    """
    match = UNUSUAL_YEAR.fullmatch(text)
    if match is None:
        moment = parse(text, SECONDS)
    else:  # what has come from another zone, or into one, may have a year that is not written in four digits
        cycles, year_of_cycle = divmod(int(match[1]) - FIRST_YEAR, CYCLE_YEARS)
        moment = Moment(parse(f"{FIRST_YEAR + year_of_cycle}{match[2]}", SECONDS).date, cycles)
    return moment.seconds, moment.date.microsecond

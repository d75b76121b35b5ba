"""Times as Go parses and prints them: RFC 3339 to the second, and to the microsecond (FK-061, FK-493)."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from ...remembering import remembered
from ...schema.fields import go_quote


class TimeError(ValueError):
    """A text is not a time; the message is Go's."""


class Layout(Struct, frozen=True):
    """A Go layout: its text, and whether exactly six fractional digits are demanded."""

    text: str
    micro: bool


SECONDS = Layout("2006-01-02T15:04:05Z07:00", micro=False)
MICROS = Layout("2006-01-02T15:04:05.000000Z07:00", micro=True)
PARTS = (
    (r"\d{4}", "2006"), ("-", "-"), (r"\d{2}", "01"), ("-", "-"), (r"\d{2}", "02"), ("T", "T"), (r"\d{2}", "15"),
    (":", ":"), (r"\d{2}", "04"), (":", ":"), (r"\d{2}", "05"),
)  # fmt: skip
ZERO = datetime(1, 1, 1, tzinfo=UTC)
LARGEST_OFFSET = 24
ZONE = re.compile(r"Z|[+-]\d{2}:\d{2}")


def parse(text: str, layout: Layout) -> datetime:
    """Return the moment in UTC."""
    numbers, rest = [], text
    for pattern, element in PARTS:
        match = re.match(pattern, rest, re.ASCII)
        if not match:
            raise _cannot(text, layout, rest, element)
        if pattern.startswith("\\"):
            numbers.append(int(match[0]))
        rest = rest[match.end() :]
    micros, rest = _fraction(text, rest, layout)
    zone = ZONE.match(rest)
    if not zone:
        raise _cannot(text, layout, rest, "Z07:00")
    if rest[zone.end() :]:
        raise TimeError(f"parsing time {go_quote(text)}: extra text: {go_quote(rest[zone.end() :])}")
    moment, offset = _moment(text, numbers, micros), _offset(text, zone[0])
    return moment - offset if moment.year > 1 else moment  # there is nothing before year 1


def _fraction(text: str, rest: str, layout: Layout) -> tuple[int, str]:
    """Read the fraction of a second: six digits exactly, or any number of them and optional."""
    match = re.match(r"[.,](\d{6})" if layout.micro else r"[.,](\d+)", rest, re.ASCII)
    if match:
        return int(match[1][:6].ljust(6, "0")), rest[match.end() :]
    if layout.micro:
        raise _cannot(text, layout, rest, ".000000")
    return 0, rest


def _moment(text: str, numbers: list[int], micros: int) -> datetime:
    year, month, day, hour, minute, second = numbers
    ranges = (
        ("month", 1 <= month <= 12),
        ("hour", hour < 24),
        ("minute", minute < 60),
        ("second", second < 60),
        ("day", 1 <= day <= (monthrange(max(year, 1), month)[1] if 1 <= month <= 12 else 31)),
    )
    for name, fits in ranges:
        if not fits:
            raise TimeError(f"parsing time {go_quote(text)}: {name} out of range")
    return datetime(max(year, 1), month, day, hour, minute, second, micros, tzinfo=UTC)


def _offset(text: str, zone: str) -> timedelta:
    if zone == "Z":
        return timedelta()
    if int(zone[1:3]) > LARGEST_OFFSET:
        raise TimeError(f"parsing time {go_quote(text)}: time zone offset hour out of range")
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:6]))
    return -offset if zone[0] == "-" else offset


def _cannot(text: str, layout: Layout, rest: str, element: str) -> TimeError:
    return TimeError(
        f"parsing time {go_quote(text)} as {go_quote(layout.text)}:"
        f" cannot parse {go_quote(rest)} as {go_quote(element)}"
    )


@remembered(4096)
def to_seconds(text: str) -> str | None:
    """Return a time as `metav1.Time` prints it, None for the zero time."""
    return _printed(parse(text, SECONDS), "%H:%M:%SZ")


@remembered(4096)
def to_micros(text: str) -> str | None:
    """Return a time as `metav1.MicroTime` prints it, None for the zero time."""
    return _printed(parse(text, MICROS), "%H:%M:%S.%fZ")


def _printed(moment: datetime, clock: str) -> str | None:
    return None if moment == ZERO else f"{moment.year:04}-{moment:%m-%d}T{moment:{clock}}"


def at(moment: float) -> str:
    """Return seconds since the epoch as `metav1.Time` prints them."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def since_epoch(text: str) -> float:
    """Return the seconds since the epoch of a stored time."""
    return datetime.fromisoformat(text).timestamp()

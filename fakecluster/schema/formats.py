"""The string formats that Kubernetes checks; others mean nothing (FK-263)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from datetime import date, datetime
from urllib.parse import urlsplit

Check = Callable[[str], bool]

_UUID = r"^[0-9a-f]{8}-?[0-9a-f]{4}-?%s[0-9a-f]{3}-?%s[0-9a-f]{3}-?[0-9a-f]{12}\Z"
_DATE_TIME = re.compile(r"^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:[Zz]|[+-]\d\d:\d\d)\Z", re.ASCII)
_DURATION = re.compile(
    r"^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*\Z"
)
_LONG_DURATION = re.compile(
    r"^\s*(?:\d+\s*(?:nanoseconds?|nanos?|ns|microseconds?|micros?|us|µs|milliseconds?|millis?|ms|seconds?|secs?|s|minutes?|mins?|m"
    r"|hours?|hrs?|h|days?|d|weeks?|wks?|w)\s*)+\Z",
    re.IGNORECASE,
)
_HOSTNAME = re.compile(r"^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_EMAIL = re.compile(
    r"^(?:\"[^\"]*\"|[^\s@<>()\[\],;:\"\\.]+(?:\.[^\s@<>()\[\],;:\"\\.]+)*)@(?:[^\s@<>()\[\],;:\"\\]+|\[[^\]]+\])\Z"
)


def _matches(expression: str, flags: int = 0) -> Check:
    pattern = re.compile(expression, flags | re.ASCII)
    return lambda text: pattern.search(text) is not None


def _parses(parse: Callable[[str], object]) -> Check:
    def check(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return check


def is_date_time(text: str) -> bool:
    """RFC 3339 with a zone; the day must exist."""
    if not _DATE_TIME.match(text):
        return False
    return _parses(datetime.fromisoformat)(text[:19].replace("t", "T"))


def is_date(text: str) -> bool:
    """An existing day written YYYY-MM-DD."""
    return bool(re.match(r"^\d{4}-\d\d-\d\d\Z", text, re.ASCII)) and _parses(date.fromisoformat)(text)


def is_duration(text: str) -> bool:
    """Go's notation (1h30m) or words (1 day)."""
    return bool(text == "0" or _DURATION.match(text) or _LONG_DURATION.match(text))


def is_uri(text: str) -> bool:
    """An absolute URL or an absolute path, as an HTTP request line takes it."""
    if not text or any(c <= " " or c == "\x7f" for c in text):
        return False
    if text.startswith("/"):
        return True
    return bool(re.match(r"^[A-Za-z][A-Za-z0-9+.-]*:.", text)) and _parses(urlsplit)(text)


def _isbn10(text: str) -> bool:
    digits = re.sub(r"[\s-]", "", text)
    if not re.match(r"^(?:[0-9]{9}X|[0-9]{10})\Z", digits):
        return False
    return sum((i + 1) * (10 if c == "X" else int(c)) for i, c in enumerate(digits)) % 11 == 0


def _isbn13(text: str) -> bool:
    digits = re.sub(r"[\s-]", "", text)
    if not re.match(r"^[0-9]{13}\Z", digits):
        return False
    return sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(digits)) % 10 == 0


def _credit_card(text: str) -> bool:
    digits = re.sub(r"[^0-9]", "", text)
    brand = re.match(
        r"^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"
        r"|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11}"
        r"|6[27][0-9]{14})\Z",
        digits,
    )
    doubled = [int(c) * 2 - 9 * (int(c) > 4) if i % 2 else int(c) for i, c in enumerate(reversed(digits))]
    return bool(brand) and sum(doubled) % 10 == 0


CHECKS: dict[str, Check] = {
    "date-time": is_date_time,
    "datetime": is_date_time,
    "date": is_date,
    "duration": is_duration,
    "email": lambda text: _EMAIL.match(text) is not None,
    "uri": is_uri,
    "hostname": lambda text: _HOSTNAME.match(text) is not None,
    "ipv4": _parses(ipaddress.IPv4Address),
    "ipv6": lambda text: ":" in text and _parses(ipaddress.IPv6Address)(text),
    "cidr": lambda text: "/" in text and _parses(lambda t: ipaddress.ip_network(t, strict=False))(text),
    "mac": _matches(
        r"^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})\Z",
        re.IGNORECASE,
    ),
    "uuid": _matches(r"^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\Z", re.IGNORECASE),
    "uuid3": _matches(_UUID % ("3", "[0-9a-f]"), re.IGNORECASE),
    "uuid4": _matches(_UUID % ("4", "[89ab]"), re.IGNORECASE),
    "uuid5": _matches(_UUID % ("5", "[89ab]"), re.IGNORECASE),
    "isbn": lambda text: _isbn10(text) or _isbn13(text),
    "isbn10": _isbn10,
    "isbn13": _isbn13,
    "creditcard": _credit_card,
    "ssn": _matches(r"^\d{3}[- ]?\d{2}[- ]?\d{4}\Z"),
    "hexcolor": _matches(r"^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z"),
    "rgbcolor": _matches(
        r"^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*(,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*){2}\)\Z"
    ),
    "byte": _matches(r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})\Z"),
    "password": lambda _: True,
    "bsonobjectid": _matches(r"^[0-9a-fA-F]{24}\Z"),
}

KNOWN_FORMATS = frozenset(CHECKS) | {
    "int32",
    "int64",
    "float",
    "double",
    "float32",
    "float64",
    "uint32",
    "uint64",
    "k8s-short-name",
    "k8s-long-name",
}
"""Formats that the server does not warn about."""

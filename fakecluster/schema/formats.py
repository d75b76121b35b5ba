"""The string formats that Kubernetes checks; others mean nothing (FK-263)."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlsplit

_CARD = re.compile(
    r"(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|6[27]\d{14})",
    re.ASCII,
)
Check = Callable[[str], bool]
_UUID = r"^[0-9a-f]{8}-?[0-9a-f]{4}-?%s-?%s-?[0-9a-f]{12}\Z"
_HEX4 = "[0-9a-f]{4}"
_CLOCK = re.compile(r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})\Z")
_GO_DURATION = re.compile(r"^[+-]?(?:0|(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:ns|us|µs|μs|ms|s|m|h))+)\Z", re.ASCII)
_SPOKEN_DURATION = re.compile(r"(?<!\d)\d++\s*+([A-Za-zµ]+)")
_UNITS = ("ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk")
_UNIT_WORDS = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")
_ADDRESS = r"[^\s@<>()\[\],;:\"\\.]+(?:\.[^\s@<>()\[\],;:\"\\.]+)*@(?:[^\s@<>()\[\],;:\"\\]+|\[[^\]]+\])"
_EMAIL = re.compile(rf"^(?:{_ADDRESS}|[^<>@,;:\\]*<{_ADDRESS}>)\Z")
_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
NUMBER_FORMATS = {"integer": ("int32", "int64"), "number": ("float", "double")}


def is_isbn10(text: str) -> bool:
    """Ten digits, the last of which may be X."""
    digits = re.sub(r"[\s-]", "", text)
    if not re.fullmatch(r"[0-9]{9}[0-9X]", digits):
        return False
    return sum((i + 1) * (10 if char == "X" else int(char)) for i, char in enumerate(digits)) % 11 == 0


def is_isbn13(text: str) -> bool:
    """Thirteen digits."""
    digits = re.sub(r"[\s-]", "", text)
    if not re.fullmatch(r"[0-9]{13}", digits):
        return False
    return sum(int(char) * (3 if i % 2 else 1) for i, char in enumerate(digits)) % 10 == 0


def is_credit_card(text: str) -> bool:
    """A number of a known brand whose check digit is right; other characters do not count."""
    digits = re.sub(r"[^0-9]", "", text)
    doubled = [
        int(c) if i % 2 == 0 else (2 * int(c) - 9 * (int(c) > 4)) for i, c in enumerate(reversed(digits))
    ]
    return _CARD.fullmatch(digits) is not None and sum(doubled) % 10 == 0


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


def is_date(text: str) -> bool:
    """An existing day written YYYY-MM-DD."""
    return bool(re.match(r"^\d{4}-\d\d-\d\d\Z", text, re.ASCII)) and _parses(date.fromisoformat)(text)


def is_date_time(text: str) -> bool:
    """A day, `T`, and a time of day with a zone."""
    day, _, clock = text.lower().partition("t")
    match = _CLOCK.match(clock.partition("t")[0])
    return is_date(day) and match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def is_duration(text: str) -> bool:
    """Go's notation (1h30m), or a number and a word somewhere in the text (1 day)."""
    if _GO_DURATION.match(text):
        return True
    units = [unit.lower() for unit in _SPOKEN_DURATION.findall(text)]
    return any(unit in _UNITS or unit.startswith(_UNIT_WORDS) for unit in units)


def is_uri(text: str) -> bool:
    """An absolute URL or an absolute path, as an HTTP request line takes it."""
    if (
        not text
        or any(char < " " or char == "\x7f" for char in text)
        or re.search("%(?![0-9A-Fa-f]{2})", text)
    ):
        return False
    if text.startswith("/"):
        return True
    if not re.match(r"^[A-Za-z][A-Za-z0-9+.-]*:.", text) or not _parses(urlsplit)(text):
        return False
    return " " not in urlsplit(text).netloc


def is_hostname(text: str) -> bool:
    """Labels of letters, digits, symbols and inner dashes; the last of several is at least two letters."""
    labels = text.split(".")
    if len(text.encode()) > 255 or any(not 0 < len(label.encode()) < 64 for label in labels):
        return False
    inside = [_hostname_label(label) for label in (labels[:-1] if len(labels) > 1 else labels)]
    return all(inside) and (len(labels) == 1 or (len(labels[-1]) > 1 and labels[-1].isalpha()))


def _hostname_label(label: str) -> bool:
    body = label.replace("-", "")
    is_known = all(
        (char.isascii() and char.isalnum()) or unicodedata.category(char)[0] in "LS" for char in body
    )
    return is_known and not label.startswith("-") and not label.endswith("-")


def _is_cidr(text: str) -> bool:
    address, slash, bits = text.partition("/")
    return bool(slash) and bits.isdecimal() and "%" not in address and _parses(ipaddress.ip_interface)(text)


def _is_ipv6(text: str) -> bool:
    return ":" in text and "%" not in text and _parses(ipaddress.IPv6Address)(text)


def _is_mac(text: str) -> bool:
    pairs = re.match(r"^[0-9a-f]{2}(?:([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2})*)\Z", text, re.IGNORECASE)
    quads = re.match(r"^[0-9a-f]{4}(?:\.[0-9a-f]{4})+\Z", text, re.IGNORECASE)
    return bool(pairs or quads) and len(re.sub("[:.-]", "", text)) // 2 in {6, 8, 20}


CHECKS: Mapping[str, Check] = {
    "datetime": is_date_time,
    "date": is_date,
    "duration": is_duration,
    "email": lambda text: _EMAIL.match(text) is not None,
    "uri": is_uri,
    "hostname": is_hostname,
    "ipv4": _parses(ipaddress.IPv4Address),
    "ipv6": _is_ipv6,
    "cidr": _is_cidr,
    "mac": _is_mac,
    "uuid": _matches(_UUID % (_HEX4, _HEX4), re.IGNORECASE),
    "uuid3": _matches(_UUID % ("3[0-9a-f]{3}", _HEX4), re.IGNORECASE),
    "uuid4": _matches(_UUID % ("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"), re.IGNORECASE),
    "uuid5": _matches(_UUID % ("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"), re.IGNORECASE),
    "isbn": lambda text: is_isbn10(text) or is_isbn13(text),
    "isbn10": is_isbn10,
    "isbn13": is_isbn13,
    "creditcard": is_credit_card,
    "ssn": _matches(r"^\d{3}[- ]?\d{2}[- ]?\d{4}\Z"),
    "hexcolor": _matches(r"^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z"),
    "rgbcolor": _matches(
        r"^rgb\(\s*({0})\s*,\s*({0})\s*,\s*({0})\s*\)\Z".format(r"0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5]")
    ),
    "byte": _matches(r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})\Z"),
    "password": lambda _: True,
    "bsonobjectid": _matches(r"^[0-9a-fA-F]{24}\Z"),
    "k8sshortname": lambda text: len(text) < 64 and re.fullmatch(_LABEL, text) is not None,
    "k8slongname": lambda text: len(text) < 254 and re.fullmatch(rf"{_LABEL}(\.{_LABEL})*", text) is not None,
}
"""By name without dashes, as names are compared."""


def format_of(raw: Mapping[str, Any]) -> str:
    """Return the format of a schema node when its type has such a one; empty when it means nothing."""
    name = str(raw.get("format") or "")
    kind = "" if raw.get("x-kubernetes-int-or-string") else str(raw.get("type") or "")
    if kind in NUMBER_FORMATS:
        return name if name in NUMBER_FORMATS[kind] else ""
    return name if kind in {"", "string"} and name.replace("-", "") in CHECKS else ""


def check_of(name: str) -> Check:
    """Return the check of a string format that `format_of` has found."""
    return CHECKS[name.replace("-", "")]

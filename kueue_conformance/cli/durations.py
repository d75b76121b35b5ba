"""Times on the command line, such as 90s, 10m or 1h."""

from __future__ import annotations

import re

from ..base.errors import UsageError

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([smh]?)")


def seconds_of(text: str) -> float:
    """Return the seconds of the option --for. Raises UsageError."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise UsageError(f"--for is {text!r}, expected a time", hint="write 90s, 10m or 1h")
    return float(match[1]) * _UNITS[match[2]]

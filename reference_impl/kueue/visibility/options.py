"""Which part of a list is wanted: `offset` and `limit` (VIS-120…129, VC-01…03)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...api.quoting import go_quote
from .status import bad_request
from .url import Url

DEFAULT_LIMIT: Final = 1000
LARGEST_LIMIT: Final = 100_000
_INTEGER: Final = re.compile(r"([-+]?)([0-9]++)", re.ASCII)
_DIGITS: Final = 19
"""Digits of the greatest number of 64 bits."""


@dataclass(frozen=True, slots=True)
class PendingWorkloadOptions:
    """The page that a request asks for, both numbers at least 0."""

    offset: int = 0
    limit: int = DEFAULT_LIMIT

    @classmethod
    def of(cls, url: Url) -> PendingWorkloadOptions:
        """Read the query.

        Raises StatusError 400 for a value that is no number of 64 bits; `offset` is looked at first.
        """
        offset, limit = _number(url, "offset"), _number(url, "limit")
        return cls(max(0, offset), max(0, min(limit, LARGEST_LIMIT)) if limit else DEFAULT_LIMIT)


def _number(url: Url, key: str) -> int:
    text = url.first(key)
    if text is None:
        return 0
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise bad_request(f"strconv.ParseInt: parsing {go_quote(text)}: invalid syntax")
    # int() refuses thousands of digits, zeros among them.
    digits = match[2].lstrip("0") or "0"
    value = int(match[1] + digits) if len(digits) <= _DIGITS else 2**63
    if not -(2**63) <= value < 2**63:
        raise bad_request(f"strconv.ParseInt: parsing {go_quote(text)}: value out of range")
    return value

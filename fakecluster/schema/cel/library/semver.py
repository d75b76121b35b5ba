"""Semantic versions in rules (FK-275)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ....base.numbers.integers import short

KEY = "__semver"
_FORMAT = re.compile(
    r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\w-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\w-]*))*))?"
    r"(?:\+([\w-]+(?:\.[\w-]+)*))?$",
    re.ASCII,
)
Value = Mapping[str, Any]


def _normal(text: str) -> str:
    """Accept `v1.2` and leading zeros, as a lenient rule asks for."""
    match = re.match(r"^v?([\d.]*)([-+]?)(.*)$", text, re.DOTALL)
    core, mark, rest = match.groups()  # type: ignore[union-attr]
    numbers = [digits.lstrip("0") or "0" for digits in core.split(".")]
    return ".".join([*numbers, "0", "0"][: max(3, len(numbers))]) + mark + rest


def is_semver(text: str, normalize: bool = False) -> bool:
    """Whether a text is a semantic version."""
    match = _FORMAT.match(_normal(text) if normalize else text)
    return match is not None and all(short(number) is not None for number in _numbers(match))


def _numbers(match: re.Match[str]) -> list[str]:
    """Return the parts of a version that are numbers."""
    return [
        *match.group(1, 2, 3),
        *(identifier for identifier in (match[4] or "").split(".") if identifier.isdecimal()),
    ]


def semver(text: str, normalize: bool = False) -> dict[str, str]:
    """Parse a semantic version. Raises ValueError."""
    if not is_semver(text, normalize):
        raise ValueError("No Major.Minor.Patch elements found")
    return {KEY: _normal(text) if normalize else text}


def part(value: Value, index: int) -> int:
    """Return major (0), minor (1) or patch (2)."""
    return _order(value)[0][index]


def compare(value: Value, other: Value) -> int:
    """Return -1, 0 or 1."""
    left, right = _order(value), _order(other)
    return (left > right) - (left < right)


def _order(value: Value) -> tuple[tuple[int, int, int], int, tuple[tuple[int, int, str], ...]]:
    match = _FORMAT.match(value[KEY])
    if match is None:
        raise ValueError("No Major.Minor.Patch elements found")
    before = tuple(
        (0, int(identifier), "") if identifier.isdigit() else (1, 0, identifier)
        for identifier in (match[4] or "").split(".")
        if identifier
    )
    return (int(match[1]), int(match[2]), int(match[3])), 0 if before else 1, before

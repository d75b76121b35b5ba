"""Numbers without a fraction are whole numbers, however they are written: `1.0` and `1e3` are stored as 1 and 1000 (FK-029)."""

from __future__ import annotations

import re
from math import isinf
from typing import Any

Json = Any
PLACE = rb"(?:\"\s*:|[\[,]|[:-]\s)\s*"
"""What stands before a number in JSON or YAML, and seldom before the digits of a uid or of a time."""
SUSPECT = re.compile(PLACE + rb"[-+]?[0-9]+(\.[0-9]|[eE][-+]?[0-9])")
"""What looks like a fraction or an exponent where JSON or YAML may have a number."""
HUGE = re.compile(PLACE + rb"([-+]?[0-9]+(?:\.[0-9]+)?[eE]\+?[0-9]{3,})")
"""What may be more than a float can hold."""
LARGEST = 2.0**63
"""From here on a number is no integer to anybody who reads JSON in 64 bits."""


NOWHERE: frozenset[tuple[str, ...]] = frozenset()


def settled(tree: Json, body: bytes, but: frozenset[tuple[str, ...]] = NOWHERE) -> Json:
    """Return the tree of a body with whole numbers as such, `but` at these paths; few bodies hold anything that looks like a fraction."""
    return _whole(tree, but) if SUSPECT.search(body) else tree


def beyond(tree: Json, body: bytes) -> str:
    """Return the first number of a body that no float holds, as it is written; empty when there is none."""
    found = [text for text in HUGE.findall(body) if isinf(float(text))]
    return found[0].decode() if found and _holds_infinity(tree) else ""


def _holds_infinity(value: Json) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_infinity, value.values()))
    if isinstance(value, list):
        return any(map(_holds_infinity, value))
    return isinstance(value, float) and isinf(value)


def _whole(value: Json, but: frozenset[tuple[str, ...]] = NOWHERE) -> Json:
    if isinstance(value, dict):
        return {key: _whole(one, _below(but, key)) for key, one in value.items()}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST and () not in but:
        return int(value)
    return value


def _below(paths: frozenset[tuple[str, ...]], key: str) -> frozenset[tuple[str, ...]]:
    return frozenset(path[1:] for path in paths if path and path[0] == key)

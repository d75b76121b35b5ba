"""Numbers without a fraction are whole numbers, however they are written: `1.0` and `1e3` are stored as 1 and 1000 (FK-029)."""

from __future__ import annotations

import re
from typing import Any

Json = Any
SUSPECT = re.compile(rb"[0-9](\.[0-9]|[eE][-+]?[0-9])")
LARGEST = 1e21
"""From here on Go writes an exponent."""


def settled(tree: Json, body: bytes) -> Json:
    """Return the tree of a body with whole numbers as such; few bodies hold anything that looks like a fraction."""
    return _whole(tree) if SUSPECT.search(body) else tree


def _whole(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _whole(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
        return int(value)
    return value

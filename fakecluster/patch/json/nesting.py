"""How deep an object may nest, whatever made it: a body, a patch, a webhook (FK-041).

The real server stops at 10 000 levels. Everything here that walks a tree calls itself for each level, so the
limit is what Python's own stack bears in the longest of those walks; the deepest bodies of real clients,
definitions, stay below 60.
"""

from __future__ import annotations

from ...base.json_types import Json

MAX_DEPTH = 150
OWNERS_DEPTH = 5
"""Levels by which the owners of fields lie deeper than the fields."""


def too_deep(tree: Json) -> bool:
    """Tell whether an object with its owners has too many levels, without a call for each of them."""
    level = [tree]
    # Level by level: a call for each level would itself run into Python's limit.
    for _ in range(MAX_DEPTH + OWNERS_DEPTH + 1):
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True

"""Paths of members (`.spec.a`, `.spec['a.b']`) and the schema node they lead to (FK-280, fieldPath of rules)."""

from __future__ import annotations

import re
from typing import Any

Json = Any
_STEP = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\['([^']+)'\]")


def steps(path: str) -> list[str] | None:
    """Return the names on a path, None when it is not a path of members."""
    found, position = [], 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            return None
        found.append(match[1] or match[2])
        position = match.end()
    return found or None


def resolved(schema: Json, path: str) -> Json | None:
    """Return the schema node at a path, None when there is none."""
    names = steps(path)
    node: Json | None = schema if names else None
    for name in names or ():
        if node is None:
            return None
        extra = node.get("additionalProperties")
        node = (node.get("properties") or {}).get(name) or (extra if isinstance(extra, dict) else None)
    return node

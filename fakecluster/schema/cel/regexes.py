"""`find` and `findAll` in rules (FK-275)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..patterns import compile_pattern
from ..searching import searching


def find(text: str, pattern: str) -> str:
    """Return the first match, or nothing."""
    match = compile_pattern(pattern).search(text) if searching(pattern)(text) else None
    return match[0] if match else ""


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """Return all matches, or the first `limit`."""
    found = (
        [match[0] for match in compile_pattern(pattern).finditer(text)] if searching(pattern)(text) else []
    )
    return found if limit < 0 else found[:limit]


FUNCTIONS: Mapping[str, tuple[tuple[str, Callable[..., Any]], ...]] = {
    "find": (("string.(string) -> string", find),),
    "findAll": (("string.(string) -> strings", find_all), ("string.(string, int) -> strings", find_all)),
}

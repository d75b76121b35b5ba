"""`find` and `findAll` in rules (FK-275)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from ...patterns import searchable
from ..limits import budget


def find(text: str, pattern: str) -> str:
    """Return the first match, or nothing."""
    # Bounded by the length of the text and the size of the pattern.
    match = searchable(pattern, text).search(text)
    return match[0] if match else ""


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """Return all matches, or the first `limit`."""
    iterator = searchable(pattern, text).finditer(text)
    matches = [match[0] for match in islice(iterator, None if limit < 0 else limit)]
    # A new list costs an item each, as the real estimate has it.
    budget.spend_items(len(matches))
    return matches


FUNCTIONS: Mapping[str, tuple[tuple[str, Callable[..., Any]], ...]] = {
    "find": (("string.(string) -> string", find),),
    "findAll": (("string.(string) -> strings", find_all), ("string.(string, int) -> strings", find_all)),
}

"""How many maps and lists a body may hold: each costs a visit of every rule, so a small body could cost minutes.

The real server has no such limit; it gives up after its time for a request (504 after 34 s for 20 000 empty containers of a pod).
"""

from __future__ import annotations

from typing import Any

from .. import status
from ..kinds import Kind

Json = Any
BUILT_IN, OF_SCHEMAS = 25_000, 100_000
"""Maps and lists of an object of a built-in kind; of a custom resource, and of a definition, whose schema has one for each property."""
SHORTEST = 2
"""Bytes of the shortest map in any format."""


def check(kind: Kind, tree: Json, body: bytes) -> None:
    """Raise 413 for a body with more maps and lists than are worked on.

    Metadata is not counted: managedFields has several maps for each field of the object.
    """
    limit = OF_SCHEMAS if kind.custom or kind.plural == "customresourcedefinitions" else BUILT_IN
    if len(body) > limit * SHORTEST and _exceeds(
        [value for name, value in tree.items() if name != "metadata"], limit
    ):
        raise status.too_large(f"limit is {limit} maps and lists")


def _exceeds(values: list[Json], limit: int) -> bool:
    waiting: list[Json] = [values]
    seen = 0
    while waiting:
        one = waiting.pop()
        children = one.values() if isinstance(one, dict) else one
        found = [child for child in children if isinstance(child, dict | list)]
        seen += len(found)
        if seen > limit:
            return True
        waiting.extend(found)
    return False

"""How many values a body may hold, and how many of them maps and lists:
each of those costs a visit of every rule.

The real server has no such limit; it gives up after its time for a request (504 after 34 s for 20 000 empty
containers of a pod).
"""

from __future__ import annotations

from ..api import status
from ..api.kind import Kind
from ..base.json_types import Json

MAX_CONTAINERS_OF_BUILTIN, MAX_CONTAINERS_OF_CUSTOM = 25_000, 100_000
"""Maps and lists of an object of a built-in kind; of a custom resource, and of a definition, whose schema has
one for each property.
"""
SHORTEST_MAP_BYTES = 2
"""Bytes of the shortest map in any format."""
MAX_VALUES, MAX_VALUES_OF_DEFINITION = 60_000, 50_000
"""Values of a body in any format, and of a definition, each of which is visited more often: half a second of
work. The largest object of the recorded exchanges has 10 000.
"""


def values_of(kind: Kind) -> int:
    """Return how many values a body of a kind may hold."""
    return MAX_VALUES_OF_DEFINITION if _is_definition(kind) else MAX_VALUES


def check_values(count: int, limit: int) -> None:
    """Raise 413 for more values than a body may hold."""
    # The words are our own, as the real server has no such limit.
    if count > limit:
        raise status.too_large(f"limit is {limit} values")


def _is_definition(kind: Kind) -> bool:
    return kind.plural == "customresourcedefinitions"


def check(kind: Kind, tree: Json, body: bytes) -> None:
    """Raise 413 for an object, None for an empty one, of a body with more maps and lists than are worked on.

    Metadata is not counted: managedFields has several maps for each field of the object.
    """
    limit = MAX_CONTAINERS_OF_CUSTOM if kind.custom or _is_definition(kind) else MAX_CONTAINERS_OF_BUILTIN
    # Nearly every body is too short to hold so many, and need not be counted.
    if len(body) <= limit * SHORTEST_MAP_BYTES or tree is None:
        return
    if _exceeds([value for name, value in tree.items() if name != "metadata"], limit):
        raise status.too_large(f"limit is {limit} maps and lists")


def _exceeds(values: list[Json], limit: int) -> bool:
    unvisited: list[Json] = [values]
    count = 0
    # A loop with a list of its own: the tree may nest deeper than Python calls.
    while unvisited:
        container = unvisited.pop()
        children = container.values() if isinstance(container, dict) else container
        inner_containers = [child for child in children if isinstance(child, dict | list)]
        count += len(inner_containers)
        if count > limit:
            return True
        unvisited.extend(inner_containers)
    return False

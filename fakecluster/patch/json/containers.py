"""Members of maps and lists as the operations of a JSON
patch name them, and why there is none (FK-161, FK-162).

A negative index counts from the end. A member of a map that is not there reads as null.
"""

from __future__ import annotations

from ...base.json_types import Json
from ...base.numbers.integers import NumberError, parse_int

Container = dict[str, Json] | list[Json]
MISSING = "missing value"


class MissingMember(Exception):
    """A container has no such member; the text is that of the library that the real server uses."""


def member(container: Container, key: str) -> Json:
    """Return a member. Raises MissingMember for an index that is not there."""
    # A missing member reads as null, so that `test` of it against null passes (FK-162).
    return container.get(key) if isinstance(container, dict) else container[_item_index(container, key)]


def replace(container: Container, key: str, value: Json) -> None:
    """Put a value in the place of a member; a map may lack it. Raises MissingMember."""
    if isinstance(container, dict):
        container[key] = value
    else:
        container[_item_index(container, key)] = value


def insert(container: Container, key: str, value: Json) -> int:
    """Add a member to a map, or an item before the one that has the index. Raises MissingMember.

    Returns how many items have moved for it.
    """
    if isinstance(container, dict):
        container[key] = value
        return 0
    # "-" is RFC 6902's place behind the last item; the library of the real server knows it for `add` alone.
    index = len(container) if key == "-" else _insertion_index(container, key)
    container.insert(index, value)
    return len(container) - index


def remove(container: Container, key: str) -> int:
    """Remove a member, and return how many items have moved for it. Raises MissingMember."""
    if isinstance(container, list):
        index = _item_index(container, key)
        del container[index]
        return len(container) - index
    if key not in container:
        raise MissingMember(f"Unable to remove nonexistent key: {key}: {MISSING}")
    del container[key]
    return 0


def _item_index(items: list[Json], key: str) -> int:
    """Return the index of an item that is there."""
    return _resolve_index(_integer(key), len(items), len(items) - 1)


def _insertion_index(items: list[Json], key: str) -> int:
    """Return the index before which an item is put; -1 is behind the last."""
    try:
        index = _integer(key)
    except MissingMember as error:
        raise MissingMember(f"value was not a proper array index: '{key}': {error}") from error
    return _resolve_index(index, len(items) + 1, len(items))


def _resolve_index(index: int, count: int, last: int) -> int:
    if not -count <= index <= last:
        raise MissingMember(f"Unable to access invalid index: {index}: invalid index referenced")
    # evanphx/json-patch counts negative indexes from the end, which RFC 6902 does not know.
    return index + count if index < 0 else index


def _integer(key: str) -> int:
    try:
        return parse_int(key, reader="Atoi")
    except NumberError as error:
        raise MissingMember(str(error)) from error

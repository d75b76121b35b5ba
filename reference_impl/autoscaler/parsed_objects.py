"""Parsed objects: each revision is parsed once for as long as every loop asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from reference_impl.api.resource import Json

Value = TypeVar("Value")


class ParsedObjects(Generic[Value]):
    """Reads a list of objects loop by loop; an object that
    was in the list before has the same value, by identity.
    """

    def __init__(self, read: Callable[[Json], Value]) -> None:
        self._read = read
        # By the identity of an object, which is kept with its value so that no other
        # has the same.
        self._last: dict[int, tuple[Json, Value]] = {}

    def __call__(self, objects: Iterable[Json]) -> Sequence[Value]:
        """Return the value of each object."""
        last = self._last
        self._last = {
            id(object_): last.get(id(object_)) or (object_, self._read(object_)) for object_ in objects
        }
        return [value for _, value in self._last.values()]

"""Values that a pure step has left as they were, known by identity, so that it need not look at them again.

Stored objects share their unchanged parts with the objects they were made of, so an update of a status meets the very spec
that was pruned, defaulted and judged when it was written.
"""

from __future__ import annotations

from typing import Any

Json = Any
SIZE = 1024


class Known:
    """The last `size` values that passed a step; holding them keeps their identity from being given to others."""

    __slots__ = ("_size", "_values")

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._values: dict[int, Json] = {}

    def __contains__(self, value: Json) -> bool:
        return id(value) in self._values

    def add(self, value: Json) -> None:
        """Remember a container; scalars cost less than remembering them, and the oldest are forgotten."""
        if type(value) is not dict:
            return
        self._values[id(value)] = value
        if len(self._values) > self._size:
            del self._values[next(iter(self._values))]

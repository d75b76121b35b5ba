"""Values that a pure step has left as they were, known by identity, so that it need not look at them again.

Stored objects share their unchanged parts with the objects they were made of, so an update of a status meets
the very spec and the very conditions that were pruned, defaulted and judged when they were written.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..base.json_types import Json

MAX_ENTRIES = 512
CACHED_LEVELS = 3
"""How deep in an object parts are remembered one by one:
members, members of members, and the items of their lists.
"""


class IdentityCache:
    """The last values that passed a step, `size` to twice as many; holding them keeps their identity from
    being given to others.
    """

    __slots__ = ("_new", "_old", "_size")

    def __init__(self, size: int = MAX_ENTRIES) -> None:
        self._size = size
        self._new: dict[int, Json] = {}
        self._old: dict[int, Json] = {}

    def __contains__(self, value: Json) -> bool:
        key = id(value)
        return key in self._new or key in self._old

    def add(self, value: Json) -> None:
        """Remember a container; scalars cost less than remembering them.

        The older half is forgotten at once.
        """
        if type(value) is not dict and type(value) is not list:
            return
        if len(self._new) >= self._size:
            self._old, self._new = self._new, {}
        self._new[id(value)] = value


def is_worth(raw: Mapping[str, Json], level: int) -> bool:
    """Tell whether the values of a schema node on a level are remembered: those of scalars, and of deeper
    nodes, are not.
    """
    return level <= CACHED_LEVELS and raw.get("type") in {"object", "array"}

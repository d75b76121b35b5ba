"""A JSON path of a definition, and what it finds in an object."""

from __future__ import annotations

from msgspec import Struct

from ...base.caching import cache_short_texts
from ...base.json_types import Json
from .nodes import Node, PathMismatch
from .parser import parse


class Path(Struct, frozen=True):
    """A path that was read; only the first of its actions has a result that is shown."""

    actions: tuple[Node, ...]

    def values(self, obj: Json) -> list[Json]:
        """Return the values at the path; none when any node does not fit. Raises TooMuchWork."""
        try:
            results = [action.select([obj]) for action in self.actions]
        except PathMismatch:
            return []
        return results[0]


@cache_short_texts(4096)
def compile_path(path: str) -> Path:
    """Return a path such as `.spec.items[?(@.type=="Ready")].status`. Raises PathSyntaxError."""
    return Path(parse(f"{{{path}}}"))

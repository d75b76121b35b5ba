"""Field selectors of built-in kinds (FK-135). A selector reads the stored object."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..base.json_types import Json

Read = Callable[[Json], str]


def at(path: str) -> Read:
    """Return the function that reads a path as text; empty when nothing is there."""
    steps = path.split(".")

    def read(obj: Json) -> str:
        for step in steps:
            obj = (obj or {}).get(step)
        return _text(obj)

    return read


def count_at(path: str) -> Read:
    """Return the function that reads a number as text; a missing one is zero."""
    read = at(path)
    return lambda obj: read(obj) or "0"


def paths(*labels: str) -> Mapping[str, Read]:
    """Return readers for labels that are the paths themselves."""
    return {label: at(label) for label in labels}


def _text(value: Json) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)

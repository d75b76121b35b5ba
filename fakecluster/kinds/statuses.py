"""The status of a new object is the server's, whatever the body said (FK-060, FK-107)."""

from __future__ import annotations

from collections.abc import Callable

from ..base.json_types import Json
from ..gotypes import types
from ..gotypes.typed import decode_message
from . import defaulting

Transform = Callable[[Json], Json]


def initial_status(message: str) -> Transform:
    """Return the function that gives a new object of a kind its initial status."""

    def prepare(obj: Json) -> Json:
        return {**obj, "status": initial(message)}

    return prepare


def initial(message: str) -> Json:
    """Return the status that an object of a kind starts with."""
    status = types.go_fields(message)["status"][1].lstrip("*")
    return defaulting.apply_defaults(status, decode_message(status, {}).object)


def chain(*steps: Transform) -> Transform:
    """Return one function for several, applied in order."""

    def prepare(obj: Json) -> Json:
        for step in steps:
            obj = step(obj)
        return obj

    return prepare

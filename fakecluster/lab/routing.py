"""A request to the desk and why it is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from ..base.json_types import Json
from ..base.validators import expected


class LabError(Exception):
    """A request that cannot be met; the text says what was expected."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class LabRequest(Struct, frozen=True, kw_only=True):
    """One request: the parts of its path that a route leaves open, its query, its decoded body."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: Json = None

    def field(self, name: str, *types: type, default: Json = None) -> Json:
        """Return a field of the body.

        Raises LabError when it is of another type, or missing without a default.
        """
        body = self.body if self.body is not None else {}
        if not isinstance(body, dict):
            raise LabError(400, f"the body is {body!r}: expected a JSON object")
        value = body.get(name, default)
        # Python reads NaN and Infinity in JSON; time cannot move by them.
        if isinstance(value, float) and not math.isfinite(value):
            raise LabError(400, f"{name} is {value!r}: expected a number that is finite")
        # bool is an int in Python, and `true` is no number in JSON.
        if isinstance(value, bool) or not isinstance(value, types):
            expected = " or ".join(accepted_type.__name__ for accepted_type in types)
            raise LabError(400, f"{name} is {value!r}: expected {expected}")
        return value


class StreamedAnswer(Struct, frozen=True):
    """An answer that is made while it is written."""

    pieces: Iterator[bytes]
    content_type: str


Answer = Json | StreamedAnswer
Handler = Callable[[Any, LabRequest], Answer]
ANY_FIELDS = None
"""The fields of a body that its handler checks itself."""


class Route(Struct, frozen=True):
    """What answers at a path: the first line of its docstring stands in the index."""

    handler: Handler
    fields: tuple[str, ...] | None = ()
    """What a body may hold; ANY_FIELDS when the handler says."""
    reads_query: bool = False
    """Whether a query is read."""

    def answer(self, cluster: Any, request: LabRequest) -> Answer:
        """Answer a request. Raises LabError, also for a query parameter or a body that would not be read."""
        # A parameter that nothing reads is a misspelt one, and would silently mean nothing.
        if request.query and not self.reads_query:
            raise LabError(400, f"the query {next(iter(request.query))}=… is not read here: expected none")
        if self.fields is not ANY_FIELDS and isinstance(request.body, dict):
            for name in request.body:
                if name not in self.fields:
                    raise LabError(400, f"the body has {name!r}: {expected(name, self.fields)}")
        return self.handler(cluster, request)


Table = Mapping[tuple[str, str], Route]
"""(method, path with {open} parts) to what answers there."""

"""Numbers as the client wrote them, for the messages that quote them (FK-029, FK-041)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from ..api.outcome import Request
from ..numbers.integers import NumberError, parse_int
from .media import JSON, content_type

Json = Any
T = TypeVar("T")


class Literal(float):
    """A number with a fraction or an exponent that remembers its text."""

    text: str

    def __new__(cls, text: str) -> Literal:
        """Read the number from its text."""
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __format__(self, spec: str) -> str:
        """Return the text."""
        return format(self.text, spec)


def tree(body: bytes) -> Json:
    """Parse a body that is known to be JSON."""
    return json.loads(body.decode("utf-8", "replace"), parse_float=Literal, parse_int=_integer)


def told(request: Request, tree_: Json, read: Callable[[Json], T], refusal: type[Exception]) -> T:
    """Read a body's tree; a number that does not fit is blamed as the client wrote it. Raises the refusal of `read`."""
    try:
        return read(tree_)
    except refusal as error:
        content = content_type(request.headers.get("content-type", ""))
        if "number" not in str(error) or content not in {"", JSON}:
            raise
        return read(tree(request.body))


def _integer(digits: str) -> int | Literal:
    try:
        return parse_int(digits)
    except NumberError:
        return Literal(digits)

"""Numbers as the client wrote them, for the messages that quote them (FK-029, FK-041)."""

from __future__ import annotations

import json
from typing import Any

from ..api.outcome import Request
from ..numbers.integers import NumberError, parse_int
from .media import JSON, content_type

Json = Any


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


def quoted(request: Request, refusal: Exception) -> Json | None:
    """Return the tree whose refusal quotes a number as the client wrote it; None where the refusal speaks of no number of a JSON body."""
    content = content_type(request.headers.get("content-type", ""))
    return tree(request.body) if "number" in str(refusal) and content in {"", JSON} else None


def _integer(digits: str) -> int | Literal:
    try:
        return parse_int(digits)
    except NumberError:
        return Literal(digits)

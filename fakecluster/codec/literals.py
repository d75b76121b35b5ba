"""Numbers as the client wrote them, for the messages that quote them (FK-029, FK-041)."""

from __future__ import annotations

import json

from ..base.json_types import Json
from ..base.numbers.integers import NumberError, parse_int


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
    # The slow parser, since orjson forgets how a number was written; it runs only for a refusal that quotes
    # one.
    return json.loads(body.decode("utf-8", "replace"), parse_float=Literal, parse_int=_integer)


def quotes_number(refusal: Exception) -> bool:
    """Whether a refusal quotes a number, which it is to do as the client wrote it."""
    return "number" in str(refusal)


def _integer(digits: str) -> int | Literal:
    try:
        return parse_int(digits)
    except NumberError:
        return Literal(digits)

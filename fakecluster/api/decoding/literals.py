"""Numbers as the client wrote them, for the messages that quote them (FK-029, FK-041)."""

from __future__ import annotations

import json
from typing import Any

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
    return json.loads(body.decode("utf-8", "replace"), parse_float=Literal)

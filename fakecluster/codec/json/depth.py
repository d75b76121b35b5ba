"""Bodies that nest too deep, found before they are read (FK-041)."""

from __future__ import annotations

from ...patch.json.nesting import LIMIT
from .outside_strings import outside_strings

__all__ = ["LIMIT", "excess", "problem"]

_REST = bytes(set(range(256)) - set(b"[{]}"))


def excess(body: bytes) -> str:
    """Return the bracket of a JSON text that opens one level too many; empty when there is none."""
    # So few brackets cannot nest too deep; that is every usual body.
    if body.count(b"{") + body.count(b"[") <= LIMIT:
        return ""
    depth = 0
    # Brackets within texts are none.
    for char in outside_strings(body).translate(None, _REST):
        if char in b"[{":
            depth += 1
            if depth > LIMIT:
                return chr(char)
        else:
            depth -= 1
    return ""


def problem(body: bytes) -> str:
    """Return Go's words for a JSON text that nests too deep; empty when it does not."""
    bracket = excess(body)
    return f"invalid character '{bracket}' exceeded max depth" if bracket else ""

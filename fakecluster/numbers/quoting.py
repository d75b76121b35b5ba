"""Text in quotes, as Go's %q and strconv.Quote write it."""

from __future__ import annotations

_NAMED = {
    '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v",
}  # fmt: skip


def go_quote(text: str) -> str:
    """Quote a string as Go's %q does."""
    return '"' + "".join(_NAMED.get(c) or (c if c.isprintable() else _escaped(c)) for c in text) + '"'


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

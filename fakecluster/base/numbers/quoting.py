"""Text in quotes, as Go's %q and its package time write it."""

from __future__ import annotations

_NAMED = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def go_quote(text: str) -> str:
    """Quote a string as Go's %q does."""
    return '"' + "".join(_NAMED.get(c) or (c if c.isprintable() else _escape(c)) for c in text) + '"'


def time_quote(text: str) -> str:
    """Quote a string as Go's package time does: characters beyond ASCII byte by byte."""
    return '"' + "".join(_of_time(char) for char in text) + '"'


def _of_time(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if " " <= char < "\x80" else "".join(f"\\x{byte:02x}" for byte in char.encode())


def _escape(char: str) -> str:
    code = ord(char)
    # Go has `\x` for bytes only, and `\u` for all characters beyond ASCII.
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

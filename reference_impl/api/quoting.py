"""Strings in quotes as Go writes them: `%q`, and the package time (VIS-126, VC-01, VC-08)."""

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
    """Quote a string as `%q` does; bytes that are no UTF-8 stand in it as lone surrogates."""
    return '"' + "".join(_NAMED.get(char) or _escape(char) for char in text) + '"'


def time_quote(text: str) -> str:
    """Quote a string as the package time does: what is not ASCII byte by byte."""
    return '"' + "".join(_of_time(char) for char in text) + '"'


def _escape(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if char.isprintable():
        return char
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _of_time(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if " " <= char < "\x80":
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode(errors="surrogateescape"))

"""Texts in quotes as Go reads them, in double or single quotes of any length."""

from __future__ import annotations

import re

_ESCAPES = {
    "a": b"\a",
    "b": b"\b",
    "f": b"\f",
    "n": b"\n",
    "r": b"\r",
    "t": b"\t",
    "v": b"\v",
    "\\": b"\\",
}
_PIECE = re.compile(
    r"\\(?:(?P<name>[abfnrtv\\'\"])|x(?P<byte>[0-9a-fA-F]{2})|(?P<octal>[0-7]{3})"
    r"|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))|(?P<plain>[^\\])"
)
LAST_BYTE, LAST_CHARACTER = 0xFF, 0x10FFFF
SURROGATES = range(0xD800, 0xE000)


class BadQuote(ValueError):
    """What stands between quotes is no text."""


def unquote(text: str, quote: str) -> str:
    """Return what stands between two quotes without its escapes; bytes that are no UTF-8 are replaced.

    Raises BadQuote.
    """
    if "\\" not in text and quote not in text:
        return text
    out, at = [], 0
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None:
            raise BadQuote
        out.append(_bytes(piece, quote))
        at = piece.end()
    return b"".join(out).decode(errors="replace")


def _bytes(piece: re.Match[str], quote: str) -> bytes:
    if plain := piece["plain"]:
        if plain == quote:
            raise BadQuote
        return plain.encode()
    if name := piece["name"]:
        if name in "\"'" and name != quote:
            raise BadQuote
        return _ESCAPES.get(name) or name.encode()
    if byte := piece["byte"]:
        return bytes([int(byte, 16)])
    if octal := piece["octal"]:
        if int(octal, 8) > LAST_BYTE:
            raise BadQuote
        return bytes([int(octal, 8)])
    code = int(piece["short"] or piece["long"], 16)
    if code in SURROGATES or code > LAST_CHARACTER:
        raise BadQuote
    return chr(code).encode()

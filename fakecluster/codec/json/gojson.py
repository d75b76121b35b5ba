"""Why a text is not JSON, in the words of Go's scanner, or nests too deep for it (FK-041, FK-147)."""

from __future__ import annotations

import re
from typing import NoReturn

from ...patch.json.nesting import MAX_DEPTH as DEPTH_LIMIT
from ...schema.fields import go_quote

UNEXPECTED_END = "unexpected end of JSON input"
SPACE = re.compile(r"[ \t\r\n]*")
# Possessive quantifiers: a text without its closing quote must not be tried from every position again.
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:[bfnrt\\/"]|u[0-9a-fA-F]{4}))*+')
"""A text up to its closing quote or to what must not stand in it."""
INSIDE_TOKEN = ("in ", "after decimal", "in exponent")
"""Where even a space is wrong."""
LITERALS = ("true", "false", "null")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))


class JsonSyntaxError(Exception):
    """The text is not JSON; the message is Go's."""


def problem(body: bytes) -> str:
    """Return Go's words for the first thing that is not JSON in a text; empty when there is none."""
    if too_deep := depth_problem(body):
        return too_deep
    try:
        _Scanner(body.decode("utf-8", "replace")).document()
    except JsonSyntaxError as error:
        return str(error)
    return ""


class _Scanner:
    """Walks a text once, keeping only the position."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> None:
        self._value()
        if self._peek():
            self._fail("after top-level value")

    def _peek(self) -> str:
        self._at = self._end_of(SPACE)
        return self._text[self._at : self._at + 1]

    def _fail(self, where: str) -> NoReturn:
        # Go feeds its scanner a space at the end of the text.
        inside = "" if where.startswith("in string literal") or not where.startswith(INSIDE_TOKEN) else " "
        char = self._text[self._at : self._at + 1] or inside
        # Go's scanner works on bytes: of a long character it shows the first.
        byte = char.encode()[:1].decode("latin-1")
        raise JsonSyntaxError(
            f"invalid character {quote_character(byte)} {where}" if byte else UNEXPECTED_END
        )

    def _value(self) -> None:
        char = self._peek()
        if char in {"{", "["} and char:
            self._container(char)
        elif char == '"':
            self._string()
        elif char and char in "-0123456789":
            self._number()
        else:
            self._literal(char)

    def _container(self, opening: str) -> None:
        self._at += 1
        (self._object if opening == "{" else self._array)()

    def _object(self) -> None:
        if self._peek() == "}":
            self._at += 1
            return
        while True:
            if self._peek() != '"':
                self._fail("looking for beginning of object key string")
            self._string()
            self._expect(":", "after object key")
            self._value()
            if self._separator("}", "after object key:value pair"):
                return

    def _array(self) -> None:
        if self._peek() == "]":
            self._at += 1
            return
        while True:
            self._value()
            if self._separator("]", "after array element"):
                return

    def _separator(self, closing: str, where: str) -> bool:
        char = self._peek()
        if char not in {",", closing}:
            self._fail(where)
        self._at += 1
        return char == closing

    def _expect(self, char: str, where: str) -> None:
        if self._peek() != char:
            self._fail(where)
        self._at += 1

    def _string(self) -> None:
        self._at = self._end_of(STRING)
        char = self._text[self._at : self._at + 1]
        # A control character is not stepped over: it is the one that the message blames.
        self._at += char in {'"', "\\"}
        if char == "\\":
            # The first escape that is none: its words say what is wrong with it.
            self._escape()
        if char != '"':
            self._fail("in string literal")

    def _end_of(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        return match.end() if match else self._at

    def _escape(self) -> None:
        char = self._text[self._at : self._at + 1]
        if not char or char not in 'bfnrt\\/"u':
            self._fail("in string escape code")
        self._at += 1
        for _ in range(4 if char == "u" else 0):
            if self._text[self._at : self._at + 1] not in set("0123456789abcdefABCDEF"):
                self._fail("in \\u hexadecimal character escape")
            self._at += 1

    def _number(self) -> None:
        match = NUMBER.match(self._text, self._at)
        # A lone minus sign, which promises a number.
        if match is None:
            self._at += 1
            self._fail("in numeric literal")
        self._at = match.end()
        char = self._text[self._at : self._at + 1]
        if char and char in ".eE":
            self._at += 1
            self._fail(
                "after decimal point in numeric literal" if char == "." else "in exponent of numeric literal"
            )

    def _literal(self, char: str) -> None:
        # By the first letter, as Go decides; the following ones are then expected.
        word = next((literal for literal in LITERALS if char and literal.startswith(char)), "")
        if not word:
            self._fail("looking for beginning of value")
        for expected in word:
            if self._text[self._at : self._at + 1] != expected:
                self._fail(f"in literal {word} (expecting {quote_character(expected)})")
            self._at += 1


def quote_character(char: str) -> str:
    """Quote one character as Go does in these messages."""
    special = {"'": "'\\''", '"': "'\"'"}
    return special.get(char) or f"'{go_quote(char)[1:-1]}'"


def excess_bracket(body: bytes) -> str:
    """Return the bracket of a JSON text that opens one level too many; empty when there is none."""
    # So few brackets cannot nest too deep; that is every usual body.
    if body.count(b"{") + body.count(b"[") <= DEPTH_LIMIT:
        return ""
    depth = 0
    # Brackets within texts are none.
    for char in outside_strings(body).translate(None, _NO_BRACKETS):
        if char in b"[{":
            depth += 1
            if depth > DEPTH_LIMIT:
                return chr(char)
        else:
            depth -= 1
    return ""


def depth_problem(body: bytes) -> str:
    """Return Go's words for a JSON text that nests too deep; empty when it does not."""
    bracket = excess_bracket(body)
    return f"invalid character '{bracket}' exceeded max depth" if bracket else ""


def outside_strings(text: bytes) -> bytes:
    """Return a JSON text without its strings; whatever its escapes, that takes milliseconds a megabyte."""
    unescaped = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(unescaped.split(b'"')[::2])

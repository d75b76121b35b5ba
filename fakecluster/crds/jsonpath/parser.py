"""Reads JSON paths: a template such as `{.spec.items[?(@.n>1)].name}` becomes nodes.

The grammar is that of Kubernetes, with its quirks: a text in brackets is a path of its own (`['a.b']` is two
members), `[]` is the first item, and `..*` is refused.
"""

from __future__ import annotations

import math
import re

from ...base.numbers.integers import NumberError, fits, parse_int
from .comparison import GoInt
from .nodes import (
    Chain,
    Comparison,
    Exists,
    Field,
    Node,
    Number,
    Recursion,
    Slice,
    Text,
    Union,
    Wildcard,
    Word,
)
from .unquoting import BadQuote, unquote

_NAME = re.compile(r"(?:\\[\s\S]|[^ \t\r\n.,\[\]$@{}\\]|\\\Z)*")
_WORD = re.compile(r"[^ \t\r\n.,\[\]$@{}]*")
_NUMBER = re.compile(r"[+-]?[\d.]*")
_FRACTION = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_KEY = re.compile(r"'([^']*)'")
_BRACKETS = re.compile(r"[^\]\n]*\]")
_SLICE = re.compile(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?")
_COMPARISON = re.compile(r"([^!<>=]+)([!<>=]+)(.+)")


class PathSyntaxError(Exception):
    """A text is no JSON path."""


def parse(template: str) -> tuple[Node, ...]:
    """Return the actions of a template and the texts between them. Raises PathSyntaxError."""
    return _Parser(template).template()


def _action(text: str) -> Chain:
    """Return the first action of a text in braces."""
    first = parse(f"{{{text}}}")[0]
    assert isinstance(first, Chain)
    return first


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def template(self) -> tuple[Node, ...]:
        nodes: list[Node] = []
        while self._at < len(self._text):
            start = self._text.find("{", self._at)
            plain = self._text[self._at : start if start >= 0 else None]
            if plain:
                nodes.append(Text(plain))
            if start < 0:
                break
            self._at = start + 1
            nodes.append(self._chain())
        return tuple(nodes)

    def _chain(self) -> Chain:
        nodes: list[Node] = []
        while not self._takes("}"):
            nodes += self._next(after_recursion=bool(nodes) and isinstance(nodes[-1], Recursion))
        return Chain.of(tuple(nodes))

    def _next(self, *, after_recursion: bool) -> list[Node]:
        if self._takes("[?("):
            return [self._filter()]
        if self._takes(".."):
            return self._recursion(repeated=after_recursion)
        char = self._char()
        if char in " @$":
            return []
        if char == "[":
            return self._brackets()
        if char in "\"'":
            return [self._quotation(char)]
        if char == ".":
            return [self._field()]
        self._at -= 1
        if char in "+-" or char.isdecimal():
            return [self._number()]
        if _is_alphanumeric(char):
            return [self._word()]
        raise PathSyntaxError

    def _recursion(self, *, repeated: bool) -> list[Node]:
        if repeated:
            raise PathSyntaxError
        is_named = self._at < len(self._text) and _is_alphanumeric(self._text[self._at])
        return [Recursion(), self._field()] if is_named else [Recursion()]

    def _field(self) -> Node:
        name = self._match(_NAME)
        return Wildcard() if name == "*" else Field(name.replace("\\", ""))

    def _number(self) -> Node:
        text = self._match(_NUMBER)
        if fits(text, 64):
            return Number(GoInt(parse_int(text)))
        if not _FRACTION.fullmatch(text) or math.isinf(float(text)):
            raise PathSyntaxError
        return Number(float(text))

    def _word(self) -> Node:
        text = self._match(_WORD)
        return Number(text == "true") if text in {"true", "false"} else Word(text)

    def _quotation(self, quote: str) -> Node:
        start = self._at
        while self._char() != quote or self._text[self._at - 2] == "\\":
            pass
        try:
            return Text(unquote(self._text[start : self._at - 1], quote))
        except BadQuote:
            raise PathSyntaxError from None

    def _brackets(self) -> list[Node]:
        text = self._match(_BRACKETS)[:-1]
        if text == "*":
            text = ":"
        if "," in text:
            return [Union(tuple(_action(f"[{piece.strip(' ')}]") for piece in text.split(",")))]
        if key := _KEY.fullmatch(text):
            return list(_action(f".{key[1]}").nodes)
        return [_slice(text)]

    def _filter(self) -> Node:
        text = self._condition()
        if not self._takes("]"):
            raise PathSyntaxError
        if not (sides := _COMPARISON.fullmatch(text)):
            return Exists(_action(text))
        return Comparison(_action(sides[1]), sides[2], _action(sides[3]))

    def _condition(self) -> str:
        """Read up to the parenthesis that is not within the first pair of quotes."""
        start, quote, is_closed = self._at, "", False
        while True:
            char = self._char()
            if char == ")" and bool(quote) == is_closed:
                return self._text[start : self._at - 1]
            if char not in "\"'":
                continue
            if not quote:
                quote = char
            elif char == quote and self._text[self._at - 2] != "\\":
                is_closed = True

    def _char(self) -> str:
        """Read a character. Raises PathSyntaxError at the end of the text or of a line."""
        char = self._text[self._at : self._at + 1]
        if char in {"", "\n"}:
            raise PathSyntaxError
        self._at += 1
        return char

    def _takes(self, text: str) -> bool:
        is_next = self._text.startswith(text, self._at)
        self._at += len(text) * is_next
        return is_next

    def _match(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise PathSyntaxError
        self._at = match.end()
        return match[0]


def _is_alphanumeric(char: str) -> bool:
    return char == "_" or char.isalpha() or char.isdecimal()


def _slice(text: str) -> Slice:
    match = _SLICE.fullmatch(text)
    if match is None:
        raise PathSyntaxError
    start = _bound(match[1])
    if match[2] is None:
        return Slice(start, (start or 0) + 1, None, derived=True)
    return Slice(start, _bound(match[2][1:]), _bound((match[3] or "")[1:]))


def _bound(text: str) -> int | None:
    if not text:
        return None
    try:
        return parse_int(text)
    except NumberError:
        raise PathSyntaxError from None

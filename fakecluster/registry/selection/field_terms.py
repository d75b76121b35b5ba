"""The grammar of field selectors, with the parser's own words for what it cannot read (FK-134)."""

from __future__ import annotations

import re

from msgspec import Struct

TERM_TEXT = re.compile(r"(?:[^\\,]|\\.|\\\Z)+", re.DOTALL)
TERM = re.compile(r"(.*?)(!=|==|=)(.*)", re.DOTALL)
ESCAPED_CHARACTERS = frozenset("\\,=")


class FieldSelectorError(Exception):
    """The selector does not follow the grammar; the text is the parser's."""


class Term(Struct, frozen=True):
    """One condition on a field: that it is, or is not, a value."""

    key: str
    value: str
    negated: bool = False


def parse(text: str) -> list[Term]:
    """Return the terms of a selector, in the order in which they are looked at. Raises FieldSelectorError."""
    # Go's fields.ParseSelector sorts the terms, so the first error is that of the least text.
    return [_term(term_text, text) for term_text in sorted(TERM_TEXT.findall(text))]


def _term(term_text: str, text: str) -> Term:
    match = TERM.fullmatch(term_text)
    if not match:
        raise FieldSelectorError(f"invalid selector: '{text}'; can't understand '{term_text}'")
    key, sign, value = match.groups()
    return Term(key, _unescape(value), sign == "!=")


def _unescape(value: str) -> str:
    if ESCAPED_CHARACTERS.isdisjoint(value):
        return value
    plain = []
    characters = iter(value)
    for character in characters:
        if character == "\\":
            escaped = next(characters, "")
            if escaped not in ESCAPED_CHARACTERS:
                raise FieldSelectorError(f"invalid field selector: invalid escape sequence: \\{escaped}")
            plain.append(escaped)
        elif character in ESCAPED_CHARACTERS:
            raise FieldSelectorError(
                f"invalid field selector: unescaped character in value: {ord(character)}"
            )
        else:
            plain.append(character)
    return "".join(plain)

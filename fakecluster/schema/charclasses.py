"""Escapes and character classes of Go's regular expressions (FK-265)."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7F", "blank": r"\t ", "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ", "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
PERL = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\t\n\f\r "}
NOT_PERL = {
    "D": r"\x00-/:-\U0010FFFF",
    "W": r"\x00-/:-@\[-\^`{-\U0010FFFF",
    "S": r"\x00-\x08\x0B\x0E-\x1F!-\U0010FFFF",
}
CONTROL = {"a": r"\x07", "f": r"\f", "n": r"\n", "r": r"\r", "t": r"\t", "v": r"\v"}
ASSERTIONS = {"A": r"(?:\A)", "z": r"(?:\Z)", "b": r"(?:\b)", "B": r"(?:\B)"}
_HEX = re.compile(r"\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))")
_OCTAL = re.compile(r"\\(0[0-7]{0,2}|[1-7][0-7]{1,2})")
_UNICODE = re.compile(r"\\([pP])(?:\{(\^?)([^}]*)\}|(.))")
_POSIX = re.compile(r"\[:(\^?)(\w+):\]")


class PatternError(Exception):
    """A pattern that Go would not compile."""

    def __init__(self, what: str, fragment: str) -> None:
        super().__init__(f"error parsing regexp: {what}: `{fragment}`")


def escape(text: str) -> tuple[str, int]:
    """Return the translation of the escape at the start of a text, and its length. Raises PatternError."""
    if len(text) < 2:
        raise PatternError("trailing backslash at end of expression", "")
    if text.startswith("\\Q"):
        quoted, end, _ = text[2:].partition("\\E")
        return re.escape(quoted) and f"(?:{re.escape(quoted)})", 2 + len(quoted) + len(end)
    if text[1] in ASSERTIONS:
        return ASSERTIONS[text[1]], 2
    if members := _members(text):
        return f"[{members[0]}]", members[1]
    char, length = _character(text)
    return re.escape(char), length


def _members(text: str) -> tuple[str, int] | None:
    """Return the members of a class escape such as `\\d`, None when it is none."""
    if text[1] in PERL:
        return PERL[text[1]], 2
    if text[1] in NOT_PERL:
        return NOT_PERL[text[1]], 2
    match = _UNICODE.match(text)
    if match is None:
        return None
    inverted = (match[1] == "P") != bool(match[2])
    members = category_members(match[3] or match[4] or "", inverted=inverted)
    if not members:
        raise PatternError("invalid character class range", match[0])
    return members, match.end()


def _character(text: str) -> tuple[str, int]:
    """Return the one character an escape stands for."""
    if match := _HEX.match(text):
        return chr(int(match[1] or match[2], 16)), match.end()
    if match := _OCTAL.match(text):
        return chr(int(match[1], 8)), match.end()
    if text[1] in CONTROL:
        return CONTROL[text[1]].encode().decode("unicode_escape"), 2
    if text[1].isascii() and not text[1].isalnum():
        return text[1], 2
    raise PatternError("invalid escape sequence", text[:2])


def bracket(text: str) -> tuple[str, int]:
    """Return the translation of the class at the start of a text, and its length. Raises PatternError."""
    inverted = text.startswith("[^")
    at = 2 if inverted else 1
    members: list[str] = []
    while at < len(text):
        if text[at] == "]" and members:
            return f"[{'^' if inverted else ''}{''.join(members)}]", at + 1
        found, length = _named(text[at:]) or _range(text, at)
        members.append(found)
        at += length
    raise PatternError("missing closing ]", text)


def _named(text: str) -> tuple[str, int] | None:
    """Return the members of `[:alpha:]` or `\\d` inside a class, None when there is neither."""
    match = _POSIX.match(text)
    if match:
        if match[2] not in POSIX:
            raise PatternError("invalid character class range", match[0])
        inner = POSIX[match[2]]
        return (_inverted(inner) if match[1] else inner), match.end()
    return _members(text) if text[0] == "\\" and len(text) > 1 else None


def _range(text: str, at: int) -> tuple[str, int]:
    """Return a character or a range of them."""
    low, length = _one(text, at)
    end = at + length
    if text[end : end + 1] != "-" or text[end + 1 : end + 2] in {"]", ""}:
        return _plain(low), length
    high, more = _one(text, end + 1)
    if high < low:
        raise PatternError("invalid character class range", text[at : end + 1 + more])
    return f"{_plain(low)}-{_plain(high)}", length + 1 + more


def _one(text: str, at: int) -> tuple[str, int]:
    if text[at] != "\\":
        return text[at], 1
    if at + 1 == len(text):
        raise PatternError("missing closing ]", text)
    return _character(text[at:])


def _plain(char: str) -> str:
    return f"\\U{ord(char):08x}"


def _inverted(members: str) -> str:
    known = re.compile(f"[{members}]")
    return (
        "".join(_plain(chr(code)) for code in range(0x80) if not known.match(chr(code))) + r"\x80-\U0010FFFF"
    )


@lru_cache(maxsize=64)
def category_members(name: str, *, inverted: bool) -> str:
    """Return the characters of a Unicode category (`L`, `Lu`) as ranges; empty when there is no such category."""
    if name == "Any":
        return r"\x00-\U0010FFFF"
    inside = [unicodedata.category(chr(code)).startswith(name) for code in range(sys.maxunicode + 1)]
    if not name or not any(inside):
        return ""
    ranges, start = [], -1
    for code, member in enumerate([*inside, inverted]):
        if (member != inverted) == (start >= 0):
            continue
        if start >= 0:
            ranges.append(f"{_plain(chr(start))}-{_plain(chr(code - 1))}")
        start = code if start < 0 else -1
    return "".join(ranges)

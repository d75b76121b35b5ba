"""Go's regular expressions in Python: what a schema's `pattern` means (FK-265, P-KIND of spec/admission.md §0.5).

Go searches without anchors, its classes are ASCII, `$` matches only at the very end, and inline flags may stand anywhere.
"""

from __future__ import annotations

import re
from functools import lru_cache

_FLAGS = re.compile(r"\(\?([imsU-]+)\)")
_NAMED = {"\\z": r"\Z", "\\C": "."}
_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7F", "blank": r"\t ", "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ", "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_LOOK_AROUND = ("(?=", "(?!", "(?<=", "(?<!")


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return the Python equivalent of a Go pattern; raises `re.error` for what Go rejects too."""
    if any(look in pattern for look in _LOOK_AROUND) or re.search(r"(?<!\\)(?:\\\\)*\\[1-9]", pattern):
        raise re.error("invalid or unsupported Perl syntax", pattern)
    return re.compile(_translate(pattern), re.ASCII)


def _translate(pattern: str) -> str:
    """Walk the pattern once: escapes, classes, flags and the end anchor are the places where the dialects differ."""
    out: list[str] = []
    closing: list[str] = [""]
    position = 0
    while position < len(pattern):
        char = pattern[position]
        flags = _FLAGS.match(pattern, position)
        if flags:
            out.append(f"(?{flags[1].replace('U', '')}:")
            closing[-1] += ")"
            position = flags.end()
        elif char == "\\":
            token = pattern[position : position + 2]
            out.append(_NAMED.get(token, token))
            position += 2
        elif char == "[":
            text, position = _character_class(pattern, position)
            out.append(text)
        else:
            out.append(_plain(char, closing))
            position += 1
    return "".join(out) + closing[-1]


def _plain(char: str, closing: list[str]) -> str:
    if char == "(":
        closing.append("")
    elif char == ")" and len(closing) > 1:
        return closing.pop() + ")"
    return r"\Z" if char == "$" else char


def _character_class(pattern: str, start: int) -> tuple[str, int]:
    """Return a bracket expression with POSIX classes spelled out, and where it ends."""
    position = start + 1
    out = ["["]
    if pattern[position : position + 1] == "^":
        out.append("^")
        position += 1
    first = True
    while position < len(pattern):
        char = pattern[position]
        posix = re.match(r"\[:(\w+):\]", pattern[position:])
        if posix and posix[1] in _POSIX:
            out.append(_POSIX[posix[1]])
            position += posix.end()
        elif char == "]" and not first:
            return "".join(out) + "]", position + 1
        elif char == "\\":
            out.append(pattern[position : position + 2])
            position += 2
        else:
            out.append("\\" + char if char in "[]&~|" else char)
            position += 1
        first = False
    raise re.error("missing closing ]", pattern)


def pattern_problem(pattern: str) -> str:
    """Word why Go would not compile a pattern; empty when it would."""
    try:
        compile_pattern(pattern)
    except re.error as error:
        return f"error parsing regexp: {error.msg}: `{pattern}`"
    return ""

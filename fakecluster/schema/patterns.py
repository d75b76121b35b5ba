"""Go's regular expressions in Python: what a schema's `pattern` means (FK-265, P-KIND of spec/admission.md §0.5).

Go searches without anchors, its classes are ASCII, `$` is the very end, inline flags stand anywhere, and it has neither
look-around nor back references. A pattern is read once: translated, or refused in Go's words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from .charclasses import PatternError, bracket, escape

_FLAGS = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])")
_NAMED = re.compile(r"\(\?P?<(\w+)>")
_REPEAT = re.compile(r"\{(\d+)(,(\d*))?\}")
REPEAT_LIMIT = 1000


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return the Python equivalent of a Go pattern. Raises PatternError."""
    return re.compile(_Reader(pattern).read(), re.ASCII)


def pattern_problem(pattern: str) -> str:
    """Word why Go would not compile a pattern; empty when it would."""
    try:
        compile_pattern(pattern)
    except PatternError as error:
        return str(error)
    return ""


class _Reader:
    """One walk through a pattern. `groups` holds what closes each open group and the flags that then come back."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0
        self.out: list[str] = []
        self.groups: list[tuple[str, bool]] = [("", False)]
        self.multiline = False
        self.repeatable = False
        self.repeated_from = -1

    def read(self) -> str:
        """Return the translation. Raises PatternError."""
        while self.at < len(self.text):
            _STEPS.get(self.text[self.at], _Reader._literal)(self)
        if len(self.groups) > 1:
            raise PatternError("missing closing )", self.text)
        return "".join(self.out) + self.groups[0][0]

    def _emit(self, text: str, length: int, *, repeatable: bool = True) -> None:
        self.out.append(text)
        self.at += length
        self.repeatable, self.repeated_from = repeatable, -1

    def _literal(self) -> None:
        self._emit(re.escape(self.text[self.at]), 1)

    def _anchor(self) -> None:
        char = self.text[self.at]
        anchor = char if char == "^" or self.multiline else r"\Z"
        self._emit("." if char == "." else f"(?:{anchor})", 1)

    def _escape(self) -> None:
        text, length = escape(self.text[self.at :])
        self._emit(text, length)

    def _class(self) -> None:
        text, length = bracket(self.text[self.at :])
        self._emit(text, length)

    def _alternative(self) -> None:
        self._emit("|", 1, repeatable=False)

    def _open(self) -> None:
        rest = self.text[self.at :]
        if flags := _FLAGS.match(rest):
            self._flags(flags)
        elif named := _NAMED.match(rest):
            self._group("(", named.end())
        elif rest.startswith(("(?P<", "(?<")):
            raise PatternError("invalid named capture", rest)
        elif rest.startswith("(?"):
            raise PatternError("invalid or unsupported Perl syntax", rest[:3])
        else:
            self._group("(", 1)

    def _group(self, opening: str, length: int) -> None:
        self.groups.append((")", self.multiline))
        self._emit(opening, length, repeatable=False)

    def _flags(self, match: re.Match[str]) -> None:
        """`(?i)` holds to the end of the group, `(?i:` opens a group of its own."""
        on, off = match[1].replace("U", ""), (match[2] or "").replace("U", "")
        opening = f"(?{on}{off if off != '-' else ''}:"
        if match[3] == ":":
            self._group(opening, match.end())
        else:
            closing, before = self.groups[-1]
            self.groups[-1] = (")" + closing, before)
            self._emit(opening, match.end(), repeatable=False)
        self.multiline = ("m" in on or self.multiline) and "m" not in off

    def _close(self) -> None:
        if len(self.groups) == 1:
            raise PatternError("unexpected )", self.text)
        closing, self.multiline = self.groups.pop()
        self._emit(closing, 1)

    def _repeat(self) -> None:
        start, end = self.at, self._operator_end()
        if end == start:
            self._literal()
            return
        operator = self.text[start:end]
        if self.repeated_from >= 0:
            raise PatternError("invalid nested repetition operator", self.text[self.repeated_from : end])
        if not self.repeatable:
            raise PatternError("missing argument to repetition operator", operator)
        lazy = self.text[end : end + 1] == "?"
        self._emit(operator + ("?" if lazy else ""), end - start + lazy)
        self.repeated_from = start

    def _operator_end(self) -> int:
        """Return where a repetition ends; where it starts when the brace is a plain character."""
        if self.text[self.at] != "{":
            return self.at + 1
        match = _REPEAT.match(self.text, self.at)
        if match is None:
            return self.at
        least = int(match[1])
        most = int(match[3]) if match[3] else least
        if max(least, most) > REPEAT_LIMIT or most < least:
            raise PatternError("invalid repeat count", match[0])
        return match.end()


_STEPS: Mapping[str, Callable[[_Reader], None]] = {
    **dict.fromkeys("^$.", _Reader._anchor),  # noqa: SLF001 - its own table
    **dict.fromkeys("*+?{", _Reader._repeat),  # noqa: SLF001 - its own table
    "\\": _Reader._escape,  # noqa: SLF001 - its own table
    "[": _Reader._class,  # noqa: SLF001 - its own table
    "|": _Reader._alternative,  # noqa: SLF001 - its own table
    "(": _Reader._open,  # noqa: SLF001 - its own table
    ")": _Reader._close,  # noqa: SLF001 - its own table
}

"""Go's regular expressions: what a schema's `pattern` means (FK-265, P-KIND of spec/admission.md §0.5).

RE2 is what Go's engine was modelled on: it has the same syntax, and its time grows with the text. Errors are worded as Go's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import re2

MEMORY = 32 << 20
"""Bytes that one compiled pattern may take."""
NESTING = 1000
"""How deep groups do not nest any more."""
WORK = 100_000_000
"""Characters of a text times instructions of a pattern that one search may take: a second, where the pattern is made for it."""
SHORT = 100
"""Characters of a text whose search is cheap whatever the pattern."""
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "missing ]": "missing closing ]",
        "missing )": "missing closing )",
        "trailing \\": "trailing backslash at end of expression",
        "no argument for repetition operator": "missing argument to repetition operator",
        "invalid repetition size": "invalid repeat count",
        "bad repetition operator": "invalid nested repetition operator",
        "invalid perl operator": "invalid or unsupported Perl syntax",
        "invalid named capture group": "invalid named capture",
    }
)
"""What RE2 says where Go has other words."""
_REST = re.compile(
    r"\\Q.*?(?:\\E|\Z)|(\\C)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|([()])|[^\\\[()]+", re.DOTALL
)
r"""All of a pattern; `\C` and brackets are kept."""
_LOOK_BEHIND = re.compile(r"\(\?P?<[!=]")


class PatternError(Exception):
    """A pattern that Go would not compile."""

    def __init__(self, what: str, fragment: str) -> None:
        super().__init__(f"error parsing regexp: {what}: `{fragment}`")


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> Any:
    """Return the compiled pattern, which has the methods of Python's patterns. Raises PatternError."""
    try:
        compiled = re2.compile(pattern, _options())
    except re2.error as error:
        raise _worded(error.args[0].decode("utf-8", "replace"), pattern) from error
    if r"\C" in pattern or pattern.count("(") >= NESTING:
        _check_rest(pattern)
    return compiled


def pattern_problem(pattern: str) -> str:
    """Word why Go would not compile a pattern; empty when it would."""
    try:
        compile_pattern(pattern)
    except PatternError as error:
        return str(error)
    return ""


def has_match(pattern: str, text: str) -> bool:
    """Tell whether there is a match in a text. Raises PatternError, TooMuchWork."""
    return _found(pattern, text) if len(text) <= SHORT else _searched(pattern, text)


def searchable(pattern: str, text: str) -> Any:
    """Return the compiled pattern for a search in a text. Raises PatternError, TooMuchWork."""
    compiled = compile_pattern(pattern)
    if len(text) > SHORT and compiled.programsize * len(text) > WORK:
        raise TooMuchWork
    return compiled


def _searched(pattern: str, text: str) -> bool:
    return searchable(pattern, text).search(text.encode()) is not None


_found = lru_cache(maxsize=8192)(_searched)
"""Names and the like come again and again."""


class TooMuchWork(Exception):
    """A search could take seconds."""

    def __init__(self) -> None:
        super().__init__(
            f"the text is too long for its pattern: characters times instructions are more than {WORK}"
        )


@lru_cache(maxsize=1)
def _options() -> Any:
    options = re2.Options()
    options.log_errors, options.max_mem = False, MEMORY
    return options


def _worded(said: str, pattern: str) -> PatternError:
    what, _, fragment = said.partition(": ")
    if what.startswith("pattern too large"):
        return PatternError("expression too large", pattern)
    if behind := _LOOK_BEHIND.match(fragment):
        return PatternError("invalid named capture", pattern[pattern.index(behind[0]) :])
    return PatternError(WORDS.get(what, what), fragment)


def _check_rest(pattern: str) -> None:
    """Check what Go alone refuses: single bytes, and groups that nest too deep. Raises PatternError."""
    depth = 0
    for found in _REST.finditer(pattern):
        if found[1]:
            raise PatternError("invalid escape sequence", found[1])
        depth += {"(": 1, ")": -1}.get(found[2], 0)
        if depth >= NESTING:
            raise PatternError("expression nests too deeply", pattern)

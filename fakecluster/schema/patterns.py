"""Go's regular expressions: what a schema's `pattern` means (FK-265, P-KIND of spec/admission.md §0.5).

RE2 is what Go's engine was modelled on: it has the same syntax, and its time grows with the text. Errors are
worded as Go's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ..base.caching import cache_short_texts
from ..base.work_budget import TooMuchWork, spend

MEMORY, CHECK_MEMORY = 8 << 20, 4 << 20
"""Bytes that one compiled pattern may take, and one that is only checked."""
MAX_COPIES = 400_000
"""Copies that repetitions may make of parts of a pattern: more instructions do not fit into the memory, which
the engine finds out too late.
"""
MAX_REPEATS = 1000
"""Copies of one character that the engine makes at most; it refuses more before it makes them."""
CHECK_INSTRUCTIONS = 15
"""Instructions of a check that take as long as beginning one."""
CLASS = 40
"""Instructions of a check that take as long as reading one class of Unicode, which has hundreds of ranges."""
NESTING = 1000
"""How deep groups do not nest any more."""
MAX_SEARCH_WORK = 100_000_000
"""Characters of a text times instructions of a pattern that one search may take: a second, where the pattern
is made for it.
"""
COMPILED_LIMIT, SEARCHED_LIMIT = "instructions of patterns", "characters times instructions of patterns"
SHORT_TEXT = 100
"""Characters of a text whose search is cheap whatever the pattern."""
FREE_WORK = 2_000
"""Characters times instructions of a search that is not counted."""
GO_MESSAGES: Mapping[str, str] = MappingProxyType(
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
_PART = re.compile(
    r"\\Q(?P<quoted>.*?)(?:\\E|\Z)|\{(?P<least>\d{1,4})(?P<range>,(?P<most>\d{0,4}))?\}|(?P<bracket>[()])"
    r"|(?P<atom>\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|[^\\{()*+?|^$])",
    re.DOTALL,
)
"""The parts of a pattern that repetitions make copies of."""


class PatternError(Exception):
    """A pattern that Go would not compile."""

    def __init__(self, message: str, fragment: str) -> None:
        super().__init__(f"error parsing regexp: {message}: `{fragment}`")


@lru_cache(maxsize=64)
def compile_pattern(pattern: str) -> Any:
    """Return the compiled pattern, which has the methods of Python's patterns.

    Raises PatternError, TooMuchWork.
    """
    return _compile(pattern, _options())


@cache_short_texts(1024)
def pattern_problem(pattern: str) -> str:
    """Word why Go would not compile a pattern; empty when it would. Raises TooMuchWork."""
    try:
        # Of bytes a program is a tenth as large as of the characters of Unicode, but it knows only 256 of
        # them.
        plain = pattern.isascii() and r"\x{" not in pattern
        _compile(pattern, _options_of_bytes() if plain else _options())
    except PatternError as error:
        return str(error)
    return ""


def _compile(pattern: str, options: Any) -> Any:
    import re2  # few definitions have patterns

    # Before it is compiled: classes of Unicode are what takes the engine its time.
    spend(
        COMPILED_LIMIT,
        CHECK_INSTRUCTIONS + CLASS * (pattern.count(r"\p") + pattern.count(r"\P")) + len(pattern) // 10,
    )
    count = min(copies(pattern), MAX_REPEATS * len(pattern))
    if count > MAX_COPIES:
        raise PatternError("expression too large", pattern)
    try:
        compiled = re2.compile(pattern.encode() if options is _options_of_bytes() else pattern, options)
    except re2.error as error:
        # Counted on failure as well, or a client could send refused patterns for nothing.
        spend(COMPILED_LIMIT, len(pattern) + count)
        raise _word(_text(error.args[0]), pattern) from error
    # What it really took is known only now.
    spend(COMPILED_LIMIT, compiled.programsize)
    if r"\C" in pattern or pattern.count("(") >= NESTING:
        _check_rest(pattern)
    return compiled


def has_match(pattern: str, text: str) -> bool:
    """Tell whether there is a match in a text. Raises PatternError, TooMuchWork."""
    # Only short texts are kept: a cache of long ones would hold on to much memory.
    return _cached_search(pattern, text) if len(text) <= SHORT_TEXT else _search(pattern, text)


def searchable(pattern: str, text: str) -> Any:
    """Return the compiled pattern for a search in a text. Raises PatternError, TooMuchWork."""
    compiled = compile_pattern(pattern)
    # RE2's time is linear, but with a factor of the size of the program.
    work = compiled.programsize * len(text)
    if work > MAX_SEARCH_WORK:
        raise TooMuchWork(
            f"the text is too long for its pattern: characters times instructions are more than {MAX_SEARCH_WORK}"
        )
    if work > FREE_WORK:
        spend(SEARCHED_LIMIT, work)
    return compiled


def copies(pattern: str) -> int:
    """Return how many copies of characters and classes the
    repetitions of a pattern such as `(a{100}b){10}` make.
    """
    count, last, size, outer = 0, 0, 0, []
    for token in _PART.finditer(pattern) if "{" in pattern else ():
        if token["bracket"] == "(":
            outer.append((count, size))
            count, last, size = 0, 0, 0
        elif token["bracket"]:
            last = size
            before, size = outer.pop() if outer else (0, 0)
            count, size = count + before, size + last
        elif token["least"]:
            times = max(int(token["least"]), int(token["most"] or 0), 1)
            count, size, last = count + last * (times - 1), size + last * (times - 1), last * times
        else:
            last = 1
            size += len(token["quoted"]) if token["quoted"] is not None else 1
    # Brackets that are never closed still have their copies.
    return count + sum(before for before, _ in outer)


def _search(pattern: str, text: str) -> bool:
    return searchable(pattern, text).search(text.encode()) is not None


_cached_search = lru_cache(maxsize=8192)(_search)
"""Names and the like come again and again."""


@lru_cache(maxsize=1)
def _options() -> Any:
    import re2

    # RE2 writes errors to stderr otherwise, besides raising them.
    options = re2.Options()
    options.log_errors, options.max_mem = False, MEMORY
    return options


@lru_cache(maxsize=1)
def _options_of_bytes() -> Any:
    import re2

    options = re2.Options()
    options.log_errors, options.max_mem, options.encoding = (
        False,
        CHECK_MEMORY,
        re2.Options.Encoding.LATIN1,
    )
    return options


def _text(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "replace")


def _word(text: str, pattern: str) -> PatternError:
    message, _, fragment = text.partition(": ")
    # RE2 limits memory where Go limits the size of the syntax tree; the message is Go's.
    if message.startswith("pattern too large"):
        return PatternError("expression too large", pattern)
    # Look-behind begins as a named group does, and Go reports it as one; the whole rest is the fragment.
    if behind := _LOOK_BEHIND.match(fragment):
        return PatternError("invalid named capture", pattern[pattern.index(behind[0]) :])
    return PatternError(GO_MESSAGES.get(message, message), fragment)


def _check_rest(pattern: str) -> None:
    """Check what Go alone refuses: single bytes, and groups that nest too deep. Raises PatternError."""
    depth = 0
    for match in _REST.finditer(pattern):
        if match[1]:
            raise PatternError("invalid escape sequence", match[1])
        depth += {"(": 1, ")": -1}.get(match[2], 0)
        if depth >= NESTING:
            raise PatternError("expression nests too deeply", pattern)

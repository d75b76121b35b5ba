"""Validators of given values, and the text `expected one of …`
for a value that is not one of the known words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


def is_number(value: Any, least: float, *, most: float = math.inf, above: bool = False) -> bool:
    """Whether this is a finite number in [least, most],
    or in (least, most] with `above`; True and False are none.
    """
    # True is an int in Python.
    numeric = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return numeric and (value > least if above else value >= least) and value <= most


def is_whole(value: Any, least: int = 0, *, most: float = math.inf) -> bool:
    """Whether this is an integer in [least, most]; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def expected(word: Any, known_words: Iterable[str]) -> str:
    """Return `expected one of a, b, c`, and the closest match if there is one."""
    words = list(known_words)
    near = nearest(word, words)
    return f"expected one of {', '.join(words) or 'none'}" + (f"; did you mean {near!r}?" if near else "")


def nearest(word: Any, known_words: Iterable[str]) -> str:
    """Return the closest match among the known words in any case, empty without one."""
    from difflib import get_close_matches  # loaded only for an error

    lower = {known_word.lower(): known_word for known_word in known_words}
    near = get_close_matches(word.lower(), lower, n=1) if isinstance(word, str) else []
    return lower[near[0]] if near else ""

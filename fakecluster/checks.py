"""What a value or a word may be that somebody has given, and what to say of another one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


def is_number(value: Any, least: float, *, most: float = math.inf, above: bool = False) -> bool:
    """Whether this is a finite number from `least` on, or `above` it."""
    numeric = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return numeric and (value > least if above else value >= least) and value <= most


def is_whole(value: Any, least: int = 0, *, most: float = math.inf) -> bool:
    """Whether this is a whole number between two."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def expected(word: Any, known: Iterable[str]) -> str:
    """Return `expected one of a, b, c`, and the nearest of them when the word looks like a slip of it."""
    words = list(known)
    near = nearest(word, words)
    return f"expected one of {', '.join(words) or 'none'}" + (f"; did you mean {near!r}?" if near else "")


def nearest(word: Any, known: Iterable[str]) -> str:
    """Return the known word that looks most like this one, empty when none does."""
    from difflib import get_close_matches  # loaded for a mistake only

    lower = {one.lower(): one for one in known}
    near = get_close_matches(word.lower(), lower, n=1) if isinstance(word, str) else []
    return lower[near[0]] if near else ""

"""A word out of a list: what to say of one that is not in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def expected(word: Any, known: Iterable[str]) -> str:
    """Return `expected one of a, b, c`, and the nearest of them when the word looks like a slip of it."""
    from difflib import get_close_matches  # loaded for a mistake only

    words = list(known)
    lower = {one.lower(): one for one in words}
    near = get_close_matches(word.lower(), lower, n=1) if isinstance(word, str) else []
    hint = f"; did you mean {lower[near[0]]!r}?" if near else ""
    return f"expected one of {', '.join(words) or 'none'}{hint}"

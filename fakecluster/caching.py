"""Answers that are remembered by the text that they belong to, unless it is long: a client chooses the text, and its length."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")
LONGEST = 256
"""Characters of a text that is remembered."""


def of_short_texts(entries: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Remember what a function returns for as many short texts."""

    def remembering(function: Callable[[str], T]) -> Callable[[str], T]:
        remembered = lru_cache(maxsize=entries)(function)

        @wraps(function)
        def answer(text: str) -> T:
            return remembered(text) if len(text) <= LONGEST else function(text)

        return answer

    return remembering

"""A cache of what clients send again and again:
only short texts are kept, so that no client fills it with long ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
MAX_CACHED_CHARACTERS = 1024
"""Characters of a text that is remembered: with 4096 of them, a cache holds 4 MiB of texts at most."""


def cache_short_texts(
    maxsize: int,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Remember the results for the last `maxsize` texts of at most MAX_CACHED_CHARACTERS."""

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        # Long texts go past the cache: its size is a number of entries, not of bytes.
        cached = lru_cache(maxsize=maxsize)(function)

        @wraps(function)
        def cached_call(text: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            target = cached if len(text) <= MAX_CACHED_CHARACTERS else function
            return target(text, *args, **kwargs)  # type: ignore[arg-type]

        return cached_call

    return decorate

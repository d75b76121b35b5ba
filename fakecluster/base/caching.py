"""A cache of what clients send again and again:
only short texts are kept, so that no client fills it with long ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
LONGEST_CHARACTERS = 1024
"""Characters of a text that is remembered: with 4096 of them, a cache holds 4 MiB of texts at most."""


def of_short_texts(
    maxsize: int,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Remember the results for the `maxsize` texts that were asked for last, as far as they are short."""

    def decorated(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        cached = lru_cache(maxsize=maxsize)(function)

        @wraps(function)
        def asked(text: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            found = cached if len(text) <= LONGEST_CHARACTERS else function
            return found(text, *args, **kwargs)  # type: ignore[arg-type]

        return asked

    return decorated

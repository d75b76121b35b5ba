"""What one request may cost in all: a server has one thread, so limits of each part do not bound their sum.

Work outside a request, such as following a definition, is not limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

COMPILED = 200_000
"""Instructions of patterns that one request compiles anew: half a second."""
SEARCHED = 100_000_000
"""Characters times instructions of the searches for patterns of one request."""
FIELDS = 100_000
"""Fields of the messages in a body; an empty message counts as one."""
VISITED = 1_000_000
"""Items that the JSON paths of printer columns look at."""
SELECTED = 2_000_000
"""Terms of selectors times the objects that they are asked of."""
ENUMERATED = 300_000
"""Values of enumerations that are compared, or named in errors."""
EVALUATED = 10_000_000
"""Cost of all expressions of one request, as the real server limits it for one object: an item, or ten
characters, is one.
"""
LIMITS = MappingProxyType(
    {
        "instructions of patterns": COMPILED,
        "characters times instructions of patterns": SEARCHED,
        "fields of protobuf": FIELDS,
        "items of JSON paths": VISITED,
        "terms of selectors": SELECTED,
        "values of enumerations": ENUMERATED,
        "cost of expressions": EVALUATED,
    }
)
LEFT: ContextVar[dict[str, int] | None] = ContextVar("left", default=None)
"""What is left of each limit; None outside a request. A request begins with all of `LIMITS`."""


class TooMuchWork(Exception):
    """A request asks for more work than one may cost."""


@contextmanager
def renewed() -> Iterator[None]:
    """Give what happens within a whole budget, such as an event that is written after its request."""
    before = LEFT.set(LIMITS.copy())
    try:
        yield
    finally:
        LEFT.reset(before)


def spend(what: str, cost: int) -> None:
    """Take from the rest of a limit; does nothing outside a request. Raises TooMuchWork."""
    left = LEFT.get()
    if left is None:
        return
    if cost > left[what]:
        raise TooMuchWork(f"a request may need {LIMITS[what]} {what}")
    left[what] -= cost

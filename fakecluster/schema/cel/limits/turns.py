"""What the turns of an expression's comprehensions cost
beyond their number, which the engine limits (FK-274).

The engine copies a list that `map` or `filter` makes in each turn, so its time grows with the square of the
turns. A function that is called in a turn on a text from outside, such as `object.data.a.size()`, walks
through all of that text each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from msgspec import Struct

from ....base.json_types import Json
from ....base.work_budget import spend
from ..model.ranges import TRAVERSAL_COST
from ..model.syntax import Call, Comprehension, Expr, Ident, ListOf, MapOf, Tree, parts

MAX_TURNS = 10_000
"""Turns of one evaluation; the engine gives up beyond them."""
MAX_NESTING = 4
"""Levels of comprehensions that are told apart."""
OPERATORS = frozenset("_@!-")
"""What the names of operators begin with, such as `_==_`: they look at no more than they need."""


class Turns(Struct, frozen=True):
    """The comprehensions of an expression: how deep they nest, how many make lists, and the calls in them on
    what is outside.
    """

    depth: int = 0
    making: int = 0
    walking: int = 0

    def cost(self, items: int, characters: int = 0) -> int:
        """Return what they cost for lists of so many items and texts of so many characters, at most."""
        # Nested deeper than MAX_NESTING, the turns reach MAX_TURNS in any case.
        most = min(int(items ** min(self.depth, MAX_NESTING)), MAX_TURNS)
        return most * (items * self.making + ceil(characters * TRAVERSAL_COST) * self.walking)

    def charge(self, *values: Json) -> None:
        """Take what they cost for these values from the budget of the request. Raises TooMuchWork."""
        if self.making or self.walking:
            spend("cost of expressions", self.cost(*_longest(values)))


NO_TURNS = Turns()


def turns(tree: Tree) -> Turns:
    """Return the comprehensions of an expression."""
    loops = tuple(_loops(tree.expression, 1))
    return Turns(
        depth=max((depth for depth, _ in loops), default=0),
        making=sum(isinstance(loop.start, ListOf | MapOf) for _, loop in loops),
        walking=sum(_walking(loop) for _, loop in loops),
    )


def _loops(node: Expr, depth: int) -> Iterator[tuple[int, Comprehension]]:
    if isinstance(node, Comprehension):
        yield depth, node
        # What it goes through is made once, before its turns.
        yield from _loops(node.range, depth)
        for child in (node.condition, node.step):
            yield from _loops(child, depth + 1)
        return
    for child in parts(node):
        yield from _loops(child, depth)


def _walking(loop: Comprehension) -> int:
    """Return how many functions a turn calls on values from outside of the turn."""
    own = {loop.variable, loop.second, loop.accumulator}
    return sum(_calls(child, own) for child in (loop.condition, loop.step))


def _calls(node: Expr, own: set[str]) -> int:
    calls = sum(_calls(child, own) for child in parts(node))
    # Operators stop at the first difference; functions walk through their whole argument.
    if isinstance(node, Call) and node.function[0] not in OPERATORS:
        calls += any(_is_outside(child, own) for child in parts(node))
    return calls


def _is_outside(node: Expr, own: set[str]) -> bool:
    if isinstance(node, Ident):
        return node.name not in own
    return any(_is_outside(child, own) for child in parts(node))


def _longest(values: Json) -> tuple[int, int]:
    """Return the items of the longest list or map, and the characters of the longest text."""
    # A stack of its own: a call for each level would be Python's, and slow.
    items, characters, remaining = 0, 0, list(values)
    while remaining:
        value = remaining.pop()
        if isinstance(value, str | bytes):
            characters = max(characters, len(value))
        elif isinstance(value, dict | list):
            items = max(items, len(value))
            remaining.extend(value.values() if isinstance(value, dict) else value)
    return items, characters

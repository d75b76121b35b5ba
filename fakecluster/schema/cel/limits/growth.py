"""How much longer than its input the texts are that an expression
makes with `+`, which the engine does not count (FK-274).

Lists are judged by their longest item: only texts double.
What `join` and `replace` make is counted as they run.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..model.ranges import TRAVERSAL_COST
from ..model.syntax import Comprehension, Const, Expr, Ident, Select, Tree, parts


class Growth(Struct, frozen=True):
    """At most so many times the input, and so many characters of literals beside it."""

    times: int = 0
    literals: int = 0
    loops: bool = False
    """Whether there is a comprehension, which the engine stops after some thousands of turns."""

    def __add__(self, other: Growth) -> Growth:
        return Growth(self.times + other.times, self.literals + other.literals, self.loops or other.loops)

    def cost(self, characters: int) -> int:
        """Return what an input of so many characters makes it cost."""
        return int((self.times * characters + self.literals) * TRAVERSAL_COST)


NO_GROWTH, INPUT_SIZE = Growth(), Growth(1)


def growth(tree: Tree) -> Growth:
    """Return the growth of the value of an expression."""
    return _of(tree.expression, {})


def _of(node: Expr, growths: Mapping[str, Growth]) -> Growth:
    match node:
        case Const():
            return Growth(0, len(node.value)) if isinstance(node.value, str | bytes) else NO_GROWTH
        case Ident():
            return growths.get(node.name, INPUT_SIZE)
        case Select():
            # A field is at most as long as what it is taken from.
            return _of(node.operand, growths)
        case Comprehension():
            return _of_comprehension(node, growths)
    return sum((_of(child, growths) for child in parts(node)), NO_GROWTH)


def _of_comprehension(node: Comprehension, growths: Mapping[str, Growth]) -> Growth:
    item = _of(node.range, growths)
    # The accumulator is what the step adds to, and counts by its start.
    inside = {
        **growths,
        node.variable: item,
        node.accumulator: NO_GROWTH,
        **({node.second: item} if node.second else {}),
    }
    turn = _of(node.condition, inside) + _of(node.step, inside)
    return _of(node.start, growths) + turn + Growth(loops=True)

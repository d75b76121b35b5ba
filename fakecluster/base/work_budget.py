"""The work budget of a request: what its parts cost in all, wherever the cost is a product of two sizes that
come from outside.

Limits of each part do not bound their sum, nor their product: a thousand alternatives of a schema and two
thousand items are both small. Work outside a request, such as following a definition, is not limited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
COMPILED = 200_000
"""Instructions of patterns that one request compiles anew: half a second."""
SEARCHED = 100_000_000
"""Characters times instructions of the searches for patterns of one request."""
FIELDS = 100_000
"""Fields of the messages in a body; an empty message counts as one."""
READ = 50_000
"""Characters of the JSON paths of printer columns in a definition: each version reads its own."""
VISITED = 300_000
"""Items that the JSON paths of printer columns look at: a quarter of a second."""
SELECTED = 2_000_000
"""Terms of selectors times the objects that they are asked of."""
ENUMERATED = 300_000
"""Values of enumerations that are compared, or named in errors."""
EVALUATED = 10_000_000
"""Cost of all expressions of one request, as the real server limits it for one object: an item, or ten
characters, is one.
"""
EXPRESSION = 100
"""Characters as which an expression counts that is compiled anew, beside its own."""
EXPRESSIONS = 1_000_000
"""Characters of the expressions that one request compiles anew: a second."""
ALTERNATIVES = 250_000
"""Alternatives of `anyOf`, `oneOf`, `allOf`, `not` that values are tried against, and names that `required`
looks for: half a second.
"""
COMPARED = 100_000
"""Parts of rules that a user grants times the rules that it holds."""
DEFAULTED = 500_000
"""Members that defaults add to the items of lists and maps."""
TOLERATED = 1_000_000
"""Pairs of tolerations that are compared where a RuntimeClass has some as well."""
WORDED = 4 * 1024 * 1024
"""Characters of the errors that are found, told or not:
the answer has each of them twice, and is written in one go.
"""


class WorkLimit(NamedTuple):
    """How much of one kind of work a request may need, and what helps beyond that."""

    most: int
    advice: str


LIMITS: Mapping[str, WorkLimit] = MappingProxyType(
    {
        "instructions of patterns": WorkLimit(COMPILED, "use fewer or simpler patterns"),
        "characters times instructions of patterns": WorkLimit(SEARCHED, "send shorter texts or use simpler patterns"),
        "fields of protobuf": WorkLimit(FIELDS, "send a smaller object"),
        "characters of JSON paths": WorkLimit(READ, "use fewer or shorter printer columns"),
        "items of JSON paths": WorkLimit(VISITED, "ask for fewer objects at a time with limit"),
        "terms of selectors": WorkLimit(SELECTED, "use fewer terms, or ask for fewer objects at a time with limit"),
        "values of enumerations": WorkLimit(ENUMERATED, "send fewer items or use shorter enumerations"),
        "characters of expressions": WorkLimit(EXPRESSIONS, "use fewer or shorter rules"),
        "cost of expressions": WorkLimit(EVALUATED, "send fewer items or use simpler expressions"),
        "alternatives of schemas": WorkLimit(ALTERNATIVES, "send fewer items, or use fewer of anyOf, oneOf, allOf, not and required"),
        "comparisons of rules": WorkLimit(COMPARED, "grant fewer verbs, resources or names at a time"),
        "values of defaults": WorkLimit(DEFAULTED, "send fewer items or use fewer defaults"),
        "pairs of tolerations": WorkLimit(TOLERATED, "use fewer tolerations"),
        "characters of errors": WorkLimit(WORDED, "send an object with fewer errors"),
    }
)  # fmt: skip
FULL_BUDGET: Mapping[str, int] = MappingProxyType({counter: limit.most for counter, limit in LIMITS.items()})
"""What a request may spend before it has spent anything."""
UNDIVIDED = frozenset({"cost of expressions"})
"""Work that is not interrupted: what is raised within an expression becomes its error."""
TURNS_PER_BUDGET = 20
"""Parts of a limit that take as long as others may wait."""
TURN: Mapping[str, int] = MappingProxyType(
    {
        counter: most if counter in UNDIVIDED else most // TURNS_PER_BUDGET
        for counter, most in FULL_BUDGET.items()
    }
)
"""What a computation may spend while others wait."""


class TooMuchWork(Exception):
    """A request asks for more work than it may cost."""


class TurnExceeded(Exception):
    """A computation spends more than it may while others wait;
    done apart, it may spend the rest of its budget.
    """


class Budget:
    """What a request has spent of each limit in all,
    and in the turn that others wait for, None outside one.
    """

    __slots__ = ("in_turn", "spent")

    def __init__(self) -> None:
        self.spent: dict[str, int] = {}
        self.in_turn: dict[str, int] | None = None

    def spend(self, counter: str, cost: int) -> None:
        """Take from a limit. Raises TurnExceeded, TooMuchWork."""
        spent, limits = (self.spent, FULL_BUDGET) if self.in_turn is None else (self.in_turn, TURN)
        total = spent.get(counter, 0) + cost
        if total > limits[counter]:
            # Not an error yet: the computation is done again apart, with the whole budget.
            if limits is TURN:
                raise TurnExceeded
            most, advice = LIMITS[counter]
            raise TooMuchWork(f"a request may need {most} {counter}, and this one needs more: {advice}")
        spent[counter] = total


BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)
"""Of the request that is worked on; None outside a request."""


def in_one_turn(compute: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Return the result of a computation that has no effect. Raises TurnExceeded, TooMuchWork."""
    budget = BUDGET.get()
    if budget is None:
        return compute(*given, **named)
    outer, budget.in_turn = budget.in_turn, {}
    try:
        value = compute(*given, **named)
    finally:
        costs, budget.in_turn = budget.in_turn, outer
    for counter, cost in costs.items():
        budget.spend(counter, cost)
    return value


@contextmanager
def fresh_budget() -> Iterator[None]:
    """Give what happens within a whole budget, such as an event that is written after its request."""
    # A context variable, since requests are interleaved on one loop.
    before = BUDGET.set(Budget())
    try:
        yield
    finally:
        BUDGET.reset(before)


def spend(counter: str, cost: int) -> None:
    """Take from a limit; does nothing outside a request. Raises TurnExceeded, TooMuchWork."""
    budget = BUDGET.get()
    if budget is not None:
        budget.spend(counter, cost)

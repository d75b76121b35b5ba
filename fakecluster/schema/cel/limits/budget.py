"""The budget of one evaluation: long lists, and functions that walk through long texts (FK-274)."""

from __future__ import annotations

from contextvars import ContextVar

from ....base.work_budget import spend as spend_of_request
from .turns import NO_TURNS, Turns

MAX_EVALUATION_COST = 1_000_000
"""The real server's limit for one evaluation; an item of a new list costs one."""
COST_EXCEEDED = "operation cancelled: actual cost limit exceeded"
_remaining = ContextVar("left", default=MAX_EVALUATION_COST)
_turns = ContextVar("turns", default=NO_TURNS)


def renew(turns: Turns) -> None:
    """Begin an evaluation of an expression with these comprehensions."""
    _remaining.set(MAX_EVALUATION_COST)
    _turns.set(turns)


def spend_items(count: int) -> None:
    """Take what a list that a function has made may cost in comprehensions.

    Raises ValueError, TooMuchWork.
    """
    spend(count + _turns.get().cost(count))


def spend(cost: int) -> None:
    """Take from the budget of this evaluation and of its request.

    Raises ValueError, TooMuchWork when that is too little.
    """
    remaining = _remaining.get() - cost
    if remaining < 0:
        raise ValueError(COST_EXCEEDED)
    _remaining.set(remaining)
    spend_of_request("cost of expressions", cost)

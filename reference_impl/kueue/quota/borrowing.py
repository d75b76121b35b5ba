"""How far a request has to reach into its cohorts: the borrow level (Q-129)."""

from __future__ import annotations

from typing import NamedTuple

from .resources import FlavorResource
from .tree import Node, is_borrowing, local_available


class BorrowLevel(NamedTuple):
    """The height of the lowest cohort that holds a request, and whether that is less than the whole tree."""

    height: int
    within_subtree: bool


def height(node: Node) -> int:
    """The distance from a cohort to its furthest leaf; 0 for a queue and for a cohort without children."""
    return max((1 + height(child) for child in node.children.values()), default=0)


def borrow_level(queue: Node, fr: FlavorResource, value: int) -> BorrowLevel:
    """Find how high a request of `value` has to borrow; 0 is within the queue's own quota."""
    if queue.parent is None or not is_borrowing(queue, fr, value):
        return BorrowLevel(0, queue.parent is not None)
    # What the own guaranteed quota covers does not rise.
    rest = value - local_available(queue, fr)
    for cohort in queue.parent.path():
        if not is_borrowing(cohort, fr, rest):
            return BorrowLevel(height(cohort), cohort.parent is not None)
        if cohort.parent is None:
            return BorrowLevel(height(cohort), False)
        rest -= local_available(cohort, fr)
    raise AssertionError("a path ends at a root")

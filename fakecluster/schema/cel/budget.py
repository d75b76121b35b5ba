"""What one evaluation may cost, as far as it is counted here: lists that a number alone makes long (FK-274)."""

from __future__ import annotations

from contextvars import ContextVar

LIMIT = 1_000_000
"""The real server's limit for one evaluation; an item of a new list costs one."""
EXCEEDED = "operation cancelled: actual cost limit exceeded"
_left = ContextVar("left", default=LIMIT)


def renew() -> None:
    """Begin an evaluation."""
    _left.set(LIMIT)


def spend(cost: int) -> None:
    """Take from what is left of this evaluation. Raises ValueError when that is too little."""
    left = _left.get() - cost
    if left < 0:
        raise ValueError(EXCEEDED)
    _left.set(left)

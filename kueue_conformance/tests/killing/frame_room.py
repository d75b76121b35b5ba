"""Room for the frames of calls, in one piece.

CPython keeps frames in chunks of 16 KiB. It maps one more when a call needs it and unmaps it when that call
returns, so a loop that calls across the end of a chunk does both each time: in a pytest within pytest some
hundred times for each wrong control plane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_SLOTS = 64 * 1024
"""Slots of 8 bytes of the frame below: the chunk that is made for it has as much again for those above it."""


def with_room(function: Callable[[], T]) -> T:
    """Call a function, and return what it returns."""
    return function()


with_room.__code__ = with_room.__code__.replace(co_stacksize=_SLOTS)

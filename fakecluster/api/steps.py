"""How a request waits for others: its steps yield what they wait for and are sent the answers (design.md §5).

Steps do no I/O. `begin` takes them until they wait or end, so a request that waits for nothing is answered
without a turn of the event loop; the server awaits what a Pending waits for and resumes it.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from .outcome import Call, CallResult, Outcome

T = TypeVar("T")


class Reached(Struct, frozen=True, kw_only=True):
    """That the store has come to a revision, waited for at most so many seconds of the cluster's time
    (FK-139).
    """

    revision: int
    seconds: float


Wait: TypeAlias = tuple[Call, ...] | Reached
"""Calls that are made at the same time, or a revision; a request that waits for a revision is not at work, so
that a clock may move on.
"""
PAUSE: Wait = ()
"""No calls: nothing is waited for, but others may have a turn before the steps go on."""
Answers: TypeAlias = tuple[CallResult, ...]
"""The results of calls, in their order; nothing for a revision."""
Steps: TypeAlias = Generator[Wait, Answers, T]
"""A computation that may wait for others on its way to a T."""


class Pending(Struct, Generic[T], frozen=True):
    """Steps that wait; they are resumed once, with the answers."""

    wait: Wait
    steps: Steps[T]

    def resume(self, answers: Answers) -> T | Pending[T]:
        """Go on until the steps wait again or end."""
        try:
            return Pending(self.steps.send(answers), self.steps)
        except StopIteration as done:
            found: T = done.value
            return found


Begun: TypeAlias = Outcome | Pending[Outcome]
"""A request that has begun: what came of it, or what it waits for."""


def begin(steps: Steps[T]) -> T | Pending[T]:
    """Take steps until they wait or end."""
    try:
        return Pending(next(steps), steps)
    except StopIteration as done:
        found: T = done.value
        return found


def rest(found: T | Pending[T]) -> Steps[T]:
    """Take the steps that are left."""
    while isinstance(found, Pending):
        found = found.resume((yield found.wait))
    return found


class Unready(Exception):
    """A frame of a watch cannot be made before some steps are done; equal keys stand for the same steps."""

    def __init__(self, key: Hashable, steps: Steps[None]) -> None:
        super().__init__(f"{key} has to be done first")
        self.key = key
        self.steps = steps

"""How a request waits for others: its steps yield what they wait for and are sent the answers (design.md §5).

Steps do no I/O. `begin` takes them until they wait or end, so a request that waits for nothing is answered
without a turn of the event loop; the server awaits what a Pending waits for and resumes it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextvars import copy_context
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from .outcome import Call, CallResult, Outcome

T = TypeVar("T")


class RevisionWait(Struct, frozen=True, kw_only=True):
    """That the store has come to a revision, waited for at
    most so many seconds of the cluster's time (FK-139).
    """

    revision: int
    seconds: float


class Computation:
    """A computation that takes longer than the others of a server should wait.

    It depends on its arguments alone, so it may be done on
    another thread while the event loop answers others.
    """

    __slots__ = ("_compute", "_error", "_value")

    def __init__(self, compute: Callable[[], Any]) -> None:
        self._compute: Callable[[], Any] = partial(copy_context().run, compute)
        self._value: Any = None
        self._error: BaseException | None = None

    def perform(self) -> None:
        """Compute, in the context variables of the request."""
        try:
            self._value = self._compute()
        except BaseException as error:  # noqa: BLE001 - raised where the result is taken
            self._error = error

    def take(self) -> Any:
        """Return the value that was computed. Raises what the computation has raised."""
        if self._error is None:
            return self._value
        try:
            raise self._error
        finally:
            self._error = None  # which knows this frame


Wait: TypeAlias = tuple[Call, ...] | RevisionWait | Computation
"""Calls that are made at the same time, a revision, or a computation; a request that waits for a revision is
not at work, so that a clock may move on.
"""
LONG_BYTES = 32 * 1024
"""Bytes of objects that are worked on at once: up to 20 ms; longer computations are done apart."""
PAUSE: Wait = ()
"""No calls: nothing is waited for, but others may have a turn before the steps go on."""
PAUSE_BYTES = 4 * 1024
"""Bytes of a controller's work that count as one request in its slice of the loop's time."""
Answers: TypeAlias = tuple[CallResult, ...]
"""The results of calls, in their order; nothing for a revision or a computation."""
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
            result: T = done.value
            return result


Begun: TypeAlias = Outcome | Pending[Outcome]
"""A request that has begun: what came of it, or what it waits for."""


def begin(steps: Steps[T]) -> T | Pending[T]:
    """Take steps until they wait or end."""
    try:
        return Pending(next(steps), steps)
    except StopIteration as done:
        result: T = done.value
        return result


def at_once(compute: Callable[[], T]) -> Steps[T]:
    """Return the result of a computation during which others wait."""
    yield from ()
    return compute()


def apart(compute: Callable[[], T]) -> Steps[T]:
    """Return the result of a computation during which others are answered."""
    computation = Computation(compute)
    yield computation
    value: T = computation.take()
    return value


def pauses(size: int) -> Steps[None]:
    """Let others have their turns sooner because of work on so many bytes."""
    for _ in range(size // PAUSE_BYTES):
        yield PAUSE


def in_turn(size: int, compute: Callable[[], T]) -> Steps[T]:
    """Return the result of a computation on so many bytes,
    during which others are answered when they are many.
    """
    return (yield from (apart if size > LONG_BYTES else at_once)(compute))


def rest(progress: T | Pending[T]) -> Steps[T]:
    """Take the steps that are left."""
    while isinstance(progress, Pending):
        progress = progress.resume((yield progress.wait))
    return progress


def take_without_turns(steps: Steps[T]) -> T | Pending[T]:
    """Take steps until they wait for calls or a revision, or end; others have no turn meanwhile."""
    progress = begin(steps)
    while isinstance(progress, Pending) and (
        progress.wait == PAUSE or isinstance(progress.wait, Computation)
    ):
        if isinstance(progress.wait, Computation):
            progress.wait.perform()
        progress = progress.resume(())
    return progress


class NeedsSteps(Exception):
    """A frame of a watch cannot be made before some steps are done; equal keys stand for the same steps."""

    def __init__(self, key: Hashable, steps: Steps[None]) -> None:
        super().__init__(f"{key} has to be done first")
        self.key = key
        self.steps = steps

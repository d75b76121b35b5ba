"""A statement about the cluster, with the expected and the observed state."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeAlias, TypeVar

from ..base.errors import UsageError

_PACKAGE = __name__.partition(".")[0]
_NOT_LIBRARY = (f"{_PACKAGE}.tests", f"{_PACKAGE}.suites")
_STAGE = f"{_PACKAGE}.stage."
UNDESCRIBED = "the condition of the scenario holds"
"""What is expected by a condition that has no words of its own: its clause has them."""
_LONGEST_VALUE = 300
Value = TypeVar("Value")


class Fact:
    """True when it holds; prints what was expected and what was observed.

    A fact that is never read, by `within`, an `assert` or an `if`, proves nothing: `FactLedger` lists these.
    """

    __slots__ = ("_expected", "_holds", "_is_read", "_observed")

    def __init__(self, holds: bool, expected: str, observed: str) -> None:
        self._holds, self._expected, self._observed = holds, expected, observed
        self._is_read = False
        ledger = _LEDGER.get()
        if ledger is not None:
            # Within a condition `as_fact` puts a ledger of its own in this place.
            ledger.add(self)

    @property
    def holds(self) -> bool:
        """Whether it holds."""
        self._is_read = True
        return self._holds

    @property
    def expected(self) -> str:
        """The expected state."""
        self._is_read = True
        return self._expected

    @property
    def observed(self) -> str:
        """The observed state."""
        self._is_read = True
        return self._observed

    @property
    def is_read(self) -> bool:
        """Whether something has asked if it holds, or for its texts."""
        return self._is_read

    def negate(self) -> Fact:
        """Return the opposite statement."""
        return Fact(not self.holds, f"not so: {self.expected}", self.observed)

    def with_observed(self, text: str) -> Fact:
        """Return the statement with another observed state."""
        return Fact(self.holds, self.expected, text)

    def __bool__(self) -> bool:
        self._is_read = True
        return self._holds

    def __repr__(self) -> str:
        return f"Fact({self._holds}, {self._expected!r}, {self._observed!r})"


class Premise(Fact):
    """A statement that the scenario has to bring about before its rule can be judged: a fault was met.

    Where it does not hold, nothing was judged, and no rule is broken.
    """

    __slots__ = ()


Condition: TypeAlias = Callable[[], "Fact | bool"]


class FactLedger:
    """The facts that a case creates outside of conditions, with the lines that ask for them."""

    def __init__(self) -> None:
        self._facts: list[tuple[Fact, str, int]] = []

    def add(self, fact: Fact) -> None:
        """Record a fact with the nearest line outside of the library."""
        # The line of the scenario and not of the stage: that is where the `assert` is missing.
        frame = _nearest(sys._getframe(2))  # noqa: SLF001 - the one way to a frame that costs no file access
        if frame is not None:
            self._facts.append((fact, frame.f_code.co_filename, frame.f_lineno))

    def unread(self) -> Sequence[str]:
        """Return the lines whose facts nothing read: `test_retry.py:40: workload.is_admitted()`."""
        # A dict keeps the order of the lines and drops repetitions of a loop.
        lines = {(file, line): None for fact, file, line in self._facts if not fact.is_read}
        return [
            f"{Path(file).name}:{line}: {linecache.getline(file, line).strip()}".rstrip(": ")
            for file, line in lines
        ]


class _NewestFact:
    """The fact that a condition created last: `all` and `any` end with the one that decides. And the values
    that it read.
    """

    __slots__ = ("fact", "values")

    def __init__(self) -> None:
        self.fact: Fact | None = None
        self.values: dict[str, Any] = {}

    def add(self, fact: Fact) -> None:
        self.fact = fact


# A context variable: threads of stand-ins and subjects make facts of their own, which no scenario
# has to read.
_LEDGER: ContextVar[FactLedger | _NewestFact | None] = ContextVar("ledger", default=None)
_EVALUATION: ContextVar[str] = ContextVar("evaluation", default="")


@contextmanager
def fact_ledger() -> Iterator[FactLedger]:
    """Record the facts of a block."""
    ledger = FactLedger()
    token = _LEDGER.set(ledger)
    try:
        yield ledger
    finally:
        _LEDGER.reset(token)


def record_value(words: str, value: Value) -> Value:
    """Return a value that a scenario compares; the failure of a condition that read it shows it."""
    newest = _LEDGER.get()
    if isinstance(newest, _NewestFact):
        newest.values[words] = value
    return value


def forbid_act() -> None:
    """Raise UsageError when a condition is evaluated: an act in it would be carried out at every look."""
    if wait := _EVALUATION.get():
        act = _act_of(sys._getframe(1))  # noqa: SLF001 - only on the way to an error
        raise UsageError(
            f"{act} acts, so it cannot be the condition of {wait}(), which is evaluated many times",
            hint=f"call it on a line of its own, and give {wait}() a fact: is_…, has_…, was_…, lists_…, shows_…",
        )


def as_fact(condition: Condition, wait: str = "within") -> Fact:
    """Evaluate the condition of a wait; a plain truth value is described by the condition's own words, and by
    the fact that decided it.

    Raises UsageError for a condition that acts, or that is none.
    """
    # `within(x.is_done())` evaluates once, before the wait: the most frequent slip, so it is told
    # by name.
    if not callable(condition):
        raise UsageError(
            f"{wait}() was given {condition!r} for a condition",
            hint=_example(wait, isinstance(condition, Fact)),
        )
    # What is created in a condition is read here, or by the `and` and `or` of the condition.
    newest = _NewestFact()
    ledger, evaluation = _LEDGER.set(newest), _EVALUATION.set(wait)
    try:
        outcome = condition()
    finally:
        _LEDGER.reset(ledger)
        _EVALUATION.reset(evaluation)
    if isinstance(outcome, Fact):
        return outcome
    # A function that asserts, or one that forgot to return.
    if outcome is None:
        raise UsageError(f"the condition of {wait}() returned None", hint=_example(wait, is_called=False))
    return _describe(bool(outcome), (condition.__doc__ or "").strip(), newest)


def _describe(holds: bool, words: str, newest: _NewestFact) -> Fact:
    """Return a truth value as a fact, with the words of its condition, and of the fact or the values that
    decided it.
    """
    decisive = newest.fact
    if decisive is None:
        values = "; ".join(f"{name}: {str(value)[:_LONGEST_VALUE]}" for name, value in newest.values.items())
        decisive = Fact(holds, UNDESCRIBED, values or "it does not hold")
    elif decisive.holds != holds:
        decisive = decisive.negate()
    return Fact(holds, words.splitlines()[0] if words else decisive.expected, decisive.observed)


def _example(wait: str, is_called: bool) -> str:
    budget = '"admit", ' if wait == "within" else ""
    called = "a condition is evaluated many times, so it is not called: " if is_called else ""
    return (
        f"{called}write {wait}({budget}workload.is_admitted), or {wait}({budget}lambda: queue.is_stopped(…))"
    )


def _nearest(frame: FrameType | None) -> FrameType | None:
    """Return the nearest frame outside of the library."""
    while frame is not None and _is_library(frame):
        frame = frame.f_back
    return frame


def _is_library(frame: FrameType) -> bool:
    module: str = frame.f_globals.get("__name__", "")
    return module.startswith(f"{_PACKAGE}.") and not module.startswith(_NOT_LIBRARY)


def _act_of(frame: FrameType | None) -> str:
    """Return the outermost word of the stage between a condition and what it does: `Queue.set_quota`."""
    act, condition = "the condition", as_fact.__code__
    # Outwards up to the condition: the outermost word of the stage is what the author wrote.
    while frame is not None and frame.f_code is not condition:
        if frame.f_globals.get("__name__", "").startswith(_STAGE) and frame.f_code.co_name[0] not in "_<":
            act = _word(frame, frame.f_code)
        frame = frame.f_back
    return act


def _word(frame: FrameType, code: CodeType) -> str:
    owner = frame.f_locals.get("self")
    return f"{type(owner).__name__}.{code.co_name}" if owner is not None else code.co_name

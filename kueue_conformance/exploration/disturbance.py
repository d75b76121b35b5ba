"""Brings an interruption of a program about while a story is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

from ..backends.faults import Faults
from ..case.context import CaseContext
from . import interruptions as kinds
from .perturbation import Perturbation, PerturbationKind

_WRITES = "[cdpu]*"
"""Pattern of the verbs that write: create, delete, patch, update."""
_REFUSALS: Mapping[PerturbationKind, int] = {kinds.CONFLICT: 409, kinds.THROTTLED: 429, kinds.FAILED: 500}
_FROZEN_SECONDS = 1.0
"""How long watches are silent behind an act."""


class Program(Protocol):
    """The program that is explored, such as a control plane."""

    @property
    def restart(self) -> Callable[[], object]:
        """Ends it, and starts it again."""

    @property
    def stopped(self) -> Callable[[], AbstractContextManager[object]]:
        """Ends it for the time of a block."""


class Interruption(Protocol):
    """What interrupts the program in one run."""

    is_none: bool
    """Whether nothing is disturbed in the whole run."""

    @property
    def was_met(self) -> bool:
        """Whether it has happened: one of a request waits for the program to send it."""

    def around(self, number: int) -> AbstractContextManager[None]:
        """Disturb the act of this number, where it is the perturbation's own."""

    def end(self) -> None:
        """Disturb nothing any more."""


class Undisturbed:
    """Interrupts nothing, also where requests of the program cannot be."""

    is_none = True
    was_met = True

    def around(self, number: int) -> AbstractContextManager[None]:
        """Let an act alone."""
        del number
        return nullcontext()

    def end(self) -> None:
        """Do nothing."""


def interruption(
    perturbation: Perturbation | None, context: CaseContext, faults: Faults | None, program: Program
) -> Interruption:
    """Return what brings a perturbation about; None disturbs nothing."""
    if perturbation is None:
        return Undisturbed()
    assert faults is not None, "asked for before the exploration began"
    return Disturbance(perturbation, context, faults, program)


class Disturbance:
    """The perturbation of one run."""

    is_none = False

    def __init__(
        self, perturbation: Perturbation, context: CaseContext, faults: Faults, program: Program
    ) -> None:
        self._perturbation = perturbation
        self._program = program
        self._context = context
        self._faults = faults
        skip = perturbation.request - 1
        self._begins: Mapping[PerturbationKind, Callable[[], object]] = {
            **{kind: self._refusing(code, skip) for kind, code in _REFUSALS.items()},
            kinds.KILLED: lambda: faults.cut(verb=_WRITES, skip=skip),
            kinds.ANSWER_LOST: lambda: faults.cut(verb=_WRITES, times=1, skip=skip, after=True),
            kinds.FAILED_AFTER_WRITE: lambda: faults.refuse(
                500, verb=_WRITES, times=1, skip=skip, after=True
            ),
            kinds.RESTARTED: program.restart,
            kinds.WATCHES_CUT: lambda: faults.end_watches(0),
            kinds.WATCHES_EXPIRED: lambda: faults.end_watches(410),
            kinds.EVENT_LOST: lambda: faults.refuse_events(410, times=1),
            kinds.FROZEN: faults.freeze_watches,
            kinds.REPEATED: faults.repeat_events,
        }
        self.was_met = not perturbation.kind.meets_request

    def _refusing(self, code: int, skip: int) -> Callable[[], object]:
        return lambda: self._faults.refuse(code, verb=_WRITES, times=1, skip=skip)

    @contextmanager
    def around(self, number: int) -> Iterator[None]:
        """Disturb the act of this number, where it is the perturbation's own."""
        perturbation = self._perturbation
        if perturbation.act != number:
            yield
            return
        self._context.disturbed.append({"perturbation": str(perturbation)})
        if perturbation.kind is kinds.DOWN:
            with self._program.stopped():
                yield
            return
        self._begins[perturbation.kind]()
        yield
        if perturbation.kind.meets_request:
            self._meet(perturbation.kind)
        elif perturbation.kind is kinds.FROZEN:
            self._context.cluster.passes(_FROZEN_SECONDS, self._context.react)
            self._faults.clear()

    def end(self) -> None:
        """Disturb nothing any more."""
        self._faults.clear()

    def _meet(self, kind: PerturbationKind) -> None:
        """Wait until a request has met its fault, and restart the program where it was killed."""
        seconds = self._context.budgets.seconds("react")
        self.was_met = self._context.cluster.wait(
            lambda: bool(self._faults.hits), seconds, self._context.react
        )
        if kind.restarts:
            self._program.restart()
        self._faults.clear()

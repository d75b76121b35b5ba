"""Brings a perturbation about while a story is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...backends.faults import Faults
from ...case.context import CaseContext
from ...stage.subject.faults import VERDICT
from ...stage.subject.subject import Subject
from ..perturbation import Perturbation, PerturbationKind
from . import perturbations as kinds

_REFUSALS: Mapping[PerturbationKind, int] = {kinds.CONFLICT: 409, kinds.THROTTLED: 429, kinds.FAILED: 500}


class Disturbance:
    """The perturbation of one run; None disturbs nothing."""

    def __init__(
        self, perturbation: Perturbation | None, context: CaseContext, subject: Subject, faults: Faults
    ) -> None:
        self._perturbation = perturbation
        self._context = context
        self._subject = subject
        self._faults = faults
        self._begins: Mapping[PerturbationKind, Callable[[], object]] = {
            **{kind: self._refusing(code) for kind, code in _REFUSALS.items()},
            kinds.KILLED_BEFORE_WRITE: lambda: faults.cut(kind=VERDICT, times=1),
            kinds.KILLED_AFTER_WRITE: lambda: faults.cut(kind=VERDICT, times=1, after=True),
            kinds.ANSWER_LOST: lambda: faults.cut(kind=VERDICT, times=1, after=True),
            kinds.FAILED_AFTER_WRITE: lambda: faults.refuse(500, kind=VERDICT, times=1, after=True),
            kinds.DOWN: subject.kill,
            kinds.WATCH_CUT: lambda: faults.end_watches(0),
            kinds.WATCH_EXPIRED: lambda: faults.end_watches(410),
            kinds.EVENT_LOST: lambda: faults.refuse_events(410, kind="Workload", times=1),
            kinds.FROZEN: faults.freeze_watches,
            kinds.REPEATED: faults.repeat_events,
        }
        self.was_met = perturbation is None or not perturbation.kind.meets_request
        """Whether it has happened: one of a write waits for the controller to send it."""

    def _refusing(self, code: int) -> Callable[[], object]:
        return lambda: self._faults.refuse(code, kind=VERDICT, times=1)

    def before(self, number: int) -> None:
        """Begin, where the act of this number is its own."""
        if self._perturbation is not None and self._perturbation.act == number:
            self._context.disturbed.append({"perturbation": str(self._perturbation)})
            self._begins[self._perturbation.kind]()

    def after(self, number: int) -> None:
        """Do what follows an act: meet the write, start the program again, or let events come again."""
        if self._perturbation is None:
            return
        kind, began = self._perturbation.kind, self._perturbation.act
        if number == began and kind.meets_request:
            self._meet(kind)
        elif number == began and kind is kinds.DOWN:
            self._subject.start()
        elif number == began + 1 and kind is kinds.FROZEN:
            self._faults.clear()

    def end(self) -> None:
        """Disturb nothing any more; what began stays in the story."""
        if self._perturbation is not None:
            self._faults.clear()

    def _meet(self, kind: PerturbationKind) -> None:
        """Wait until the write has met its fault, and kill the program there where that is what happens."""
        seconds = self._context.budgets.seconds("react")
        self.was_met = self._context.cluster.wait(
            lambda: bool(self._faults.hits), seconds, self._context.react
        )
        if not self.was_met:
            self._faults.clear()
        elif kind.restarts:
            self._subject.kill()
            self._faults.clear()
            self._subject.start()

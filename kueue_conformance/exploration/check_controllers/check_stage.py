"""Carries out acts on an AdmissionCheck of the controller: its parameters, its deletion, its owner."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...history.fact import Fact
from ...stage.checks.check import Check
from ...stage.making.names import Names
from ...stage.subject.objects import ParametersObject
from ...stage.subject.subject import Subject
from .acts import UNSET, Act, Verb

_REFERENCES = {
    "Missing": "missing",
    "OtherKind": "of another kind",
    "OtherGroup": "of another group",
}
_ANOTHER = "kueue-conformance.dev/another-controller"


class CheckStage:
    """A check, and the object that it refers to where the controller reads parameters."""

    def __init__(self, subject: Subject, names: Names) -> None:
        self._subject = subject
        self._names = names
        self._parameters: ParametersObject | None = None
        self.check: Check = subject.make_check()
        self._past = 0
        self._acts: Mapping[Verb, Callable[[Act], object]] = {
            Verb.BREAK_CHECK: self._break,
            Verb.MEND_CHECK: self._mend,
            Verb.TOUCH_CHECK: lambda _: self.check.touch(),
            Verb.MARK_CHECK: lambda _: self.check.add_foreign_fields(),
            Verb.DROP_CHECK: lambda _: self.check.delete(),
            Verb.CREATE_CHECK: lambda _: subject.create_check(self.check),
            Verb.GIVE_CHECK: lambda _: self.check.recreate(_ANOTHER),
            Verb.TAKE_CHECK: lambda _: subject.take_over(self.check),
        }

    def carry_out(self, act: Act) -> None:
        """Carry out an act on this check."""
        self._acts[act.verb](act)

    def rest(self) -> None:
        """Remember what its Active condition said until now."""
        self._past = len(self.check.active_statuses())

    def stays_active(self) -> Fact:
        """Its Active condition has said nothing but True since the last rest."""
        statuses = self.check.active_statuses()[self._past :]
        expected = f"AdmissionCheck {self.check.name} stays Active while it can be used"
        return Fact(set(statuses) <= {"True"}, expected, f"it said {statuses}")

    def shows(self, active: str) -> Fact:
        """Its Active condition has this status: with a reason where it is False, of the newest generation."""
        if not active:
            return Fact(True, "", "")
        return self.check.is_active() if active == "True" else self.check.shows_why_inactive()

    def _break(self, act: Act) -> None:
        if act.word == UNSET:
            self.check.set_parameters(None)
            return
        if act.word in _REFERENCES:
            self.check.set_parameters(dict(self._subject.wrong_parameters(_REFERENCES[act.word])))
            return
        # An object of its own: other checks may share the usual one.
        parameters = self._parameters or self._subject.make_parameters()
        self._parameters = parameters
        self.check.set_parameters(dict(parameters.reference))
        parameters.create(valid=False)

    def _mend(self, _: Act) -> None:
        self._parameters = self._parameters or self._subject.make_parameters()
        self._parameters.create()
        self.check.set_parameters(dict(self._parameters.reference))

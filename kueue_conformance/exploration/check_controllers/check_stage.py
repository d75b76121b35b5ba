"""Carries out acts on an AdmissionCheck of the controller: its parameters, its deletion, its owner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...history.fact import Fact
from ...stage.checks.check import Check
from ...stage.kueue.scripted_kueue import ScriptedKueue
from ...stage.making.names import Names
from ...stage.subject.objects import ParametersObject
from ...stage.subject.subject import Subject
from .acts import DELETED, IN_USE, UNSET, Act, Verb

_REFERENCES = {
    "OtherKind": "of another kind",
    "OtherGroup": "of another group",
}
_ANOTHER = "kueue-conformance.dev/another-controller"


class CheckStage:
    """A check, and the object that it refers to where the controller reads parameters."""

    def __init__(self, subject: Subject, names: Names, kueue: ScriptedKueue) -> None:
        self._subject = subject
        self._names = names
        self._kueue = kueue
        self._parameters: ParametersObject | None = None
        self.check: Check = subject.make_check()
        self._is_in_use = False
        self._past = 0
        self._acts: Mapping[Verb, Callable[[Act], object]] = {
            Verb.BREAK_CHECK: lambda act: self.check.set_parameters(self._wrong_parameters(act.word)),
            Verb.MEND_CHECK: self._mend,
            Verb.TOUCH_CHECK: lambda _: self.check.touch(),
            Verb.MARK_CHECK: self._mark,
            Verb.UNMARK_CHECK: self._unmark,
            Verb.DROP_CHECK: lambda _: self.check.delete(),
            Verb.CREATE_CHECK: self._create,
            Verb.GIVE_CHECK: lambda _: self.check.recreate(_ANOTHER),
            Verb.TAKE_CHECK: lambda _: subject.take_over(self.check),
        }

    def carry_out(self, act: Act) -> None:
        """Carry out an act on this check."""
        self._acts[act.verb](act)

    def rest(self) -> None:
        """Remember what its Active condition said until now."""
        self._past = len(self.check.active_statuses())

    def stays(self, active: str) -> Fact:
        """Its Active condition has said nothing else since the last rest."""
        statuses = self.check.active_statuses()[self._past :]
        allowed = {"True"} if active == "True" else {"False", "Unknown"}
        expected = f"AdmissionCheck {self.check.name} stays {'' if active == 'True' else 'not '}Active"
        return Fact(set(statuses) <= allowed, expected, f"it said {statuses}")

    def was_never_active(self) -> Fact:
        """Its Active condition was never True since the check was created."""
        return self.check.was_active().negate()

    def shows(self, active: str) -> Fact:
        """Its Active condition has this status: with a reason where it is False, of the newest generation."""
        if not active:
            return Fact(True, "", "")
        return self.check.is_active() if active == "True" else self.check.shows_why_inactive()

    def is_kept(self) -> Fact:
        """It is there, deleted or not, as long as finalizers of others keep it."""
        return self.check.is_gone().negate()

    def _wrong_parameters(self, mistake: str) -> dict[str, Any] | None:
        """Return a reference that is wrong, or one to an object that is."""
        if mistake == UNSET:
            return None
        if mistake in _REFERENCES:
            return dict(self._subject.wrong_parameters(_REFERENCES[mistake]))
        # An object of its own: other checks may share the usual one.
        if mistake == DELETED:
            return self._delete_parameters()
        if mistake == "Missing" or self._parameters is None:
            self._parameters = self._subject.make_parameters(created=False)
        if mistake == "Invalid":
            self._parameters.create(valid=False)
        return dict(self._parameters.reference)

    def _delete_parameters(self) -> dict[str, Any]:
        """Delete what the check refers to, and return the reference."""
        if self._parameters is None:
            self._parameters = self._subject.make_parameters()
            self.check.set_parameters(dict(self._parameters.reference))
        self._parameters.delete()
        return dict(self._parameters.reference)

    def _mend(self, _: Act) -> None:
        self._parameters = self._parameters or self._subject.make_parameters()
        self._parameters.create()
        self.check.set_parameters(dict(self._parameters.reference))

    def _create(self, act: Act) -> None:
        if act.word:
            self._subject.create_check(self.check, self._wrong_parameters(act.word))
        else:
            self._subject.create_check(self.check)

    def _mark(self, act: Act) -> None:
        self._is_in_use = act.word == IN_USE
        if self._is_in_use:
            self._kueue.add_finalizer(self.check)
        else:
            self.check.add_foreign_fields()

    def _unmark(self, _: Act) -> None:
        if self._is_in_use:
            self._kueue.remove_finalizer(self.check)
        else:
            self.check.remove_foreign_finalizer()

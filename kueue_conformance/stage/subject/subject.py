"""The judged check controller in a scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ...base.json_types import Json
from ...case.context import CaseContext, within
from ...case.failure_text import CANARY
from ...history.fact import Fact, forbid_act
from ...subject.running_subject import RunningSubject
from ...subject.verdicts import UNDECIDED, PlannedAnswer
from ..checks.check import Check
from ..making import manifests
from ..making.names import Names
from ..workloads.workload import Workload
from .check_names import CheckNames
from .driven_system import DrivenSystem
from .objects import UNUSED, WRONG, ParametersObject, SubjectWork
from .operating import SubjectReplicas
from .outside_system import OutsideSystem, VerdictEndpoint

_TROUBLE = {
    "an error": PlannedAnswer({"error": "down"}, code=500),
    "nonsense": PlannedAnswer({"weather": "fine"}),
    "an unknown state": PlannedAnswer({"state": "Maybe", "message": "the verdict is Maybe"}),
    "no verdict": UNDECIDED,
}
LONGEST_MESSAGE, LONGEST_PASSED_ON = 1024, 32_768
"""Bytes of what a controller says in its own words, and of what one says that passes on the words of an
autoscaler (CC-036, PA-170).
"""
_TEXTS = {
    "nothing": "",
    "a book": "a long story " * 400,
    "more than an entry holds": "a long story " * 3_000,
    "letters of three bytes": "準" * 14_000,
    "emoji": "a" + "😀" * 11_000,
}
"""What explains a verdict. The last three are longer than the 32 768 bytes that an entry holds (AC-120),
and a cut at a round number of bytes or UTF-16 units goes through a letter of the last two.
"""
_DECLARED: Mapping[str, Any] = MappingProxyType({"declared": True})
"""Stands for the parameters that checks of the subject have unless a scenario says otherwise."""


class Subject(SubjectReplicas):
    """Creates checks of the subject, sets the outside system's answers,
    and has facts about the subject's writes.
    """

    def __init__(self, context: CaseContext, running: RunningSubject, names: Names, namespace: str) -> None:
        super().__init__(context, running)
        self._names = names
        self._namespace = namespace
        self._checks: list[str] = []
        self._check_names = CheckNames(names, running.check_name)
        self._canary_check: Check | None = None
        self._running = running
        self._usual: ParametersObject | None = None
        self.controller_name = running.controller_name
        self._outside: OutsideSystem = VerdictEndpoint(running.verdicts)
        if not running.drivers.asks:
            driven = DrivenSystem(context, running.drivers, running.controller_name, self._checks)
            context.stand_ins.append(driven.act)
            context.preparations.append(driven.prepare)
            self._outside = driven

    def make_check(self, parameters: Mapping[str, Any] | None = _DECLARED) -> Check:
        """Make an AdmissionCheck with the subject's controller name; the subject has to make it Active."""
        return self._make_check(self._check_names.take(), parameters)

    def create_check(self, check: Check, parameters: Mapping[str, Any] | None = _DECLARED) -> Check:
        """Create the object of a missing check."""
        return self._make_check(check.name, parameters)

    def make_check_of_any_name(self) -> Check:
        """Make an AdmissionCheck under a new name, also for a subject that answers for one name alone."""
        return self._make_check(self._check_names.free(), _DECLARED)

    def make_foreign_check(self) -> Check:
        """Make an inactive check of another controller under a name that the subject would serve."""
        check = self.missing_check()
        self._put(manifests.admission_check(check.name))
        return check

    def missing_check(self) -> Check:
        """Return a check that does not exist, under a name that the subject would serve."""
        check = Check(self._context, self._check_names.take())
        self._put_away(check)
        return check

    def canary_check(self) -> Check | None:
        """Return the check that Workloads list which only show that the subject works; None while it cannot
        answer them.

        It is one beside those of the case, unless the subject answers for one name alone. Then the case's own
        is used while it belongs to the subject and is Active.
        """
        bound = self._check_names.bound
        if bound and self._check_names.is_taken:
            check = Check(self._context, bound)
            return check if check.is_usable_by(self.controller_name) else None
        if self._canary_check is None:
            self._canary_check = self._make_check(bound or self._names.name(CANARY), _DECLARED)
        return self._canary_check

    def _make_check(self, name: str, parameters: Mapping[str, Any] | None) -> Check:
        refers = self._usual_reference() if parameters is _DECLARED else parameters
        self._put(manifests.admission_check(name, self.controller_name, dict(refers) if refers else None))
        if name not in self._checks:
            self._checks.append(name)
        return Check(self._context, name)

    def _put(self, manifest: Json) -> None:
        """Create a check; one that canaries have used under its name becomes it."""
        check = self._canary_check
        if check is None or check.name != manifest["metadata"]["name"]:
            self._context.client.create(manifest)
        elif check.spec != manifest["spec"]:
            self._put_away(check)
            self._context.client.create(manifest)

    def _put_away(self, check: Check) -> None:
        """Delete the check of canaries where it has this name."""
        if self._canary_check is not None and self._canary_check.name == check.name:
            self._canary_check = None
            check.delete()
            within("cleanup", check.is_gone)

    def make_parameters(self, *, valid: bool = True, created: bool = True) -> ParametersObject:
        """Make an object that a check can refer to; unless `created`, it does not exist yet."""
        declared = self._running.parameters
        assert declared is not None, "capability Parameters needs the field of the subject file"
        parameters = ParametersObject(self._context, declared, self._names.name("parameters"))
        return parameters.create(valid=valid) if created else parameters

    def wrong_parameters(self, mistake: str) -> Mapping[str, Any]:
        """Return a reference that leads nowhere: `missing`; `of another kind` or `of another group`, with a
        name that there is.
        """
        return {**self.make_parameters(created=mistake != "missing").reference, **WRONG[mistake]}

    def take_over(self, check: Check) -> Check:
        """Delete a check of another controller, and make one of its name for the subject."""
        check.delete()
        within("cleanup", check.is_gone)
        return self.create_check(check)

    def make_odd_check(self, oddity: str) -> Check:
        """Make a check of the subject that is `being deleted`,
        `with unknown conditions` or `without parameters`.
        """
        check = self.make_check(None) if oddity == "without parameters" else self.make_check()
        if oddity != "without parameters":
            check.add_foreign_fields()
        if oddity == "being deleted":
            check.delete()
        return check

    def change_parameters_of(self, check: Check) -> None:
        """Change the spec of a check so that it stays valid: other parameters, or a reference to parameters
        where the subject reads none.
        """
        other = self.make_parameters().reference if self._running.parameters else UNUSED
        check.set_parameters(dict(other))

    @property
    def work(self) -> SubjectWork:
        """Its outside work, as the field `effects` of its subject file lets it be seen."""
        declared = self._running.outside_work
        assert declared is not None, "capability Cleanup needs the field of the subject file"
        return SubjectWork(self._context, declared, self._running.claims)

    @property
    def outside_work_is_visible(self) -> bool:
        """Whether its subject file lets its outside work be seen."""
        return self._running.outside_work is not None

    @property
    def asks(self) -> bool:
        """Whether it asks the verdict endpoint, so that its questions are seen and answered in turn."""
        return self._outside.asks

    @property
    def max_message_bytes(self) -> int:
        """The most bytes of its messages."""
        return LONGEST_PASSED_ON if self._outside.through_requests else LONGEST_MESSAGE

    def has_shown_message(self, workload: Workload, check: Check, message: str) -> Fact:
        """At some time the entry of a check had this message, or mentioned it where the subject reads it off
        its ProvisioningRequest.
        """
        has_message = (
            workload.had_entry_message_containing
            if self._outside.through_requests
            else workload.had_entry_message
        )
        return has_message(check, message)

    @property
    def can_be_left_open(self) -> bool:
        """Whether the outside system can have decided nothing yet."""
        return self._running.drivers.can_be_left_open

    @property
    def decides_for_all(self) -> bool:
        """Whether its outside system decides about every Workload at once, like a switch."""
        return self._running.drivers.are_shared

    @property
    def common_state(self) -> str:
        """The state that its outside system has for every Workload, where it decides for all at once."""
        return self._outside.common_state

    def begin_undecided(self) -> None:
        """Have nothing decided about any Workload, and wait until the subject has learnt of it.

        A switch stays where the user or the case before has left it, so a case begins with it; where it was
        not touched since, nothing is waited for.
        """
        if not self.decides_for_all or not self.can_be_left_open or self._running.is_undecided:
            return
        self._outside.open_all(self._namespace)
        self.wait_for_polls()
        self._running.is_undecided = True

    def reset_answers(self) -> None:
        """Undo the outside system's decisions of this case."""
        self._outside.reset()

    def set_answer(
        self,
        state: str,
        *,
        message: str = "",
        about: Workload | None = None,
        check: Check | None = None,
        **fields: Any,
    ) -> None:
        """Set the outside system's answer, about one Workload (and check) or about every one of the case."""
        self._set([_plan_answer(state, message, fields)], about, check)

    def set_trouble(self, trouble: str, *, about: Workload | None = None, check: Check | None = None) -> None:
        """Let the outside system answer with `an error`, with `nonsense`, with `an unknown state`, or with
        `no verdict` yet.
        """
        self._set([_TROUBLE[trouble]], about, check)

    def fail_answers(self, *, about: Workload | None = None) -> None:
        """Make the outside system answer with an error."""
        self.set_trouble("an error", about=about)

    def set_answer_with_text(self, state: str, text: str) -> None:
        """Let the outside system answer so, and explain it by `nothing`, `a book`, …"""
        self._set([PlannedAnswer({"state": state, "message": _TEXTS[text]}, exact=True)], None)

    def set_retry_answer(self, seconds: int) -> None:
        """Let the outside system answer Retry, to be tried again after so many seconds."""
        self.set_answer("Retry", requeueAfterSeconds=seconds)

    def set_answers(self, *states: str, about: Workload | None = None) -> None:
        """Let the outside system answer the next questions
        with one state after another; the last one stays.
        """
        self._set([_plan_answer(state) for state in states], about)

    def set_answer_after(
        self,
        happens: Callable[[], object],
        state: str,
        *,
        about: Workload,
        check: Check | None = None,
        next_state: str = "",
        times: int = 1,
        **fields: Any,
    ) -> None:
        """Let something happen in the cluster between the next
        question and its answer, which is then out of date.
        """
        message = fields.pop("message", "")
        late = replace(_plan_answer(state, message, fields), meanwhile=happens)
        self._set([*[late] * times, _plan_answer(next_state or state, message, fields)], about, check)

    def catch_up(self) -> None:
        """Wait until the subject has seen every write."""
        for drain in self._context.drains:
            drain()

    def wait_for_polls(self) -> None:
        """Wait until the subject has seen every write,
        and has asked again about everything that it polls.
        """
        for look in self._context.looks:
            look()

    def has_met_trouble(self, workload: Workload) -> Fact:
        """It has met the trouble that was set: it asked about the Workload, or had the time to ask where that
        is not seen.
        """
        return self._outside.has_failed_for(workload.namespace, workload.name)

    @property
    def outside_system_fails(self) -> bool:
        """Whether its outside system is out of order, so that it can answer nothing."""
        return self._outside.is_out_of_order

    @property
    def usual_verdict(self) -> str:
        """A verdict that its outside system can be brought to."""
        return self._running.drivers.usual_verdict

    def has_asked_nothing(self, about: Workload) -> Fact:
        """The subject has not begun its outside work: it asked for no verdict on the Workload."""
        question_count = len(self._outside.questions(about.namespace, about.name))
        return Fact(
            not question_count, f"no verdict on {about} is asked for", f"asked {question_count} time(s)"
        )

    def question_times(self, workload: Workload) -> Sequence[float]:
        """Return when it asked for a verdict on the Workload."""
        return [question.at for question in self._outside.questions(workload.namespace, workload.name)]

    def has_asked_about(self, workload: Workload) -> Fact:
        """The subject has asked for a verdict on the Workload."""
        return self.has_asked_nothing(workload).negate()

    def _set(
        self, answers: Sequence[PlannedAnswer], about: Workload | None, check: Check | None = None
    ) -> None:
        forbid_act()
        where = (about.namespace, about.name) if about else (self._namespace, "")
        self._running.is_undecided = False
        if self._outside.set_answers(answers, *where, check.name if check else ""):
            # No write of Kueue comes after it in a watch, so that nothing else shows that the subject has
            # learnt that its outside system is undecided again.
            self.wait_for_polls()

    def _usual_reference(self) -> Mapping[str, Any] | None:
        """Return what a check of the case refers to: an object of its own where one can be made."""
        declared = self._running.parameters
        if declared is None:
            return None
        if not declared.valid:
            return dict(declared.reference(declared.name))
        self._usual = self._usual or self.make_parameters()
        return dict(self._usual.reference)


def _plan_answer(
    state: str, message: str = "", fields: Mapping[str, Any] = MappingProxyType({})
) -> PlannedAnswer:
    return PlannedAnswer(
        {"state": state, "message": message or f"the verdict is {state}", **fields}, exact=bool(message)
    )

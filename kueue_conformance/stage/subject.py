"""The judged check controller, as a scenario speaks of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ..bench import Bench
from ..fact import Fact
from ..history import SUBJECT
from ..subject.running import RunningSubject
from ..subject.verdicts import Planned
from . import manifests
from .check import Check
from .names import Names
from .operating import Operated
from .outside import Asked, Driven, Outside
from .workload import Workload


class Subject(Operated):
    """Makes checks that are the subject's, sets what the outside system answers it, and tells what it did."""

    def __init__(self, bench: Bench, running: RunningSubject, names: Names, namespace: str) -> None:
        super().__init__(bench, running)
        self._names = names
        self._namespace = namespace
        self._checks: list[str] = []
        self.controller_name = running.controller_name
        self._outside: Outside = Asked(running.verdicts)
        if not running.drivers.asks:
            driven = Driven(bench, running.drivers, running.controller_name, self._checks)
            bench.stand_ins.append(driven.act)
            self._outside = driven

    def check(self) -> Check:
        """Make an AdmissionCheck with the subject's controller name; the subject has to make it Active."""
        name = self._names.name("check")
        self._bench.client.create(manifests.admission_check(name, self.controller_name))
        self._checks.append(name)
        return Check(self._bench, name)

    @property
    def asks(self) -> bool:
        """Whether it asks the verdict endpoint, so that its questions are seen and answered in turn."""
        return self._outside.asks

    def let_go(self) -> None:
        """Have the outside system forget what it decided in this case."""
        self._outside.let_go()

    def will_answer(
        self, state: str, *, message: str = "", about: Workload | None = None, **more: Any
    ) -> None:
        """Let the outside system answer so from now on, about one Workload or about every one of the case."""
        self._set([_planned(state, message, more)], about)

    def will_answer_in_turn(self, *states: str, about: Workload | None = None) -> None:
        """Let the outside system answer the next questions with one state after another; the last one stays."""
        self._set([_planned(state) for state in states], about)

    def will_answer_after(self, happens: Callable[[], object], state: str, *, about: Workload) -> None:
        """Let something happen in the cluster between the next question and its answer, which is then out of date."""
        self._set([replace(_planned(state), meanwhile=happens), _planned(state)], about)

    def catches_up(self) -> None:
        """Return when the subject has seen everything that was written."""
        for drain in self._bench.drains:
            drain()

    def was_asked_nothing(self, about: Workload) -> Fact:
        """The subject has not begun its outside work: it asked for no verdict on the Workload."""
        asked = len(self._outside.questions(about.namespace, about.name))
        return Fact(not asked, f"no verdict on {about} is asked for", f"asked {asked} time(s)")

    def was_asked_about(self, workload: Workload) -> Fact:
        """The subject has asked for a verdict on the Workload."""
        return self.was_asked_nothing(workload).denied()

    def wrote(self, workload: Workload) -> Fact:
        """The subject has written the Workload at some time of the case."""
        found = list(workload.history.by(SUBJECT))
        seen = f"{len(found)} write(s), the last at rv {found[-1].revision}" if found else "no write"
        return Fact(bool(found), f"the subject writes {workload}", seen)

    def _set(self, answers: Sequence[Planned], about: Workload | None) -> None:
        where = (about.namespace, about.name) if about else (self._namespace, "")
        self._outside.answers(answers, *where)


def _planned(state: str, message: str = "", more: Mapping[str, Any] = MappingProxyType({})) -> Planned:
    return Planned(
        {"state": state, "message": message or f"the verdict is {state}", **more}, exact=bool(message)
    )

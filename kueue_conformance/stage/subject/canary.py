"""A canary shows that an external controller has read everything:
a Workload made afterwards was answered (design.md §6).

Watches bring events in order, and the verdict on the canary is given only
to the second question about it. So a controller that answers it has read
what was written before, and has asked again about everything it waits for.
"""

from __future__ import annotations

import time

from ...base.errors import Nonconformance, too_busy
from ...case.context import CaseContext
from ...case.failure_text import CANARY, explain
from ...history.fact import Fact
from ..checks.check import Check
from ..kueue.kueue import Kueue
from ..stage import Stage
from ..workloads.workload import Workload
from .subject import Subject

_CALM_FACTOR = 3.0
"""How many times the slowest reaction nothing must happen (design.md §6)."""


class Canary:
    """Makes one Workload after another, with a check of its own."""

    def __init__(self, context: CaseContext, stage: Stage, subject: Subject, kueue: Kueue) -> None:
        self._context = context
        self._stage = stage
        self._subject = subject
        self._kueue = kueue
        self._reactions: list[float] = []

    def wait_for_answer(self) -> float:
        """Return when a new Workload was answered, with the calm that is needed then. Raises Nonconformance.

        Where no questions are seen it takes two: the second one came when the first was answered, so that a
        subject that looks at everything in turn has begun anew since. Each is decided about only after a
        while, where that can be left open: what a subject does at once when it first sees a Workload says
        nothing about how often it looks again. For a subject that was ended it returns 0 at once.
        """
        # No replica would answer, and the scenario knows that.
        if self._context.subject is not None and not self._context.subject.up:
            return 0.0
        # None would be answered; only time shows what the subject does meanwhile.
        if self._subject.outside_system_fails:
            return max(self._calm, self._context.budgets.seconds("polling"))
        for _ in range(1 if self._subject.asks else 2):
            if (check := self._subject.canary_check()) is None:
                self._rest()
            else:
                self._await_reaction(check)
        return self._calm

    def _rest(self) -> None:
        """Let a while pass in place of a canary, which would list a check that nothing can be said about."""
        calm = max(self._calm, self._context.budgets.seconds("quiet"))
        self._context.cluster.rest(calm, self._context.react)

    @property
    def _calm(self) -> float:
        # By the slowest reaction so far: a machine under load reacts as slowly again.
        return _CALM_FACTOR * max(self._reactions, default=0.0)

    def wait_for_new_question(self) -> float:
        """Return when a new Workload without a verdict was asked about although nothing of it had changed.

        Questions that follow a change come at once; the one that is waited for comes when the subject looks
        at everything in turn, and so at that which it should leave alone. One that only asks when something
        changes is not waited for longer than for a reaction.
        """
        check = self._subject.canary_check()
        if not self._subject.asks or check is None:
            return self.wait_for_answer()
        workload = self._new_workload()
        self._subject.set_answer("Pending", about=workload)
        self._kueue.precheck_for(workload, check)
        budget = self._context.budgets.seconds("react")
        self._context.cluster.wait(lambda: self._was_asked_unprompted(workload), budget, self._context.react)
        return self.wait_for_answer()

    def _was_asked_unprompted(self, workload: Workload) -> bool:
        """Tell whether a question came when nothing had changed for a while:
        several may be about one change.
        """
        changed = max((change.at for change in workload.history), default=0.0)
        return any(
            at > changed + self._context.budgets.seconds("quiet")
            for at in self._subject.question_times(workload)
        )

    def _new_workload(self) -> Workload:
        return Workload(self._context, self._stage.namespace, self._stage.names.name(CANARY))

    def _await_reaction(self, check: Check) -> None:
        # With a queue or a script of its own, so that the case's queues see none of it.
        workload = self._new_workload()
        verdict = self._subject.usual_verdict
        if self._subject.asks:
            self._subject.set_answers("Pending", verdict, about=workload)
        else:
            self._subject.set_answer("Pending" if self._subject.can_be_left_open else verdict, about=workload)
        self._kueue.precheck_for(workload, check)
        if not self._subject.asks and self._subject.can_be_left_open:
            self._context.cluster.rest(self._context.budgets.seconds("quiet"), self._context.react)
            self._subject.set_answer(verdict, about=workload)
        began, budget = time.monotonic(), self._context.budgets.seconds("react")
        # Ever, not now: Kueue answers Retry by an eviction, which resets the entry.
        is_answered = self._context.cluster.wait(
            lambda: bool(workload.had_verdict(check, verdict)), budget, self._context.react
        )
        if not is_answered:
            if self._subject.canary_check() is None:
                return  # what it listed cannot be used any more
            raise self._silence(workload, workload.has_states(verdict, check).observed)
        # Real time: a canary is needed only where no virtual clock tells quiet.
        self._reactions.append(time.monotonic() - began)

    def _silence(self, workload: Workload, observed: str) -> Exception:
        """Return the error for a canary that has no verdict when the wait for it is over."""
        expected = f"the subject answers {workload}, which was made only to see whether it still does"
        silent = Fact(False, expected, f"it has gone silent: {observed}")
        text = explain(self._context, "", silent, f"within {self._context.budgets.describe('react')}")
        return too_busy(text) if self._context.cluster.was_wait_too_short else Nonconformance(text)

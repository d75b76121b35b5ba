"""Brings a perturbation about while a story is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...backends.faults import Faults
from ...case.context import CaseContext
from ...history.fact import Fact
from ...stage.subject.faults import VERDICT
from ...stage.workloads.workload import Workload
from ..perturbation import Perturbation, PerturbationKind
from . import perturbations as kinds
from .acts import Act
from .story_stage import StoryStage

_MOST_TRIES, _MOST_REQUESTS = 20, 10
"""Tries to write a Workload in a while, and requests a second, while requests fail (CC-074)."""

_ONCE, _OFTEN, _PAGE, _REVISIONS = 1, 5, 1, 3
_SOME = 3
"""Requests that are refused of those that come rarely."""
_ACTIVE = "AdmissionCheck/status"
_REFUSALS: Mapping[PerturbationKind, tuple[int, int]] = {
    kinds.CONFLICT: (409, _ONCE),
    kinds.THROTTLED: (429, _ONCE),
    kinds.FAILED: (500, _ONCE),
    kinds.CONFLICTS: (409, _OFTEN),
    kinds.FAILURES: (500, _OFTEN),
    kinds.VERDICTS_REFUSED: (500, 0),
}
"""The code with which verdicts are refused, and how many of them; 0: all."""


class Disturbance:
    """The perturbation of one run; None disturbs nothing."""

    def __init__(
        self, perturbation: Perturbation | None, context: CaseContext, stage: StoryStage, faults: Faults
    ) -> None:
        self._perturbation = perturbation
        self._context = context
        self._stage = stage
        self._faults = faults
        self._begins: Mapping[PerturbationKind, Callable[[], object]] = {
            **{kind: self._refusing(*refusal) for kind, refusal in _REFUSALS.items()},
            kinds.THROTTLINGS: lambda: faults.refuse(429, kind=VERDICT, times=_OFTEN, retry_after=1),
            kinds.KILLED_BEFORE_WRITE: lambda: faults.cut(kind=VERDICT, times=1),
            kinds.KILLED_AFTER_WRITE: lambda: faults.cut(kind=VERDICT, times=1, after=True),
            kinds.ANSWER_LOST: lambda: faults.cut(kind=VERDICT, times=1, after=True),
            kinds.FAILED_AFTER_WRITE: lambda: faults.refuse(500, kind=VERDICT, times=1, after=True),
            kinds.LATE_WRITE: lambda: faults.delay(self._slow, kind=VERDICT, times=1),
            kinds.LATE_DECISION: lambda: None,
            kinds.DOWN: stage.subject.kill,
            kinds.STALE: self._begin_stale,
            kinds.LEADER_KILLED: self._kill_leader,
            kinds.STALE_SUCCESSOR: self._let_an_older_replica_lead,
            kinds.SERVER_FAILS: lambda: faults.refuse(500),
            kinds.SERVER_GONE: self._cut_everything,
            kinds.SLOW: lambda: faults.delay(self._slow),
            kinds.WATCH_CUT: lambda: faults.end_watches(0),
            kinds.WATCH_REFUSED: lambda: self._refuse_watches(500, 3),
            kinds.WATCH_EXPIRED: lambda: faults.end_watches(410),
            kinds.WATCH_TOO_OLD: lambda: self._refuse_watches(410, 1),
            kinds.EVENT_LOST: lambda: faults.refuse_events(410, kind="Workload", times=1),
            kinds.FROZEN: faults.freeze_watches,
            kinds.REPEATED: faults.repeat_events,
            kinds.SHORT_PAGES: self._shorten_pages,
            kinds.ONE_REFUSED: self._refuse_one,
            kinds.SERVER_RESTARTED: self._restart_server,
            kinds.CHECKS_LATE: lambda: faults.freeze_watches(kind="AdmissionCheck"),
            kinds.ACTIVE_CONFLICT: lambda: faults.refuse(409, kind=_ACTIVE, times=_SOME),
            kinds.ACTIVE_FAILED: lambda: faults.refuse(500, kind=_ACTIVE, times=_SOME),
            kinds.ACTIVE_LOST: lambda: faults.cut(kind=_ACTIVE, times=1, after=True),
            kinds.WORK_REFUSED: lambda: faults.refuse(500, verb="create", kind=self._work, times=_SOME),
            kinds.WORK_LOST: lambda: faults.cut(verb="create", kind=self._work, times=1, after=True),
            kinds.KILLED_AFTER_WORK: lambda: faults.cut(verb="create", kind=self._work, times=1, after=True),
            kinds.END_OF_WORK_REFUSED: lambda: faults.refuse(
                500, verb="delete", kind=self._work, times=_SOME
            ),
        }
        self.was_met = perturbation is None or not perturbation.kind.meets_request
        """Whether it has happened: one of a write waits for the controller to send it."""
        self._act: Act | None = None
        """The act at which it has begun."""
        self.haste: Fact | None = None
        """What says that the controller did not slow down while requests failed, if so."""

    @property
    def delays(self) -> bool:
        """Whether a controller that is right may need a while afterwards."""
        return self._kind in kinds.DELAYING

    @property
    def _slow(self) -> float:
        return self._context.budgets.seconds("slow")

    def _refusing(self, code: int, times: int) -> Callable[[], object]:
        return lambda: self._faults.refuse(code, kind=VERDICT, times=times)

    def _refuse_watches(self, code: int, times: int) -> None:
        self._faults.refuse(code, verb="watch", kind="Workload", times=times)
        self._faults.end_watches(0)

    def _cut_everything(self) -> None:
        self._faults.cut()
        self._faults.end_watches(0)

    @property
    def _work(self) -> str:
        """The kind of the objects that are outside work, empty where they are not known."""
        subject = self._stage.subject
        return subject.work.kind if subject.outside_work_is_visible else ""

    def _refuse_one(self) -> None:
        self._stage.excused = self._workload.name
        self._faults.refuse(500, kind=VERDICT, name=self._workload.name)

    @property
    def _workload(self) -> Workload:
        """The Workload of the act at which it begins."""
        assert self._act is not None, "it has begun"
        return self._stage.workloads[self._act.workload - 1]

    def _restart_server(self) -> None:
        self._context.cluster.restart_server(self._context.budgets.seconds("outage"))

    def _shorten_pages(self) -> None:
        self._faults.give_short_pages(_PAGE)
        self._faults.end_watches(410)

    def _begin_stale(self) -> None:
        self._stage.subject.kill()
        self._stage.forget_work()
        self._faults.serve_stale(_REVISIONS, kind="Workload", times=1)

    def _kill_leader(self) -> None:
        """Kill the only replica, which leads, when another one has had a moment to wait for its lease."""
        self._stage.subject.start_second()
        self._context.cluster.passes(self._context.budgets.seconds("quiet"), self._context.react)
        self._stage.subject.kill()

    def _let_an_older_replica_lead(self) -> None:
        """Kill the leader, and wait for another replica to lead, which gets no event from here on."""
        subject, context = self._stage.subject, self._context
        second = subject.start_second()
        context.cluster.passes(context.budgets.seconds("quiet"), context.react)
        self._faults.freeze_watches()
        subject.kill()
        seconds = context.budgets.seconds("takeover")
        context.cluster.wait(lambda: bool(subject.has_lease(second)), seconds, context.react)

    def carry_out(self, number: int, act: Act) -> None:
        """Carry an act of the story out, with what interrupts the controller in it."""
        self._before(number, act)
        if self._is_at(number) and self._kind is kinds.LATE_DECISION:
            self.was_met = self._stage.carry_out_before_answer(act)
        else:
            self._stage.carry_out(act)
        self.after(number)

    def _is_at(self, number: int) -> bool:
        return self._perturbation is not None and self._perturbation.act == number

    @property
    def _kind(self) -> PerturbationKind | None:
        return self._perturbation.kind if self._perturbation else None

    def _before(self, number: int, act: Act) -> None:
        """Begin, where the act of this number is its own."""
        if self._perturbation is not None and self._perturbation.act == number:
            self._act = act
            self._context.disturbed.append({"perturbation": str(self._perturbation)})
            self._begins[self._perturbation.kind]()

    def after(self, number: int) -> None:
        """Do what follows an act: meet the write, start the program again, or let events come again."""
        if self._perturbation is None:
            return
        kind, began = self._perturbation.kind, self._perturbation.act
        if number == began and kind.meets_request and kind is not kinds.LATE_DECISION:
            self._meet(kind)
        elif number == began and kind in (kinds.DOWN, kinds.STALE):
            self._start_later()
        elif number == began and kind in kinds.OF_A_WHILE:
            self._let_a_while_pass()
        elif number == began + 1 and kind in (kinds.FROZEN, kinds.CHECKS_LATE, kinds.STALE_SUCCESSOR):
            # It works on with what it knows before the watches end.
            context = self._context
            context.cluster.passes(context.budgets.seconds("quiet"), context.react)
            self._faults.clear()

    def release_one(self) -> bool:
        """Refuse verdicts on one Workload no longer; return whether they were refused."""
        was_refused = bool(self._stage.excused)
        if was_refused:
            self._stage.excused = ""
            self._faults.clear()
        return was_refused

    def end(self) -> None:
        """Disturb nothing any more; what began stays in the story."""
        if self._perturbation is not None:
            self._stage.excused = ""
            self._faults.clear()

    def _let_a_while_pass(self) -> None:
        """Disturb for a while, in which the controller must not send one request after another."""
        with self._stage.subject.observe_requests() as trouble:
            self._context.cluster.passes(self._context.budgets.seconds("steady"), self._context.react)
        self._faults.clear()
        tries = [trouble.has_at_most_tries(workload, _MOST_TRIES) for workload in self._stage.workloads]
        self.haste = next(
            (fact for fact in [*tries, trouble.has_at_most_requests(_MOST_REQUESTS)] if not fact), None
        )

    def _meet(self, kind: PerturbationKind) -> None:
        """Wait until the write has met its fault, and kill the program there where that is what happens."""
        seconds = self._context.budgets.seconds("react")
        self.was_met = self._context.cluster.wait(
            lambda: bool(self._faults.hits), seconds, self._context.react
        )
        if not self.was_met:
            self._faults.clear()
        elif kind.restarts:
            self._stage.subject.kill()
            self._faults.clear()
            self._start_later()

    def _start_later(self) -> None:
        """Start it again when a moment has passed: what it does at its start has another time."""
        self._context.cluster.passes(self._context.budgets.seconds("quiet"), self._context.react)
        self._stage.subject.start()

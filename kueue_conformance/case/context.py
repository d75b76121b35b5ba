"""The context of one case: a cluster, its control plane, and the waits of a scenario (design.md §9).

`within` and `never` act on the context of the running case, so that a suite reads as sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from ..base.budget import Budgets
from ..base.errors import ControlPlaneDied, Nonconformance, SubjectDied, UnmetPremise, UsageError, too_busy
from ..base.json_types import Json
from ..history.fact import Condition, Fact, Premise, as_fact, forbid_act
from ..history.pending_lists import PendingLists
from ..history.rests import Rest, current_rest
from ..history.story import History
from ..history.viewpoint import Viewpoint, breach, moments
from .failure_text import CaseDescription, explain

# Every command imports this module; what talks to a network is loaded by those that do (SH-22).
if TYPE_CHECKING:
    from ..backends.cluster import Cluster
    from ..scenarios.dialect import Dialect
    from ..subject.running_subject import RunningSubject
    from ..subject.workload_template import WorkloadTemplate
    from ..wire.client import Client
    from ..wire.raw_client import Ask, Send


class AutoscalerHandle(Protocol):
    """Starts and stops the autoscaler of one case, and has its cloud."""

    @property
    def cloud(self) -> Any:
        """The cloud, made on first use."""

    @property
    def calls(self) -> Sequence[Any]:
        """The autoscaler's calls to the cloud."""

    def start(self, flags: Mapping[str, str]) -> None:
        """Start the autoscaler with these flags. Raises EnvironmentProblem."""

    def stop(self) -> None:
        """Stop the autoscaler, if it runs."""

    def exit_reason(self) -> str:
        """Return which part has ended by itself; empty while it works."""


_CURRENT: ContextVar[CaseContext | None] = ContextVar("context", default=None)
_ALWAYS: Mapping[str, str] = MappingProxyType({})


def no_replica() -> None:
    """Do nothing: the control plane has no replicas."""


@dataclass(eq=False)
class CaseContext:
    """What a case works with.

    `stand_ins` act for users and controllers that are neither in the control plane nor in the cluster.
    """

    cluster: Cluster
    dialect: Dialect
    budgets: Budgets
    client: Client
    scenario: str
    restart: Callable[[], None]
    """Stops the control plane and starts it again."""
    upgrade: Callable[[], AbstractContextManager[None]] = nullcontext
    """Stops the control plane, and starts that of the case's dialect afterwards."""
    former_dialect: Dialect | None = None
    """The release whose control plane works before the upgrade; None where none is upgraded."""
    upgrades: list[str] = field(default_factory=list)
    """The upgrades of the control plane up to now, for a failure text."""
    stopped: Callable[[], AbstractContextManager[None]] = nullcontext
    """Stops the control plane, and starts it again afterwards."""
    start_replica: Callable[[], None] = no_replica
    """Starts a second control plane beside the first."""
    stop_leader: Callable[[], None] = no_replica
    """Stops the control plane that was started first, and keeps the second one."""
    direct: Ask | None = None
    """Sends a request to the control plane's visibility server directly; None where it is not reachable."""
    send: Send | None = None
    """Sends the visibility server several requests at one moment."""
    ended: Callable[[], str] = str
    """Returns which part of the control plane has ended by itself; empty while it works."""
    stand_ins: list[Callable[[], bool]] = field(default_factory=list)
    preparations: list[Callable[[Json], Json]] = field(default_factory=list)
    """Called with each manifest of a Workload or Job before it is created: each returns what is created."""
    subject: RunningSubject | None = None
    drains: list[Callable[[], float]] = field(default_factory=list)
    """Called before a wait for quiet: each returns when an external program has seen all writes, with the
    quiet in seconds that it needs then.
    """
    looks: list[Callable[[], object]] = field(default_factory=list)
    """Called where a scenario needs more: each returns when an external program has asked again about
    everything that it polls.
    """
    awaited: tuple[str, Fact, str] | None = None
    """Of the wait that goes on: its clause, what was observed last, and how long or when it is waited for."""
    waits: dict[str, list[float]] = field(default_factory=dict)
    survival_clause: str = ""
    """The clause that is broken when the subject ends of itself."""
    about: CaseDescription = field(default_factory=CaseDescription)
    observed_behaviours: dict[str, str] = field(default_factory=dict)
    """Which of several permitted behaviours was observed, by clause (design.md §8)."""
    drawn_values: list[str] = field(default_factory=list)
    """The names and texts that were drawn for the case, in order."""
    disturbed: list[dict[str, Any]] = field(default_factory=list)
    """The faults that the case injected, with their times."""
    exposition: Callable[[], str] = str
    """The control plane's metrics in Prometheus' text format."""
    kueue_works: bool = False
    """A Kueue runs, which reacts to what is created."""
    autoscaler: AutoscalerHandle | None = None
    """Starts and stops the autoscaler, where one is judged."""
    skew: float = 0.0
    """Seconds that the server's clock is ahead of the subject's."""
    lists: PendingLists = field(default_factory=PendingLists)
    """The lists of pending Workloads that were read, for the report."""
    answers: dict[tuple[Client, str], dict[str, Any]] = field(default_factory=dict)
    """The newest answers that are not objects, by client and path,
    then by query: a look into the past uses them.
    """
    rests: list[Rest] = field(default_factory=list)
    """Moments at which the cluster was quiet: every client had read everything, in order."""
    viewpoint: Viewpoint = field(default_factory=Viewpoint)

    @property
    def workload_template(self) -> WorkloadTemplate | None:
        """What Workloads of the case have by the subject file; None where it says nothing of them."""
        return self.subject.workload_template if self.subject is not None else None

    @property
    def history(self) -> History:
        """All writes since the case began, up to the moment that is evaluated."""
        story, moment = History(self.cluster.recorder), self.viewpoint.moment
        return story if moment is None else story.until(moment.change.revision)

    def acts(self) -> None:
        """Record that the scenario acts now without a write."""
        # The server's revision and not the story's: a watch may be late, and what it delivers was before.
        self.viewpoint.acts(self.cluster.recorder.newest_revision() + 1)

    def evaluate(self, condition: Condition) -> Fact:
        """Evaluate a condition now; what does not hold is evaluated again with the whole story."""
        fact = as_fact(condition, "always")
        if fact:
            return fact
        # The condition may compare changes of two kinds, of which one watch is late.
        self.cluster.recorder.complete()
        return as_fact(condition, "always")

    def find_breach(self, condition: Condition, since: int) -> Fact | None:
        """Return how a condition stopped holding after a revision, None when it held."""
        if self._breach(condition, since) is None:
            return None
        # Looked at again with the whole story: of two watches one may be late.
        self.cluster.recorder.complete()
        return self._breach(condition, since)

    def _breach(self, condition: Condition, since: int) -> Fact | None:
        recorder = self.cluster.recorder
        return breach(condition, self.viewpoint, moments(recorder.changes(), since, recorder.kinds))

    def react(self) -> bool:
        """Let every stand-in act once; returns whether one did. Raises ControlPlaneDied and SubjectDied,
        or Nonconformance where the scenario is about a subject that goes on.
        """
        self.check_alive()
        self._check_subject()
        return self._stand_in()

    def _check_subject(self) -> None:
        try:
            if self.subject is not None:
                self.subject.check_alive()
        except SubjectDied as death:
            if not self.survival_clause:
                raise
            fact = Fact(False, "the subject goes on working", str(death.args[0]))
            raise Nonconformance(
                explain(self, self.survival_clause, fact, "until the case is over")
            ) from death

    def check_alive(self) -> None:
        """Raise ControlPlaneDied when the control plane has ended by itself."""
        # A program that died makes every wait run out: its end is the reason, not the time-out.
        if self.autoscaler is not None and (ended := self.autoscaler.exit_reason()):
            raise ControlPlaneDied(
                f"the autoscaler died in the middle of {self.scenario}: {ended}",
                hint="the case was not judged; see the log",
            )
        if ended := self.ended():
            raise ControlPlaneDied(
                f"the control plane died in the middle of {self.scenario}: {ended}",
                hint="the case was not judged; see the log",
            )

    def _stand_in(self) -> bool:
        # Every stand-in acts, also after the first that had something to do.
        acted = [act() for act in self.stand_ins]
        return any(acted)

    def end(self) -> None:
        """Wait until the effects of the case are done, so that its story can be read."""
        # Without the check for life: the verdict of the case is there.
        if self.cluster.ends(self._stand_in):
            self.record_rest()

    def rest(self, seconds: float = 0.0) -> None:
        """Wait for quiet (design.md §6), of so many seconds at least in real time."""
        # First external programs read all writes, then the quiet is waited for.
        calm = max((drain() for drain in self.drains), default=0.0)
        self.cluster.rest(max(calm, seconds, self.budgets.seconds("quiet")), self.react)
        self.record_rest()

    def record_rest(self) -> None:
        """Record that the cluster is quiet now."""
        rest = current_rest(self.cluster.recorder)
        # Before the first change there is no state to judge.
        if rest.arrivals:
            self.rests.append(rest)

    @contextmanager
    def current(self) -> Iterator[CaseContext]:
        """Make this the context that `within` and `never` act on."""
        # A context variable, so that a case within a case (a test of the harness) finds its own
        # again.
        token = _CURRENT.set(self)
        try:
            yield self
        finally:
            _CURRENT.reset(token)
            # They know the context; apart both are freed at once.
            self.stand_ins.clear()
            self.preparations.clear()
            self.drains.clear()
            self.looks.clear()


def _case_context() -> CaseContext:
    forbid_act()  # a wait in the condition of a wait
    context = _CURRENT.get()
    if context is None:
        raise UsageError(
            "within() and never() work only inside a scenario", hint="ask for the fixture `kueue_cluster`"
        )
    return context


def within(budget: str, condition: Condition, *, clause: str = "") -> Fact:
    """Wait until `condition` holds; end with Nonconformance and the story when the named budget is over.

    On virtual time the condition is evaluated when the cluster is quiet, then time jumps to the next timer.
    """
    __tracebackhide__ = True
    context = _case_context()
    began = context.cluster.now()
    when = f"within {context.budgets.describe(budget)}"
    looked: list[Fact] = []

    def look() -> bool:
        if context.budgets.virtual:
            context.record_rest()  # on a virtual clock the condition is not evaluated before quiet
        # Only the newest is kept: a failure shows what was seen last.
        looked[:] = [as_fact(condition)]
        context.awaited = clause, looked[0], when
        return bool(looked[0])

    context.cluster.wait(look, context.budgets.seconds(budget), context.react)
    context.awaited, observation = None, looked[0]
    # Also of a wait that failed: the report compares budgets with what was used.
    context.waits.setdefault(budget, []).append(round(context.cluster.now() - began, 3))
    if not observation:
        if context.cluster.was_wait_too_short:
            raise too_busy(explain(context, clause, observation, when))
        raise _failure(context, clause, observation, when)
    return observation


def _failure(context: CaseContext, clause: str, fact: Fact, when: str) -> Exception:
    """Return the error for a statement that does not hold: no rule is broken by a premise."""
    text = explain(context, clause, fact, when)
    if not isinstance(fact, Premise):
        return Nonconformance(text)
    return UnmetPremise(
        f"undetermined: {text}",
        hint="what this scenario judges could not be brought about; see what the subject wrote, and whether the"
        " drivers of the subject file do what they say",
    )


def either(
    budget: str, ways: Mapping[str, Condition], *, clause: str, until: Mapping[str, str] = _ALWAYS
) -> str:
    """Wait until one of several permitted behaviours is observed and return its name, which the report shows.

    `until` names behaviours that no release has from some on, as `{"it waits": "<0.19.3, 0.20.0"}`. Raises
    Nonconformance.
    """
    __tracebackhide__ = True
    context = _case_context()
    permitted = {
        name: way for name, way in ways.items() if name not in until or context.dialect.holds("", until[name])
    }

    def one_of_them() -> Fact:
        facts = {name: as_fact(condition, "either") for name, condition in permitted.items()}
        holding = [name for name, fact in facts.items() if fact]
        # Their order decides where several hold.
        context.observed_behaviours.update({clause: holding[0]} if holding else {})
        expected = "; or ".join(f"{fact.expected} ({name})" for name, fact in facts.items())
        return Fact(
            bool(holding), expected, "; ".join(dict.fromkeys(fact.observed for fact in facts.values()))
        )

    within(budget, one_of_them, clause=clause)
    return context.observed_behaviours[clause]


def never(condition: Condition, *, clause: str = "") -> None:
    """Wait for quiet; raise Nonconformance if `condition` holds, or held at any moment since the last act.

    A condition that held right after the act may end; then it must not come back.
    """
    __tracebackhide__ = True

    def absent() -> Fact:
        fact = as_fact(condition, "never")
        return Fact(not fact, f"never: {fact.expected}", fact.observed)

    _throughout(absent, clause, "at any time")


def always(condition: Condition, *, clause: str = "") -> None:
    """Wait for quiet; raise Nonconformance unless `condition` holds, and held from the last act on.

    A condition that takes effect after the act is judged from then on.
    """
    __tracebackhide__ = True
    _throughout(condition, clause, "still, when everything is at rest")


def _throughout(condition: Condition, clause: str, when: str) -> None:
    __tracebackhide__ = True
    context = _case_context()
    # Both before the wait: the wait itself may let stand-ins act.
    since, fact = context.viewpoint.acted, context.evaluate(condition)
    if fact:
        context.awaited = clause, fact, when
        context.rest()
        context.awaited = None
        fact = context.evaluate(condition)
    # Only where it holds now: the present state explains a failure better than a past one.
    if fact and (broken := context.find_breach(condition, since)) is not None:
        fact = broken
    if not fact:
        raise _failure(context, clause, fact, when)

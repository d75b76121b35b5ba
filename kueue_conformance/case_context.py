"""The context of one case: a cluster, who plays Kueue on it, and the waits of a scenario (design.md §9).

`within` and `never` act on the context of the running case, so that a suite reads as sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from .budget import Budgets
from .errors import ControlPlaneDied, Nonconformance, UsageError
from .fact import Condition, Fact, as_fact
from .failure_text import About, explain
from .history import History
from .looks import Looks
from .retrospect import Viewpoint, breach, moments

if (
    TYPE_CHECKING
):  # every command imports this module; what talks to a network is loaded by those that do (SH-22)
    from .backends import Cluster
    from .dialect import Dialect
    from .subject.running import RunningSubject
    from .wire.client import Client
    from .wire.raw import Ask, Send


class AutoscalerHandle(Protocol):
    """The place of the autoscaler of one case, with the cloud behind it."""

    @property
    def cloud(self) -> Any:
        """The cloud, made when a scenario first speaks of it."""

    @property
    def calls(self) -> Sequence[Any]:
        """What the autoscaler asked the cloud for."""

    def start(self, flags: Mapping[str, str]) -> None:
        """Have it work with these flags. Raises EnvironmentProblem."""

    def stop(self) -> None:
        """End it, if it works."""

    def ended(self) -> str:
        """Tell what of it has ended by itself; empty while it works."""


_CURRENT: ContextVar[CaseContext | None] = ContextVar("context", default=None)


@dataclass(eq=False)
class CaseContext:
    """What a case works on. `stand_ins` play parts that neither the control plane nor the cluster plays."""

    cluster: Cluster
    dialect: Dialect
    budgets: Budgets
    client: Client
    scenario: str
    restart: Callable[[], None]
    """Stops the control plane and starts it again."""
    stopped: Callable[[], AbstractContextManager[None]] = nullcontext
    """Stops the control plane, and starts it again afterwards."""
    direct: Ask | None = None
    """Asks the control plane's visibility server itself; where that is not reached, the case is not run."""
    send: Send | None = None
    """Sends it several requests at one moment."""
    ended: Callable[[], str] = str
    """Tells what of the control plane has ended by itself; empty while it works."""
    stand_ins: list[Callable[[], bool]] = field(default_factory=list)
    subject: RunningSubject | None = None
    drains: list[Callable[[], float]] = field(default_factory=list)
    """Called before a rest: each returns when somebody foreign has seen all that was written, with the calm it needs then."""
    looks: list[Callable[[], object]] = field(default_factory=list)
    """Called where a scenario wants more: each returns when somebody foreign has asked again about all that it asks about."""
    waits: dict[str, list[float]] = field(default_factory=dict)
    about: About = field(default_factory=About)
    seen: dict[str, str] = field(default_factory=dict)
    """Which of several permitted behaviours was seen, by clause (design.md §8)."""
    disturbed: list[dict[str, Any]] = field(default_factory=list)
    """The faults that the case asked for, with their time."""
    exposition: Callable[[], str] = str
    """What the control plane tells of what it counts, in Prometheus' text format."""
    kueue_works: bool = False
    """A Kueue is at work, which takes notice of what is created."""
    autoscaler: AutoscalerHandle | None = None
    """Where an autoscaler is judged: what starts and ends it."""
    skew: float = 0.0
    """By how many seconds the server's clock is ahead of the subject's."""
    lists: Looks = field(default_factory=Looks)
    """The lists of pending Workloads that were seen, for the report."""
    answers: dict[tuple[int, str], dict[str, Any]] = field(default_factory=dict)
    """The newest answers about what is no object, by client and path, then by query: a look into the past sees them."""
    settled: list[int] = field(default_factory=list)
    """Revisions up to which everybody had noticed everything, in their order."""
    viewpoint: Viewpoint = field(default_factory=Viewpoint)

    @property
    def history(self) -> History:
        """Everything that was written since the case began, up to the moment that is looked at."""
        story, moment = History(self.cluster.recorder), self.viewpoint.moment
        return story if moment is None else story.until(moment.change.revision)

    def acts(self) -> None:
        """Remember that the scenario does something now that no object tells."""
        self.viewpoint.acts(self.history.last_revision + 1)

    def broken(self, condition: Condition, since: int) -> Fact | None:
        """Return how a condition did not go on to hold in the story from a revision on, None when it did."""
        recorder = self.cluster.recorder
        return breach(condition, self.viewpoint, moments(recorder.changes(), since, recorder.kinds))

    def react(self) -> bool:
        """Let every stand-in act once; tells whether one did. Raises ControlPlaneDied and SubjectDied."""
        self.check_alive()
        if self.subject is not None:
            self.subject.check_alive()
        return self._stand_in()

    def check_alive(self) -> None:
        """Raise ControlPlaneDied when the control plane has ended by itself."""
        if self.autoscaler is not None and (ended := self.autoscaler.ended()):
            raise ControlPlaneDied(
                f"the autoscaler died in the middle of {self.scenario}: {ended}",
                hint="what was seen until then says nothing of its rules; look at its log",
            )
        if ended := self.ended():
            raise ControlPlaneDied(
                f"the control plane died in the middle of {self.scenario}: {ended}",
                hint="what was seen until then says nothing of its rules; look at its log",
            )

    def _stand_in(self) -> bool:
        return sum(act() for act in self.stand_ins) > 0

    def end(self) -> None:
        """Return when what the case has caused is done, so that its story can be read."""
        if self.cluster.ends(self._stand_in):
            self.is_at_rest()

    def rest(self) -> None:
        """Return when nothing more happens (design.md §6)."""
        calm = max((drain() for drain in self.drains), default=0.0)
        self.cluster.rest(max(calm, self.budgets.seconds("quiet")), self.react)
        self.is_at_rest()

    def is_at_rest(self) -> None:
        """Remember that everybody has noticed everything up to now."""
        changes = self.cluster.recorder.changes()
        if changes:
            self.settled.append(changes[-1].revision)

    @contextmanager
    def current(self) -> Iterator[CaseContext]:
        """Make this the context that `within` and `never` act on."""
        token = _CURRENT.set(self)
        try:
            yield self
        finally:
            _CURRENT.reset(token)
            # They know the context; apart both are freed at once.
            self.stand_ins.clear()
            self.drains.clear()
            self.looks.clear()


def _case_context() -> CaseContext:
    context = _CURRENT.get()
    if context is None:
        raise UsageError(
            "within() and never() work only inside a scenario", hint="ask for the fixture `kueue_cluster`"
        )
    return context


def within(budget: str, condition: Condition, *, clause: str = "") -> Fact:
    """Wait until `condition` holds, no longer than the named budget. Raises Nonconformance with the story."""
    __tracebackhide__ = True
    context = _case_context()
    began = context.cluster.now()
    looked: list[Fact] = []

    def look() -> bool:
        if context.budgets.virtual:
            context.is_at_rest()  # on a virtual clock nobody looks before that
        looked[:] = [as_fact(condition)]
        return bool(looked[0])

    context.cluster.wait(look, context.budgets.seconds(budget), context.react)
    seen = looked[0]
    context.waits.setdefault(budget, []).append(round(context.cluster.now() - began, 3))
    if not seen:
        raise Nonconformance(explain(context, clause, seen, f"within the budget {budget!r}"))
    return seen


def either(budget: str, ways: Mapping[str, Condition], *, clause: str) -> str:
    """Wait until one of several permitted behaviours shows; return its name, which the report tells. Raises Nonconformance."""
    __tracebackhide__ = True
    context = _case_context()

    def one_of_them() -> Fact:
        found = {name: as_fact(condition) for name, condition in ways.items()}
        held = [name for name, seen in found.items() if seen]
        context.seen.update({clause: held[0]} if held else {})
        expected = "; or ".join(f"{seen.expected} ({name})" for name, seen in found.items())
        return Fact(bool(held), expected, "; ".join(dict.fromkeys(seen.observed for seen in found.values())))

    within(budget, one_of_them, clause=clause)
    return context.seen[clause]


def never(condition: Condition, *, clause: str = "") -> None:
    """Let everything come to rest and raise Nonconformance if `condition` holds, or held at any moment since the last act.

    A condition that held right after the act may end; then it must not come back.
    """
    __tracebackhide__ = True

    def absent() -> Fact:
        seen = as_fact(condition)
        return Fact(not seen, f"never: {seen.expected}", seen.observed)

    _throughout(absent, clause, "at any time")


def always(condition: Condition, *, clause: str = "") -> None:
    """Let everything come to rest and raise Nonconformance unless `condition` holds, and held from the last act on.

    A condition that takes effect after the act is judged from then on.
    """
    __tracebackhide__ = True
    _throughout(condition, clause, "still, when everything is at rest")


def _throughout(condition: Condition, clause: str, when: str) -> None:
    __tracebackhide__ = True
    context = _case_context()
    since, seen = context.viewpoint.acted, as_fact(condition)
    if seen:
        context.rest()
        seen = as_fact(condition)
    if seen and (broken := context.broken(condition, since)) is not None:
        seen = broken
    if not seen:
        raise Nonconformance(explain(context, clause, seen, when))

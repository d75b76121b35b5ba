"""Runs a story of a control plane once, and says what was not allowed in it."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from pathlib import Path

from ...base.json_types import Json
from ...case.context import CaseContext
from ...case.failure_text import CaseDescription, story_of, under
from ...control_planes import BLOCKED_ADMISSION, FAIR_SHARING, VISIBILITY
from ...history.story import Change
from ...run import Run
from ...scenarios.capability import PROVISIONING_REQUESTS
from ...scenarios.dialect import Dialect
from ...stage import Stage
from ...stage.making.drawn_names import DrawnNames
from ...stage.making.names import Names
from ...wire.client import ApiError
from ..disturbance import Interruption, interruption
from ..judgement import broken_rule, outcome_of_errors
from ..perturbation import Perturbation
from ..state_changes import state_changes
from ..story import SILENCE, Breach, RunResult
from .acts import Act, Verb
from .end_states import MAY_DIFFER_WHEN_DISTURBED, StoryEnd, compare_ends
from .exemptions import Exemptions, exemptions_of_release, exemptions_of_story
from .model import contradictions
from .snapshot import SNAPSHOT_KINDS, Snapshot
from .state import Contradiction, State
from .statements.fair_victims import FairPreemption, fair_preemptions, unfair_victims
from .statements.jobs_and_workloads import quota_of_running_jobs
from .story import Story
from .story_stage import StoryStage
from .visible_state import VisibleState, visible_state

_LAST = "hold"
"""The budget of the last rest."""
_MOST_RESTS = 5
"""How often quiet is waited for again."""
_ACTORS = ("kueue-conformance", "check-player", "job-stand-in")
"""Those whose writes are not the control plane's."""


class StoryRunner:
    """Runs stories on the control plane of a run, each on a cluster of its own."""

    def __init__(
        self,
        run: Run,
        dialect: Dialect,
        installed: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._run = run
        self.dialect = dialect
        self._installed = installed
        """Surrounds each run: what the control plane is changed by, in this process."""
        self._alone: tuple[Story, StoryEnd] | None = None
        """The newest story that was run without a perturbation."""

    def run(
        self, story: Story, perturbation: Perturbation | None = None, *, patient: bool = True
    ) -> RunResult:
        """Run a story, and compare its end with that of an undisturbed run where it is disturbed."""
        del patient  # on virtual time nothing is gained by haste
        if perturbation is None:
            return self.run_alone(story).result
        alone, disturbed = self.run_alone(story), self.run_once(story, perturbation)
        if alone.result.breach or disturbed.result.breach or not disturbed.result.was_met:
            return disturbed.result
        if story.features or not story.is_alone(perturbation.act):
            # The moment decides: what waits for pods is evicted and tried again without end, and the next act
            # may come before the control plane has got over this one.
            return disturbed.result
        breach = compare_ends(alone, disturbed, "without the perturbation", MAY_DIFFER_WHEN_DISTURBED)
        return replace(disturbed.result, breach=breach)

    def run_alone(self, story: Story) -> StoryEnd:
        """Run a story without a perturbation; the newest one is remembered."""
        if self._alone is None or self._alone[0] != story:
            self._alone = story, self.run_once(story, None)
        return self._alone[1]

    def run_once(self, story: Story, perturbation: Perturbation | None, number: int = 0) -> StoryEnd:
        """Run a story on a cluster of its own, or on one on which every story has other names, by its
        number.
        """
        lent = self._run.case_context(
            self.dialect,
            "explore",
            needs=self._needs(story),
            alone=True,
            log=Path(os.devnull),
        )
        with self._installed(), _pause_garbage_collection(), lent as context:
            # A title says that rules are judged: tests break them on purpose.
            permits = (*exemptions_of_story(story, perturbation), *exemptions_of_release(self.dialect))
            context.about = CaseDescription(title="explore", permits=permits)
            stage = Stage(context, _names(story, number))
            disturbance = interruption(perturbation, context, context.cluster.kueue_faults, context)
            features = frozenset(self._needs(story))
            actors = StoryStage(stage, has_webhooks="webhooks" in story.services)
            return StoryRun(context, actors, disturbance, features).run(story)

    def _needs(self, story: Story) -> tuple[str, ...]:
        """Return what the control plane is configured with and serves. Before 0.19 no provisioning is
        modelled.
        """
        needs = (*story.features, *story.services)
        is_old = self.dialect.is_release and not self.dialect.holds("0.19", "")
        return tuple(need for need in needs if not is_old or need != PROVISIONING_REQUESTS)


@contextmanager
def _pause_garbage_collection() -> Iterator[None]:
    """Have no cycles of garbage looked for: a story leaves few, and the search took a sixth of its time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _names(story: Story, number: int) -> Names:
    """Return the names of a story, the same in each run of it: they decide the order of equals."""
    case = f"story {number}" if number else "story"
    if story.has_drawn_names:
        return DrawnNames("explore", "story", case, 1, drawn_values=[])
    return Names("explore", "story", case, 1)


@dataclass
class StoryRun:
    """One run: the acts in order, a judgement at each rest, and that of the safety rules at the end."""

    context: CaseContext
    stage: StoryStage
    disturbance: Interruption
    features: frozenset[str]
    """What the control plane is configured with, and what it serves."""
    snapshot: Snapshot = field(default_factory=Snapshot)
    before: Snapshot = field(default_factory=Snapshot)
    """The state at the newest rest."""
    rests: list[VisibleState] = field(default_factory=list)
    exemptions: Exemptions = field(default_factory=Exemptions)
    _rested_at: float = 0.0
    _done: list[Act] = field(default_factory=list)
    """The acts that were done since the newest rest."""
    _acts: int = 0
    """How many acts there were since the newest rest."""
    _read: int = 0
    """How many changes the snapshot has taken in."""
    _counted: int = 0
    """Among how many changes writes were counted."""
    _written: int = 0

    def run(self, story: Story) -> StoryEnd:
        """Carry the acts out, and judge what the control plane did."""
        marks: list[int] = []
        outcome = RunResult()
        with outcome_of_errors(self.context) as errors:
            breach = self._run_acts(story, marks)
            self.disturbance.end()
            # Long enough for every delay and limit: a moment more or less decides nothing any more.
            breach = breach or self._rest("at the end", _LAST)
            self.context.end()
            about = self.context.about
            self.context.about = replace(about, permits=(*about.permits, *self.exemptions.rules))
            outcome = RunResult(breach=breach or broken_rule(self.context))
        marks += [self._count_writes()] * (len(story.acts) + 1 - len(marks))
        result = next(iter(errors), outcome)
        if FAIR_SHARING in self.features and result.breach and result.breach.cause == SILENCE:
            result = self._judge_silence(result.breach)
        result = replace(
            result,
            changes=tuple(self.context.cluster.recorder.changes()) if result.breach else (),
            writes=tuple(later - earlier for earlier, later in pairwise(marks)),
            was_met=self.disturbance.was_met,
            changes_of_state=state_changes(
                self.context.cluster.recorder.changes(), lambda actor: not actor.startswith(_ACTORS)
            ),
        )
        return StoryEnd(
            result,
            self.rests,
            self.stage.outcomes,
            self.exemptions.has_lost_flavor,
            story_of(self.context, ()),
        )

    def _run_acts(self, story: Story, marks: list[int]) -> Breach | None:
        """Carry the acts out; `marks` gets the number of writes before each."""
        for number, act in enumerate(story.acts, 1):
            marks.append(self._count_writes())
            if act.verb is not Verb.SETTLE:
                self._carry_out(number, act)
            elif breach := self._rest(f"after act {number}"):
                return breach
        return None

    def _carry_out(self, number: int, act: Act) -> None:
        self._acts += 1
        with self.disturbance.around(number):
            self.stage.carry_out(act)
        self._done += [self.stage.done] if self.stage.done else []
        self.exemptions.note_act(act, self._acts, self._done)

    def _rest(self, when: str, budget: str = "settle") -> Breach | None:
        """Wait until everything is at rest, and judge the state."""
        # As long in each run, so that delays and limits end at the same acts: what was disturbed has time to
        # get over it.
        seconds = self.context.budgets.seconds(budget)
        self._let_pass(seconds)
        preemptions, changes = self._take_preemptions()
        contradiction = next(quota_of_running_jobs(State(self.snapshot, self.before)), None)
        if self.stage.end_pods(lasting=budget == _LAST):
            self._let_pass(seconds)
            changes = [*changes, *self._take()]
        names = self.stage.short_names
        self.rests.append(visible_state(self.snapshot, names))
        state = self._state(changes)
        at_rest = chain(self.stage.contradictions, contradictions(state), unfair_victims(state, preemptions))
        contradiction = contradiction or next(at_rest, None)
        self.before, self._rested_at, self._acts = self.snapshot.copy(), self.context.cluster.now(), 0
        self._done.clear()
        return self._breach(contradiction, when) if contradiction else None

    def _judge_silence(self, silence: Breach) -> RunResult:
        """Judge a control plane that preempts without end. Kueue may do so with fair sharing: shares choose
        whom to preempt with the preemptor, and then who gets the quota by what each asks for.
        """
        arrived = self.context.cluster.recorder.arrivals(self._read)
        if not any(fair_preemptions(self.snapshot, arrived)):
            return RunResult(breach=silence)
        preemptions, changes = self._take_preemptions()
        contradiction = next(unfair_victims(self._state(changes), preemptions), None)
        if contradiction:
            return RunResult(breach=self._breach(contradiction, "without end"))
        return RunResult(undetermined=silence.text)

    def _take_preemptions(self) -> tuple[Sequence[FairPreemption], Sequence[Change]]:
        """Take what has changed, and return the preemptions in Cohorts among it, where these can be judged
        by what was written, and the changes.
        """
        if FAIR_SHARING not in self.features or not self._is_calm:
            return (), self._take()
        earlier = self.snapshot.copy()
        changes = self._take()
        return tuple(fair_preemptions(earlier, changes)), changes

    @property
    def _is_calm(self) -> bool:
        """Whether one act at most was done since the newest rest, and nothing interrupts."""
        return self._acts <= 1 and self.disturbance.is_none

    def _take(self) -> Sequence[Change]:
        """Take what has changed into the snapshot, and return it."""
        changes = self.context.cluster.recorder.arrivals(self._read)
        self._read += len(changes)
        self.snapshot.take(changes)
        self._read_unrecorded()
        return changes

    def _read_unrecorded(self) -> None:
        """Read the objects of the story whose kinds a real server's watches leave out."""
        for kind in set(SNAPSHOT_KINDS) - self.context.cluster.recorder.kinds:
            with suppress(ApiError):  # of a kind that is not served there are none
                objects = self.context.client.list(kind)
                self.snapshot.replace(kind, [stored for stored in objects if self._is_mine(stored)])

    def _is_mine(self, stored: Json) -> bool:
        name, namespace = stored["metadata"]["name"], stored["metadata"].get("namespace")
        return name in self.stage.short_names or self.stage.namespace in (name, namespace)

    def _state(self, changes: Sequence[Change]) -> State:
        is_calm = self._is_calm
        is_listed = VISIBILITY in self.features and self.disturbance.is_none
        # Of two acts, which one a write answers is open.
        single_act = self._done[0] if is_calm and len(self._done) == 1 else None
        state = State(
            self.snapshot,
            self.before,
            BLOCKED_ADMISSION in self.features,
            facts=self.context.dialect.facts,
            time=self.context.cluster.now(),
            since=self._rested_at,
            acts=self._acts,
            is_fair=FAIR_SHARING in self.features,
            dialect=self.context.dialect,
            changes=[change for change in changes if is_calm and not change.actor.startswith(_ACTORS)],
            single_act=single_act,
            lists=self.stage.read_lists() if is_listed else {},
        )
        self.exemptions.note_state(state)
        return replace(
            state,
            has_lost_flavor=self.exemptions.has_lost_flavor,
            has_forgotten_quota=self.exemptions.has_forgotten_quota,
            has_lowered_priority=self.exemptions.has_lowered_priority,
        )

    def _breach(self, contradiction: Contradiction, when: str) -> Breach:
        lines = [
            *under("expected", [f"{contradiction.name}: {contradiction.expected} ({when}, at rest)"]),
            *under("observed", [contradiction.observed]),
        ]
        text = "\n".join([*lines, *story_of(self.context, lines)])
        return Breach(cause=f"model:{contradiction.statement}", text=text)

    def _let_pass(self, seconds: float) -> None:
        """Let seconds pass, and more while something has changed in the last of them: a delay or limit that
        has ended just now has its effects still to come.
        """
        if not self.context.budgets.virtual:
            # No delay ends by itself: what follows from an act follows at once.
            self.context.rest(self.context.budgets.seconds("calm"))
            return
        quiet = self.context.budgets.seconds("quiet")
        self.context.rest(seconds)
        for _ in range(_MOST_RESTS):
            changes = self.context.cluster.recorder.changes()
            if not changes or changes[-1].at <= self.context.cluster.now() - quiet:
                return
            self.context.rest(quiet)

    def _count_writes(self) -> int:
        """Return how many writes of the control plane there were so far, without those of events."""
        changes = self.context.cluster.recorder.arrivals(self._counted)
        self._counted += len(changes)
        self._written += sum(
            not change.actor.startswith(_ACTORS) and change.kind != "Event" for change in changes
        )
        return self._written

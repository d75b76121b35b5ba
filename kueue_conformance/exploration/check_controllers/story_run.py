"""Runs a story once, with a perturbation or without, and says what was not allowed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from ...base.errors import UnmetPremise
from ...case.context import CaseContext
from ...case.failure_text import story_of, under
from ...run import Run
from ...scenarios.dialect import Dialect
from ...stage import Stage
from ...stage.kueue.scripted_kueue import ScriptedKueue
from ...stage.making.drawn_names import DrawnNames
from ...stage.making.names import Names
from ...stage.subject.case_subject import case_subject
from ...stage.subject.subject import Subject
from ..judgement import broken_rule
from ..perturbation import Perturbation
from ..state_changes import WORKLOADS, StateReader, entries_of_checks
from ..story import END_STATE, UNREST, Breach, RunResult
from ..subject_story_run import run_story
from .acts import SETTLE, Act, Verb
from .disturbance import Disturbance
from .mismatches import Mismatch, find_mismatches
from .model import World, after, worlds_of
from .story import Story
from .story_stage import StoryStage

_SHORT_WAIT = 1.0
"""Seconds in which a controller has answered that nothing hinders."""
_MOST_REQUESTS = 10
"""Requests a second of a controller that has nothing to do (CC-074)."""


class StoryRunner:
    """Runs stories on the cluster of a run, each in a namespace of its own."""

    def __init__(self, run: Run, dialect: Dialect, seed: int, known_breaches: tuple[str, ...] = ()) -> None:
        self._run = run
        self._dialect = dialect
        self._seed = seed
        self._runs = count(1)
        self._known_breaches = known_breaches
        """The safety rules that are not judged."""

    def run(
        self, story: Story, perturbation: Perturbation | None = None, *, patient: bool = True
    ) -> RunResult:
        """Run a story; the controller is running at its beginning, and at its end.

        Unless it is `patient`, a state that is missing when the controller has read everything is a breach
        at once; otherwise the budget is waited for.
        """
        with self._run.case_context(self._dialect, "explore") as context:
            context.about = replace(context.about, permits=self._known_breaches)
            name = f"explore {next(self._runs)}"
            stage = Stage(context, self._names(story, name))
            # The story says when the quota of an evicted Workload is given back.
            stage.release.pods_are_held = True
            kueue = ScriptedKueue(stage)
            with case_subject(stage, kueue) as subject:
                if reason := _reason_not_to_run(story, subject):
                    return RunResult(undetermined=f"undetermined: {reason}")
                faults = context.cluster.faults
                assert faults is not None, "asked for before the exploration began"
                stage_of_story = StoryStage(stage, kueue, subject, story)
                disturbance = Disturbance(perturbation, context, stage_of_story, faults)
                try:
                    worlds = worlds_of(story.acts, story.workloads, story.checks)
                    return run_story(StoryRun(context, stage_of_story, disturbance, patient, worlds), story)
                finally:
                    disturbance.end()

    def _names(self, story: Story, name: str) -> Names:
        if story.drawn_names:
            return DrawnNames("explore", self._run.uid, name, self._seed, drawn_values=[])
        return Names("explore", self._run.uid, name, self._seed)


def _reason_not_to_run(story: Story, subject: Subject) -> str:
    """Return why a story says nothing about a subject whose outside system is another one; empty for none."""
    if subject.decides_for_all and story.decides_for_each:
        return "the story decides about each Workload by itself, and a driver of the subject file about all"
    if not subject.decides_for_all and story.decides_for_all:
        return (
            "the story decides about all Workloads, and the drivers of the subject file about each by itself"
        )
    begins_decided = any(act.verb is Verb.DECIDE_ALL for act in story.acts[:1])
    if subject.decides_for_all and not subject.can_be_left_open and not begins_decided:
        return "the story begins undecided, and the subject's outside system has always decided"
    return ""


@dataclass(frozen=True, slots=True)
class StoryRun:
    """One run: the acts in order, a wait where the story has one, and the judgement at the end."""

    context: CaseContext
    stage: StoryStage
    disturbance: Disturbance
    is_patient: bool
    worlds: Sequence[World]
    """What the model says before the first act, and after each."""

    def carry_out(self, number: int, act: Act) -> Breach | None:
        """Carry an act out; return what was not allowed at a wait."""
        world = self.worlds[number]
        if act.verb is Verb.SETTLE:
            # What lasts until the next act is over before the controller has to have done anything.
            self.disturbance.after(number)
            breach = self._await(world, f"after act {number}")
            if breach is None and self.disturbance.release_one():
                return self._await(world, f"after act {number}, and one whose verdicts were refused")
            return breach
        if act.verb is Verb.IDLE:
            return self._idle(world, f"in act {number}")
        self.disturbance.carry_out(number, act)
        if (haste := self.disturbance.haste) is not None:
            return self._breach_of(
                UNREST, [Mismatch("the controller", haste.expected, haste.observed)], f"in act {number}"
            )
        return None

    def _await(self, world: World, when: str) -> Breach | None:
        """Wait until every entry says what is allowed."""
        context = self.context
        seconds = context.budgets.seconds(self._budget)
        is_allowed = self._is_allowed(world, min(seconds, _SHORT_WAIT))
        if not is_allowed and self._has_patience and not self._is_allowed(world, seconds):
            if context.cluster.was_wait_too_short:
                raise UnmetPremise("undetermined: the machine is busy", hint="use one with less other work")
            return self._breach(world, f"{when}, within {seconds:g} s")
        # What is on its way arrives before everything is at rest.
        context.rest()
        if self._mismatches(world):
            return self._breach(world, f"{when}, when everything was at rest")
        self.stage.rest()
        return None

    @property
    def _budget(self) -> str:
        """The named wait for what the controller has to do."""
        if self._has_paused:
            return "eventually"
        return "recover" if self.context.disturbed else "react"

    @property
    def _has_paused(self) -> bool:
        """Whether the controller may wait before it tries again: its pauses grow with each failure."""
        return self.disturbance.delays or self.stage.had_trouble

    @property
    def _has_patience(self) -> bool:
        # On virtual time patience costs little.
        return self.is_patient or self._has_paused or self.context.budgets.virtual

    def _idle(self, world: World, when: str) -> Breach | None:
        """Let a while pass, in which a controller that is right writes nothing and asks little."""
        with self.stage.subject.observe_requests() as rest:
            self.context.cluster.passes(self.context.budgets.seconds("steady"), self.context.react)
        # What was refused several times may be sent again after a pause.
        is_silent = world.is_silent and not self.disturbance.delays
        facts = [rest.has_at_most_requests(_MOST_REQUESTS), *([rest.has_no_writes()] if is_silent else [])]
        if wrong := [fact for fact in facts if not fact]:
            mismatches = [Mismatch("the controller", fact.expected, fact.observed) for fact in wrong]
            return self._breach_of(UNREST, mismatches, when)
        return self._breach(world, when) if self._mismatches(world) else None

    def _is_allowed(self, world: World, seconds: float) -> bool:
        """Wait at most so long until every entry says what is allowed."""
        return self.context.cluster.wait(lambda: not self._mismatches(world), seconds, self.context.react)

    def judge_end(self) -> Breach | None:
        """Return what was not allowed at the end, or in the whole story."""
        if breach := self._await(after(self.worlds[-1], SETTLE), "at the end"):
            return breach
        self.context.end()
        return broken_rule(self.context)

    def _mismatches(self, world: World) -> Sequence[Mismatch]:
        return find_mismatches(self.stage, world)

    def _breach(self, world: World, when: str) -> Breach:
        return self._breach_of(END_STATE, self._mismatches(world), when)

    def _breach_of(self, cause: str, mismatches: Sequence[Mismatch], when: str) -> Breach:
        lines = [
            *under("expected", [f"{mismatch.name}: {mismatch.expected} ({when})" for mismatch in mismatches]),
            *under("observed", [f"{mismatch.name}: {mismatch.observed}" for mismatch in mismatches]),
        ]
        return Breach(cause=cause, text="\n".join([*lines, *story_of(self.context, lines)]))

    @property
    def state_readers(self) -> Sequence[StateReader]:
        """The states of the entries of the controller's checks, and of Workloads."""
        return entries_of_checks({check.check.name for check in self.stage.checks}), WORKLOADS

    @property
    def writes(self) -> int:
        """How many verdicts were written so far."""
        names = {(workload.namespace, workload.name) for workload in self.stage.workloads}
        return sum(
            attempt.kind == "Workload" and (attempt.namespace, attempt.name) in names and attempt.changed
            for attempt in self.context.cluster.recorder.attempts()
        )

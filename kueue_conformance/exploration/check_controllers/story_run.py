"""Runs a story once, with a perturbation or without, and says what was not allowed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise

from ...base.errors import UnmetPremise
from ...case.context import CaseContext
from ...case.failure_text import story_of, under
from ...run import Run
from ...scenarios.dialect import Dialect
from ...stage import Stage
from ...stage.kueue.scripted_kueue import ScriptedKueue
from ...stage.making.names import Names
from ...stage.subject.case_subject import case_subject
from ..judgement import broken_rule, outcome_of_errors
from ..perturbation import Perturbation
from ..story import END_STATE, Breach, RunResult
from .acts import SETTLE, Act, Verb
from .disturbance import Disturbance
from .drawing import Story
from .model import NEW, Workloads, after, model_of
from .story_stage import StoryStage

_SHORT_WAIT = 1.0
"""Seconds in which a controller has answered that nothing hinders."""


class StoryRunner:
    """Runs stories on the cluster of a run, each in a namespace of its own."""

    def __init__(self, run: Run, dialect: Dialect, seed: int) -> None:
        self._run = run
        self._dialect = dialect
        self._seed = seed
        self._runs = count(1)

    def run(
        self, story: Story, perturbation: Perturbation | None = None, *, patient: bool = True
    ) -> RunResult:
        """Run a story; the controller is running at its beginning, and at its end.

        Unless it is `patient`, a state that is missing when the controller has read everything is a breach
        at once; otherwise the budget is waited for.
        """
        with self._run.case_context(self._dialect, "explore") as context:
            name = f"explore {next(self._runs)}"
            stage = Stage(context, Names("explore", self._run.uid, name, self._seed))
            # The story says when the quota of an evicted Workload is given back.
            stage.release.pods_are_held = True
            kueue = ScriptedKueue(stage)
            with case_subject(stage, kueue) as subject:
                faults = context.cluster.faults
                assert faults is not None, "asked for before the exploration began"
                disturbance = Disturbance(perturbation, context, subject, faults)
                stage_of_story = StoryStage(stage, kueue, subject, story)
                try:
                    return StoryRun(context, stage_of_story, disturbance, patient).run(story)
                finally:
                    disturbance.end()


@dataclass(frozen=True, slots=True)
class StoryRun:
    """One run: the acts in order, a wait where the story has one, and the judgement at the end."""

    context: CaseContext
    stage: StoryStage
    disturbance: Disturbance
    is_patient: bool

    def run(self, story: Story) -> RunResult:
        """Carry the acts out and judge what the controller did."""
        marks: list[int] = []
        outcome = RunResult()
        with outcome_of_errors(self.context) as errors:
            breach = self._run_acts(story, marks)
            self.disturbance.end()
            outcome = RunResult(
                breach=breach or self._judge_end(model_of((*story.acts, SETTLE), story.workloads))
            )
        marks.append(self._verdicts_written)
        return replace(
            next(iter(errors), outcome),
            writes=tuple(later - earlier for earlier, later in pairwise(marks)),
            was_met=self.disturbance.was_met,
        )

    def _run_acts(self, story: Story, marks: list[int]) -> Breach | None:
        """Carry the acts out; `marks` gets the number of verdicts that were written before each."""
        workloads: Workloads = (NEW,) * story.workloads
        for number, act in enumerate(story.acts, 1):
            marks.append(self._verdicts_written)
            workloads = after(workloads, act)
            if act.verb is not Verb.SETTLE:
                self._carry_out(number, act)
                continue
            # What lasts until the next act is over before the controller has to have done anything.
            self.disturbance.after(number)
            if breach := self._await(workloads, f"after act {number}"):
                return breach
        return None

    def _carry_out(self, number: int, act: Act) -> None:
        self.disturbance.before(number)
        self.stage.carry_out(act)
        self.disturbance.after(number)

    def _await(self, workloads: Workloads, when: str) -> Breach | None:
        """Wait until every entry has an allowed state."""
        context = self.context
        seconds = context.budgets.seconds("recover" if context.disturbed else "react")
        is_allowed = self._are_allowed(workloads, min(seconds, _SHORT_WAIT))
        if self.is_patient and not is_allowed and not self._are_allowed(workloads, seconds):
            if context.cluster.was_wait_too_short:
                raise UnmetPremise("undetermined: the machine is busy", hint="use one with less other work")
            return self._breach(workloads, f"{when}, within {seconds:g} s")
        # What is on its way arrives before everything is at rest.
        context.rest()
        if self._odd_states(workloads):
            return self._breach(workloads, f"{when}, when everything was at rest")
        return None

    def _are_allowed(self, workloads: Workloads, seconds: float) -> bool:
        """Wait at most so long until every entry has an allowed state."""
        return self.context.cluster.wait(
            lambda: self._odd_states(workloads) == [], seconds, self.context.react
        )

    def _judge_end(self, workloads: Workloads) -> Breach | None:
        if breach := self._await(workloads, "at the end"):
            return breach
        self.context.end()
        return broken_rule(self.context)

    def _odd_states(self, workloads: Workloads) -> Sequence[tuple[str, str, str]]:
        """Return Workloads whose entry has no allowed state: name, what is allowed, what it has."""
        rows = zip(self.stage.names, workloads, self.stage.states, strict=True)
        return [
            (name, " or ".join(sorted(_word(state) for state in workload.states)), _word(state))
            for name, workload, state in rows
            if state not in workload.states
        ]

    def _breach(self, workloads: Workloads, when: str) -> Breach:
        odd_states = self._odd_states(workloads)
        lines = [
            *under(
                "expected", [f"{name}: the check is {allowed} ({when})" for name, allowed, _ in odd_states]
            ),
            *under("observed", [f"{name}: it is {state}" for name, _, state in odd_states]),
        ]
        return Breach(cause=END_STATE, text="\n".join([*lines, *story_of(self.context, lines)]))

    @property
    def _verdicts_written(self) -> int:
        names = set(self.stage.names)
        return sum(
            attempt.kind == "Workload" and attempt.name in names and attempt.changed
            for attempt in self.context.cluster.recorder.attempts()
        )


def _word(state: str) -> str:
    return state or "not listed"

"""One run of a story on a subject: its acts in order, the judgement at the end, and what was written behind
each act.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Protocol

from ..case.context import CaseContext
from ..history.story import SUBJECT
from .judgement import outcome_of_errors
from .state_changes import StateReader, state_changes
from .story import Breach, RunResult, Story


class EndedInterruption(Protocol):
    """The perturbation of a run, as its end needs it."""

    @property
    def was_met(self) -> bool:
        """Whether it has happened."""

    def end(self) -> None:
        """Disturb nothing any more."""


class SubjectStoryRun(Protocol):
    """A run of a story on a subject of some role."""

    @property
    def context(self) -> CaseContext:
        """The case that the story is."""

    @property
    def disturbance(self) -> EndedInterruption:
        """What interrupts the subject."""

    @property
    def writes(self) -> int:
        """How many writes of the subject there were so far that are worth an interruption."""

    @property
    def state_readers(self) -> Sequence[StateReader]:
        """The states of objects that the run is about."""

    def carry_out(self, number: int, act: Any) -> Breach | None:
        """Carry out the act of this number, from 1; return what was not allowed at a wait."""

    def judge_end(self) -> Breach | None:
        """Return what was not allowed at the end, or in the whole story."""


def run_story(run: SubjectStoryRun, story: Story) -> RunResult:
    """Carry the acts out, and judge what the subject did."""
    marks: list[int] = []
    outcome = RunResult()
    # A program that ends, or answers nothing any more, ends the story: that is its outcome.
    with outcome_of_errors(run.context) as errors:
        breach = _run_acts(run, story, marks)
        # The end is judged without the perturbation: a program that is right has got over it by then.
        run.disturbance.end()
        outcome = RunResult(breach=breach or run.judge_end())
    # Nothing was written behind the acts that were not reached.
    marks += [run.writes] * (len(story.acts) + 1 - len(marks))
    return replace(
        next(iter(errors), outcome),
        writes=tuple(later - earlier for earlier, later in pairwise(marks)),
        was_met=run.disturbance.was_met,
        changes_of_state=state_changes(
            run.context.cluster.recorder.changes(), lambda actor: actor == SUBJECT, run.state_readers
        ),
    )


def _run_acts(run: SubjectStoryRun, story: Story, marks: list[int]) -> Breach | None:
    """Carry the acts out; `marks` gets the number of the subject's writes before each."""
    for number, act in enumerate(story.acts, 1):
        marks.append(run.writes)
        if breach := run.carry_out(number, act):
            return breach
    return None

"""Runs the same story on two control planes, and compares what users see whenever everything is at rest."""

from __future__ import annotations

from dataclasses import replace

from ..perturbation import Perturbation
from ..story import RunResult
from .end_states import compare
from .story import Story
from .story_run import StoryRunner


class DifferentialRunner:
    """Runs stories on one control plane, and judges it by another one, the expected one."""

    def __init__(self, judged: StoryRunner, other: StoryRunner, name: str) -> None:
        self._judged = judged
        self._other = other
        self._name = name

    def run(
        self, story: Story, perturbation: Perturbation | None = None, *, patient: bool = True
    ) -> RunResult:
        """Run a story on both; what the judged one breaks by itself comes first, unless the other one breaks
        it as well.
        """
        del patient
        judged, other = self._judged.run_once(story, perturbation), self._other.run_once(story, perturbation)
        breach, of_other = judged.result.breach, other.result.breach
        if breach and not (of_other and of_other.cause == breach.cause):
            return judged.result
        return replace(judged.result, breach=compare(other, judged, f"in {self._name}"))

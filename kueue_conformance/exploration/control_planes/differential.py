"""Runs the same story on two control planes, and compares what users see whenever everything is at rest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count

from ..perturbation import Perturbation
from ..story import RunResult
from .end_states import Timing, compare
from .real_time import adapt_to_real_time
from .story import Story
from .story_run import StoryRunner


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferentialRunner:
    """Runs stories on one control plane, and judges it by another one, the expected one."""

    judged: StoryRunner
    other: StoryRunner
    name: str
    """What the other one is called in a text."""
    timing: Timing = Timing.VIRTUAL
    _numbers: count[int] = field(default_factory=lambda: count(1))
    """Of the runs: on a cluster that they share each has names of its own."""

    def run(
        self, story: Story, perturbation: Perturbation | None = None, *, patient: bool = True
    ) -> RunResult:
        """Run a story on both; what the judged one breaks by itself comes first, unless the other one breaks
        it as well.
        """
        del patient
        number = 0
        if self.timing is Timing.REAL:
            # Also behind the drawing: a story that was made shorter has lost some of its rests.
            story, number = adapt_to_real_time(story), next(self._numbers)
        judged = self.judged.run_once(story, perturbation, number)
        other = self.other.run_once(story, perturbation, number)
        breach, of_other = judged.result.breach, other.result.breach
        if breach and not (of_other and of_other.cause == breach.cause):
            return judged.result
        if unknown := judged.result.undetermined or other.result.undetermined:
            return replace(judged.result, breach=None, undetermined=unknown)
        difference = compare(other, judged, f"in {self.name}", self.timing)
        return replace(judged.result, breach=difference)

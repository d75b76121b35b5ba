"""The loop: draws stories, runs each alone and with perturbations, and makes findings of what breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from .coverage import Coverage, Vocabulary
from .findings import Finding, Identity
from .perturbation import Perturbation
from .shrinking import shrink
from .story import Breach, RunResult, RunStory, Story

Plan = Callable[[Any, Sequence[int], int, int], Sequence[Perturbation]]
"""Chooses perturbations of a story, by what was written behind each act, a seed, and the most of them."""
PERTURBATIONS = 4
"""The most perturbations of a story, where nothing else is said."""
TRIES = 30
"""How many shorter stories are tried for a finding."""
REPETITIONS = 3

SeedsByCause = MutableMapping[tuple[str, str], list[int]]
"""The seeds of the stories that broke, by what broke and the kind of perturbation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredProgram:
    """A program that runs, with the stories and perturbations by which it is explored."""

    run: RunStory
    draw: Callable[[int], Story]
    """Returns the story of a seed."""
    plan: Plan
    identity: Identity
    perturbations: int = PERTURBATIONS
    """The most perturbations of a story."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    """What its stories can have, and what a run can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """Explores one program until `is_over`; each cause is a finding once."""

    program: ExploredProgram
    seed: int
    """Of the first story."""
    is_over: Callable[[], bool]
    tries: int = TRIES
    step: int = 1
    """From the seed of a story to that of the next one."""
    coverage: Coverage = field(default_factory=Coverage)
    causes: SeedsByCause = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """Yield each finding when it was run again."""
        for number in count(self.seed, self.step):
            if self.is_over():
                return
            self.coverage.stories += 1
            yield from self._explore(self.program.draw(number), number)

    def _explore(self, story: Story, number: int) -> Iterator[Finding]:
        result = self._run(story, None)
        if result.breach is not None:
            yield from self._finding(story, None, number, result.breach)
            # A story that breaks by itself shows nothing of what interrupts it.
            return
        program = self.program
        for perturbation in program.plan(story, result.writes, number, program.perturbations):
            if self.is_over():
                return
            disturbed = self._run(story, perturbation)
            if disturbed.breach is not None and disturbed.was_met:
                yield from self._finding(story, perturbation, number, disturbed.breach)

    def _finding(
        self, story: Story, perturbation: Perturbation | None, number: int, breach: Breach
    ) -> Iterator[Finding]:
        """Yield the finding of a cause that is new: made shorter, and repeated."""
        cause = breach.cause, perturbation.kind.name if perturbation else ""
        seeds = self.causes.setdefault(cause, [])
        seeds.append(number)
        if len(seeds) > 1:
            return
        story, perturbation = shrink(
            (story, perturbation),
            lambda smaller, at: self._breaks(smaller, at, breach.cause),
            self.tries,
        )
        drawn = Finding(
            story=story,
            perturbation=perturbation,
            seed=number,
            identity=self.program.identity,
            cause=breach.cause,
            text=breach.text,
        )
        again = repeat(drawn, self._run)
        # A race that does not come again is reported with its first text.
        yield again if again.failed else replace(drawn, failed=0, runs=again.runs)

    def _breaks(self, story: Story, perturbation: Perturbation | None, cause: str) -> bool:
        """Tell whether two runs in a row break: what one race decides makes no story shorter."""
        return all(
            result.breach is not None and result.breach.cause == cause
            for result in (self._run(story, perturbation, patient=False) for _ in range(2))
        )

    def _run(self, story: Story, perturbation: Perturbation | None, *, patient: bool = True) -> RunResult:
        result = self.program.run(story, perturbation, patient=patient)
        self.coverage.count(story, perturbation, result)
        return result


def repeat(finding: Finding, run: RunStory, times: int = REPETITIONS) -> Finding:
    """Return a finding with what so many runs of it show now; those that are undetermined do not count."""
    runs = [run(finding.story, finding.perturbation, patient=False) for _ in range(times)]
    determined = [result for result in runs if not result.undetermined]
    broken = [result for result in determined if result.breach is not None]
    shown = broken[0].breach if broken else None
    text, cause = (shown.text, shown.cause) if shown else ("", finding.cause)
    changes = broken[0].changes if broken else ()
    return replace(finding, failed=len(broken), runs=len(determined), text=text, cause=cause, changes=changes)

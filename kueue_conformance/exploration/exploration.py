"""The loop: draws stories, plays each alone and with perturbations, and makes findings of what breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Protocol

from .drawing import Story, draw_story
from .findings import Finding
from .perturbations import Kind, Perturbation, plan
from .playing import Breach, PlayResult
from .shrinking import shrink


class Play(Protocol):
    """Plays a story once; what is not `patient` ends sooner where something is missing."""

    def __call__(
        self, story: Story, perturbation: Perturbation | None, *, patient: bool = True
    ) -> PlayResult:
        """Play it."""


PERTURBATIONS = 4
"""The most perturbations of a story."""
TRIES = 30
"""How many shorter stories are tried for a finding."""
REPETITIONS = 3


@dataclass
class Coverage:
    """What was played: plays by perturbation, acts, and perturbations that met nothing."""

    stories: int = 0
    plays: int = 0
    undetermined: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    perturbations: Counter[str] = field(default_factory=Counter)
    unmet: Counter[str] = field(default_factory=Counter)

    def count(self, story: Story, perturbation: Perturbation | None, played: PlayResult) -> None:
        """Count one play."""
        self.plays += 1
        self.undetermined += bool(played.undetermined)
        self.acts.update(act.verb for act in story.acts)
        if perturbation is not None:
            (self.perturbations if played.was_met else self.unmet)[perturbation.kind] += 1

    def lines(self) -> Iterator[str]:
        """Yield what was played, and which perturbations were not."""
        acts = ", ".join(f"{verb} {number}" for verb, number in sorted(self.acts.items()))
        yield f"{self.stories} stories, {self.plays} plays, {self.undetermined} undetermined"
        yield f"acts: {acts or 'none'}"
        for kind in Kind:
            unmet = f", {self.unmet[kind]} met no write" if self.unmet[kind] else ""
            yield f"  {kind:<34} {self.perturbations[kind]}{unmet}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """Explores one controller until `is_over`; each cause is a finding once."""

    play: Play
    seed: int
    dialect: str
    states: Sequence[str]
    is_over: Callable[[], bool]
    kinds: Collection[Kind] = frozenset(Kind)
    """The perturbations that the controller can be asked to bear."""
    tries: int = TRIES
    coverage: Coverage = field(default_factory=Coverage)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each cause came: what broke, and the kind of perturbation."""

    def findings(self) -> Iterator[Finding]:
        """Yield each finding when it was played again."""
        for number in count(self.seed):
            if self.is_over():
                return
            self.coverage.stories += 1
            yield from self._explore(draw_story(number, self.states), number)

    def _explore(self, story: Story, number: int) -> Iterator[Finding]:
        played = self._play(story, None)
        if played.breach is not None:
            yield from self._finding(story, None, number, played.breach)
            # A story that breaks by itself shows nothing of what interrupts it.
            return
        for perturbation in plan(story.acts, played.writes, number, PERTURBATIONS, self.kinds):
            if self.is_over():
                return
            disturbed = self._play(story, perturbation)
            if disturbed.breach is not None and disturbed.was_met:
                yield from self._finding(story, perturbation, number, disturbed.breach)

    def _finding(
        self, story: Story, perturbation: Perturbation | None, number: int, breach: Breach
    ) -> Iterator[Finding]:
        """Yield the finding of a cause that is new: made shorter, and repeated."""
        cause = breach.cause, perturbation.kind if perturbation else ""
        self.causes[cause] += 1
        if self.causes[cause] > 1:
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
            dialect=self.dialect,
            cause=breach.cause,
            text=breach.text,
        )
        again = repeat(drawn, self._play)
        # A race that does not come again is reported with its first text.
        yield again if again.failed else replace(drawn, failed=0, plays=again.plays)

    def _breaks(self, story: Story, perturbation: Perturbation | None, cause: str) -> bool:
        """Tell whether two plays in a row break: what one race decides makes no story shorter."""
        return all(
            played.breach is not None and played.breach.cause == cause
            for played in (self._play(story, perturbation, patient=False) for _ in range(2))
        )

    def _play(self, story: Story, perturbation: Perturbation | None, *, patient: bool = True) -> PlayResult:
        played = self.play(story, perturbation, patient=patient)
        self.coverage.count(story, perturbation, played)
        return played


def repeat(finding: Finding, play: Play, times: int = REPETITIONS) -> Finding:
    """Return a finding with what so many plays of it show now; those that are undetermined do not count."""
    plays = [play(finding.story, finding.perturbation, patient=False) for _ in range(times)]
    determined = [played for played in plays if not played.undetermined]
    broken = [played.breach for played in determined if played.breach is not None]
    text, cause = (broken[0].text, broken[0].cause) if broken else ("", finding.cause)
    return replace(finding, failed=len(broken), plays=len(determined), text=text, cause=cause)

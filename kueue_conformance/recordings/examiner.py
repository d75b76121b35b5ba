"""Judges a control plane by the recorded stories; each story is played at most once in a process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..base.errors import Nonconformance
from ..case.context import CaseContext
from ..case.failure_text import story_of, under
from ..scenarios.dialect import Dialect
from ..scenarios.scenario import Scenario
from .comparison import differences
from .document import Story, story
from .known_differences import FILE, KnownDifference
from .replay import PlayedStory, play

Known = Mapping[str, Sequence[KnownDifference]]
NOTHING: Known = MappingProxyType({})
_END = "; what followed was decided by uids or a race, and is left out"
_SHOWN = 8
"""The most differences in a failure text; later ones mostly follow from the first."""


class Examiner:
    """One control plane. Known differences must occur; results are kept by story, dialect and turn."""

    def __init__(self, known_differences: Known = NOTHING) -> None:
        self.known = known_differences
        self._played: dict[tuple[str, str, int], PlayedStory] = {}

    def has_played(self, name: str, dialect: Dialect, turn: int) -> bool:
        """Tell whether a story was played already, so that no cluster is needed."""
        return (name, dialect.name, turn) in self._played

    def states_of(
        self, name: str, dialect: Dialect, turn: int, play_it: Callable[[Story], PlayedStory]
    ) -> PlayedStory:
        """Return the states of a control plane in a story."""
        key = name, dialect.name, turn
        if key not in self._played:
            self._played[key] = play_it(story(name))
        return self._played[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedKueue:
    """The recorded Kueue, for one case."""

    examiner: Examiner
    scenario: Scenario
    dialect: Dialect
    context: CaseContext | None
    mark: str
    turn: int = 1

    def must_act_alike(self, name: str) -> None:
        """Raise Nonconformance unless the control plane behaved as recorded: all but texts and counts."""
        __tracebackhide__ = True
        self._judge(name, texts_only=False)

    def must_tell_alike(self, name: str) -> None:
        """Raise Nonconformance unless the control plane wrote the recorded texts, and as often."""
        __tracebackhide__ = True
        self._judge(name, texts_only=True)

    def _judge(self, name: str, *, texts_only: bool) -> None:
        __tracebackhide__ = True
        played = self.examiner.states_of(name, self.dialect, self.turn, self._play)
        breaches = judge(story(name), played, self.examiner.known.get(name, ()), texts_only=texts_only)
        if breaches:
            raise Nonconformance(self._text(story(name), breaches))

    def _play(self, story_: Story) -> PlayedStory:
        assert self.context is not None, "the first case of a story has a context"
        return play(self.context, story_, self.mark)

    def _text(self, story_: Story, breaches: list[str]) -> str:
        left_out = len(breaches) - _SHOWN
        return "\n".join(
            [
                f"{self.scenario.id}  {self.scenario.title}  [{self.scenario.level}] [{self.dialect.name}]",
                *under("rule", self.scenario.shows),
                *under("differs", [*breaches[:_SHOWN]]),
                *([f"             and {left_out} more"] if left_out > 0 else []),
                f"  recorded   {story_.name}: {' '.join(str(value) for value in story_.recorded.values() if isinstance(value, str))}{_END if story_.truncated else ''}",
                *(story_of(self.context) if self.context else []),
            ]
        )


def judge(
    story_: Story, played: PlayedStory, known_differences: Sequence[KnownDifference], *, texts_only: bool
) -> list[str]:
    """Return unknown differences by step, and known ones that are gone (pure)."""
    lines, met = [], set()
    for step, observed in zip(story_.steps, played.states, strict=False):
        rows = {row.where: row for row in known_differences if row.step == step.title}
        for difference in differences(step.state, observed):
            if difference.where in rows:
                met.add(rows[difference.where])
            elif difference.is_text_only == texts_only:
                lines.append(f"step `{step.title}`: {difference}")
    if played.ended:
        at = story_.steps[len(played.states)].title
        lines += [f"step `{at}`: cannot be played: {played.ended}"]
        return lines
    return lines + [
        f"step `{row.step}`: {row.where}: as recorded by now: remove its row from {FILE}"
        for row in known_differences
        if row not in met
    ]

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
from .comparing import differences
from .document import Story, story
from .known import FILE, KnownDifference
from .replay import Played, play

Known = Mapping[str, Sequence[KnownDifference]]
NOTHING: Known = MappingProxyType({})
_END = "; what followed was decided by uids or a race, and is left out"
_SHOWN = 8
"""The most differences in a failure text; later ones mostly follow from the first."""


class Examiner:
    """One control plane. Known differences must occur; results are kept by story, dialect and turn."""

    def __init__(self, known: Known = NOTHING) -> None:
        self.known = known
        self._played: dict[tuple[str, str, int], Played] = {}

    def has_played(self, name: str, dialect: Dialect, turn: int) -> bool:
        """Tell whether a story was played already, so that no cluster is needed."""
        return (name, dialect.name, turn) in self._played

    def played(self, name: str, dialect: Dialect, turn: int, play_it: Callable[[Story], Played]) -> Played:
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
        self._judge(name, told=False)

    def must_tell_alike(self, name: str) -> None:
        """Raise Nonconformance unless the control plane wrote the recorded texts, and as often."""
        __tracebackhide__ = True
        self._judge(name, told=True)

    def _judge(self, name: str, *, told: bool) -> None:
        __tracebackhide__ = True
        seen = self.examiner.played(name, self.dialect, self.turn, self._play)
        found = judged(story(name), seen, self.examiner.known.get(name, ()), told=told)
        if found:
            raise Nonconformance(self._text(story(name), found))

    def _play(self, one: Story) -> Played:
        assert self.context is not None, "the first case of a story has a context"
        return play(self.context, one, self.mark)

    def _text(self, one: Story, found: list[str]) -> str:
        left_out = len(found) - _SHOWN
        return "\n".join(
            [
                f"{self.scenario.id}  {self.scenario.title}  [{self.scenario.level}] [{self.dialect.name}]",
                *under("rule", self.scenario.shows),
                *under("differs", [*found[:_SHOWN]]),
                *([f"             and {left_out} more"] if left_out > 0 else []),
                f"  recorded   {one.name}: {' '.join(str(each) for each in one.recorded.values() if isinstance(each, str))}{_END if one.truncated else ''}",
                *(story_of(self.context) if self.context else []),
            ]
        )


def judged(one: Story, seen: Played, known: Sequence[KnownDifference], *, told: bool) -> list[str]:
    """Return unknown differences by step, and known ones that are gone (pure)."""
    lines, met = [], set()
    for step, found in zip(one.steps, seen.states, strict=False):
        rows = {row.where: row for row in known if row.step == step.title}
        for each in differences(step.state, found):
            if each.where in rows:
                met.add(rows[each.where])
            elif each.told == told:
                lines.append(f"step `{step.title}`: {each}")
    if seen.ended:
        at = one.steps[len(seen.states)].title
        lines += [f"step `{at}`: cannot be played: {seen.ended}"]
        return lines
    return lines + [
        f"step `{row.step}`: {row.where}: as recorded by now: remove its row from {FILE}"
        for row in known
        if row not in met
    ]

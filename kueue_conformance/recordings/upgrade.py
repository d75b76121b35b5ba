"""Judges an upgrade of the control plane in the middle of a recorded story: the end has to be that of the
same story on the new release alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from ..base.errors import Nonconformance, UnmetPremise
from ..base.json_types import Json
from ..case.context import CaseContext
from ..case.failure_text import story_of, under
from ..scenarios.dialect import Dialect
from ..scenarios.scenario import Scenario
from . import comparison
from .document import State, story
from .replay import PlayedStory, play_to_rest

_SHOWN = 8
"""The most differences in a failure text."""
RECORDED_SINCE = "0.19"
"""The release line that was recorded."""
View = Callable[[Json], Json]
"""Returns the part of an object that is compared, from its view in a story."""


StoryEnds = dict[tuple[str, str, int | None], PlayedStory]
"""The ends of stories on one release alone, by story, dialect, and the step after which it was restarted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradedKueue:
    """A control plane of one case, which that of another release replaces."""

    scenario: Scenario
    context: CaseContext
    former: Dialect
    mark: str
    begin: Callable[[Dialect], AbstractContextManager[CaseContext]]
    """Lends another cluster, with the control plane of one release."""
    ends: StoryEnds
    """What was played before; the cases of a process share it."""

    def must_have_the_same_effects(self, name: str, cut: int, *, recorded_until: str) -> None:
        """Raise Nonconformance unless the end has the Workloads, reservations, admissions, decisions of
        checks and counts of a release alone: of the new one, or of the former one where that had done all.
        The new one alone ends as the recorded Kueue did, up to the releases that changed it.
        """
        __tracebackhide__ = True
        if self.context.dialect.holds(RECORDED_SINCE, recorded_until):
            # What nothing admits ends alike before and behind an upgrade: the recording says what is right.
            recorded = PlayedStory(states=[story(name).steps[-1].state])
            lines = [*differences(recorded, self._end(name, self.context.dialect), effects)]
            if lines:
                raise Nonconformance(self._text(name, cut, lines))
        self._judge(name, cut, effects, [(self.context.dialect, cut), (self.former, None)])

    def must_have_the_same_conditions(self, name: str, cut: int) -> None:
        """Raise Nonconformance unless the conditions at the end have the reasons and texts of the new release
        alone.
        """
        __tracebackhide__ = True
        self._judge(name, cut, conditions, [(self.context.dialect, cut)])

    def _judge(
        self, name: str, cut: int, view: View, other_ends: Sequence[tuple[Dialect, int | None]]
    ) -> None:
        """Judge the end by that of the new release alone; another one is as good, such as that of a Workload
        which only a restart has tried again.
        """
        __tracebackhide__ = True
        acts = {cut: partial(upgrade, self.context)}
        played = play_to_rest(self.context, story(name), self.mark, acts)
        expected = self._end(name, self.context.dialect)
        if expected.ended:
            raise UnmetPremise(
                f"undetermined: the story {name} cannot be played on {self.context.dialect.version} alone: {expected.ended}",
                hint="judge that release first: `kueue-conformance run --profile ADMISSION`",
            )
        lines = [*differences(expected, played, view)]
        if not lines:
            return
        ends = (self._end(name, dialect, restart) for dialect, restart in other_ends)
        if all(any(differences(end, played, view)) for end in ends):
            raise Nonconformance(self._text(name, cut, lines))

    def _end(self, name: str, dialect: Dialect, restart: int | None = None) -> PlayedStory:
        """Return the end of a story on one release, which may be restarted after so many steps."""
        key = name, dialect.name, restart
        if key not in self.ends:
            with self.begin(dialect) as context:
                acts = {} if restart is None else {restart: partial(_restart, context)}
                # On a cluster that all cases share the story of the upgrade is still there.
                self.ends[key] = play_to_rest(
                    context, story(name), f"{self.mark}alone{len(self.ends)}-", acts
                )
        return self.ends[key]

    def _text(self, name: str, cut: int, lines: list[str]) -> str:
        steps, new = story(name).steps, self.context.dialect
        moment = f"after step {cut} of {len(steps)}" if cut else "before the first step"
        return "\n".join(
            [
                f"{self.scenario.id}  {self.scenario.title}  [{self.scenario.level}] [{new.name}]",
                *under("rule", self.scenario.shows),
                *under("expected", [f"the end of the story {name} on {new.version} alone"]),
                *under("observed", lines[:_SHOWN]),
                *([f"             and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []),
                f"  upgrade    {self.former.version} to {new.version} {moment}",
                *story_of(self.context),
            ]
        )


def upgrade(context: CaseContext) -> None:
    """Replace the control plane by that of the case's dialect, and wait until the cluster is at rest."""
    with context.upgrade():
        pass
    # What is written while a control plane starts may meet its first writes, in any order (SC-235).
    context.rest()


def _restart(context: CaseContext) -> None:
    context.restart()
    context.rest()


def effects(content: Json) -> Json:
    """Return what is so, without the reasons and texts: of the conditions the types that hold (pure)."""
    held = [name for name, (status, *_) in (content.get("conditions") or {}).items() if status == "True"]
    entries = [
        {key: value for key, value in entry.items() if key != "message"}
        for entry in content.get("checks") or ()
    ]
    rest = {key: value for key, value in content.items() if key not in {"conditions", "behind", "checks"}}
    return {**rest, "true": held, "entries": entries}


def conditions(content: Json) -> Json:
    """Return the conditions of an object with their reasons and texts; no release writes those of a finished
    Workload again (pure).
    """
    written = content.get("conditions") or {}
    return {} if "Finished" in written else {"conditions": written}


def differences(expected: PlayedStory, played: PlayedStory, view: View) -> Iterator[str]:
    """Yield how an end differs from what is expected of it (pure)."""
    if expected.ended != played.ended:
        yield f"the story ends: {played.ended or 'as written'}, expected {expected.ended or 'as written'}"
        return
    for state, end in zip(expected.states, played.states, strict=True):
        compared = [
            State(objects={name: view(content) for name, content in of.objects.items()}, events={})
            for of in (state, end)
        ]
        for difference in comparison.differences(*compared):
            yield f"{difference.where}: expected {difference.recorded}, found {difference.observed}"

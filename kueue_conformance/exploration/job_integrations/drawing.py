"""Draws a story of jobs from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import takewhile

from ..interruptions import EVENT_LOST, FROZEN, WATCHES_CUT, WATCHES_EXPIRED
from ..perturbation import Perturbation
from .acts import IDLE, SETTLE, Act, Verb
from .story import MOST_CHECKS, MOST_FLAVORS, MOST_JOBS, Story

_FEWEST_ACTS, _MOST_ACTS = 8, 20
_SETTLES, _IDLES, _NAMES = 0.45, 0.06, 0.15
_WEIGHTS: Mapping[Verb, float] = {
    Verb.SUBMIT: 10,
    Verb.RECREATE: 1.5,
    Verb.DELETE: 3,
    Verb.SUSPEND: 2.5,
    Verb.RESUME: 4,
    Verb.MOVE: 4,
    Verb.COUNT: 5,
    Verb.REQUEST: 2,
    Verb.PRIORITIZE: 4,
    Verb.LABEL: 2,
    Verb.BEGIN: 14,
    Verb.END: 5,
    Verb.SUCCEED: 4,
    Verb.FAIL: 2.5,
    Verb.ANSWER: 16,
    Verb.DEACTIVATE: 6,
    Verb.ACTIVATE: 6,
    Verb.DROP: 2.5,
    Verb.QUOTA: 5,
    Verb.STOP: 4,
}
"""How often a verb is drawn: what starts and stops a job comes most."""
_FACTORS = (0.2, 1.0, 1.0, 1.0, 3.0)
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "to": ("", "", "", "q2"),
    "pods": ("1", "1", "2", "3"),
    "cpu": ("", "", "2"),
    "class": ("", "", "p1", "p2"),
    "runs": ("", "", "", "yes"),
    "state": ("Ready", "Ready", "Ready", "Ready", "Retry", "Rejected"),
    "check": ("", "", "k2"),
    "update": ("", "labels", "annotations", "nodeSelector", "tolerations"),
    "policy": ("Hold", "HoldAndDrain", "HoldAndDrain", "None", "None", "None"),
}
"""The values of an option; an empty one leaves it out."""
_CHANGES: Mapping[Verb, Mapping[str, tuple[str, ...]]] = {
    Verb.MOVE: {"to": ("q1", "q2", "q2", "missing")},
    Verb.REQUEST: {"cpu": ("1", "2", "3")},
    Verb.PRIORITIZE: {"class": ("p1", "p2")},
    Verb.QUOTA: {"cpu": ("0", "1", "2", "4", "8", "8")},
    Verb.SUBMIT: {"to": ("", "", "", "", "", "", "q2", "q2", "none")},
}
"""The values where an act needs others."""
_OF_WATCHES = frozenset({WATCHES_CUT, WATCHES_EXPIRED, EVENT_LOST, FROZEN})
_FIRST = 2
"""Acts in which jobs are submitted before anything else happens."""


def draw_story(seed: int) -> Story:
    """Return the story of a seed."""
    draw = random.Random(f"jobs {seed}")  # noqa: S311 - a story, no secret
    drawing = _Drawing(draw, draw.randint(1, MOST_JOBS), {verb: draw.choice(_FACTORS) for verb in _WEIGHTS})
    return Story(
        acts=tuple(drawing.acts()),
        checks=draw.choice((0, 0, 1, 1, MOST_CHECKS)),
        flavors=draw.randint(1, MOST_FLAVORS),
        drawn_names=draw.random() < _NAMES,
    )


def is_excluded(story: Story, perturbation: Perturbation) -> bool:
    """Tell whether an interruption of a story shows nothing.

    One that learns late that a job is gone makes its Workload again as often as the garbage collector deletes
    it, which never ends on a clock that stands still meanwhile.
    """
    behind = takewhile(lambda act: act.verb is not Verb.SETTLE, story.acts[perturbation.act - 1 :])
    goes_away = any(act.verb in (Verb.DELETE, Verb.RECREATE) for act in behind)
    return goes_away and perturbation.kind in _OF_WATCHES


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The choices of one story."""

    draw: random.Random
    jobs: int
    factors: Mapping[Verb, float]

    def acts(self) -> list[Act]:
        """Draw one act after another."""
        acts = [self._act(Verb.SUBMIT, f"j{number}") for number in range(1, min(self.jobs, _FIRST) + 1)]
        verbs = [*_WEIGHTS]
        weights = [_WEIGHTS[verb] * self.factors[verb] for verb in verbs]
        for _ in range(self.draw.randint(_FEWEST_ACTS, _MOST_ACTS)):
            acts.append(self._next(acts[-1], lambda: self.draw.choices(verbs, weights)[0]))
        return acts

    def _next(self, newest: Act, verb: Callable[[], Verb]) -> Act:
        """Draw a wait or another act: a wait after a wait shows nothing."""
        if newest.verb is not Verb.SETTLE and newest.verb is not Verb.IDLE and self.draw.random() < _SETTLES:
            return SETTLE
        if newest.verb is Verb.SETTLE and self.draw.random() < _IDLES:
            return IDLE
        return self._act(verb())

    def _act(self, verb: Verb, name: str = "") -> Act:
        of_queue = verb in (Verb.QUOTA, Verb.STOP)
        name = name or (
            f"q{self.draw.choice((1, 1, 1, 2))}" if of_queue else f"j{self.draw.randint(1, self.jobs)}"
        )
        own = _CHANGES.get(verb, {})
        # Sorted: a set has another order in each process, and a seed would draw another story.
        values = {
            option: self.draw.choice(own.get(option, _OPTIONS[option]))
            for option in sorted(Act.grammar.options.get(verb, ()))
        }
        return Act.with_options(verb, name, **values)

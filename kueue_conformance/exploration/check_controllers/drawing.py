"""Draws a story of legal acts from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from ...base.errors import UsageError
from ..perturbation import PerturbationKind
from .acts import SETTLE, Act, Verb
from .model import NEW, Workloads, after, are_legal, is_legal
from .perturbations import KINDS

_WEIGHTS: Mapping[Verb, int] = {
    Verb.SUBMIT: 8,
    Verb.DECIDE: 14,
    Verb.REQUEUE: 4,
    Verb.EVICT: 4,
    Verb.RELEASE: 6,
    Verb.RESERVE: 8,
    Verb.OVERWRITE: 4,
    Verb.RECREATE: 4,
    Verb.CANCEL: 3,
    Verb.ADMIT: 3,
    Verb.UNLIST: 2,
    Verb.LIST: 8,
    Verb.ANNOTATE: 1,
    Verb.FINISH: 2,
    Verb.DELETE: 1,
}
"""How often a verb is drawn where it is legal: what asks the controller for an answer comes most."""
_IDLE_WAIT, _DUE_WAIT = 3, 25
"""How often a wait is drawn: while nothing is due, and while the controller has an answer to give."""
_SHORTEST, _LONGEST = 8, 24
MOST_WORKLOADS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Acts on so many Workloads, beside a check of another controller or not."""

    program: ClassVar[str] = "controller"
    kinds: ClassVar[Sequence[PerturbationKind]] = KINDS
    acts: tuple[Act, ...]
    workloads: int
    foreign_check: bool = False

    def is_wait(self, number: int) -> bool:
        """Tell whether an act only waits."""
        return self.acts[number - 1] == SETTLE

    def as_fields(self) -> Mapping[str, Any]:
        """Return it as fields of a file."""
        return {
            "workloads": self.workloads,
            "foreign-check": self.foreign_check,
            "acts": [str(act) for act in self.acts],
        }

    @classmethod
    def of(cls, document: Mapping[str, Any], file: Path) -> Self:
        """Return the story of a file's fields. Raises UsageError."""
        acts, number = tuple(Act.of(str(line)) for line in document["acts"]), document["workloads"]
        if not isinstance(number, int) or not 1 <= number <= MOST_WORKLOADS or not are_legal(acts, number):
            raise UsageError(
                f"{file}: the acts cannot follow one another on {number} Workload(s)",
                hint="a file of findings is run as it was written: explore again for a new one",
            )
        return cls(acts=acts, workloads=number, foreign_check=bool(document["foreign-check"]))

    def without(self, numbers: Collection[int]) -> Self | None:
        """Return it without some acts; None where the rest is not legal."""
        acts = tuple(act for number, act in enumerate(self.acts, 1) if number not in numbers)
        return replace(self, acts=acts) if are_legal(acts, self.workloads) else None

    def groups(self) -> Iterator[Collection[int]]:
        """Yield the numbers of the acts on each Workload."""
        for workload in range(1, self.workloads + 1):
            yield {number for number, act in enumerate(self.acts, 1) if act.workload == workload}

    def simplify(self) -> Iterator[Self]:
        """Yield it without the check of the other controller."""
        if self.foreign_check:
            yield replace(self, foreign_check=False)


def draw_story(seed: int, states: Sequence[str]) -> Story:
    """Return the story of a seed, in which the outside system decides on one of these states."""
    draw = random.Random(f"story {seed}")  # noqa: S311 - a story, no secret
    number = draw.randint(1, MOST_WORKLOADS)
    workloads: Workloads = (NEW,) * number
    acts: list[Act] = []
    for _ in range(draw.randint(_SHORTEST, _LONGEST)):
        act = _draw_act(draw, workloads, states, acts[-1:])
        acts.append(act)
        workloads = after(workloads, act)
    return Story(acts=tuple(acts), workloads=number, foreign_check=draw.random() < 0.5)


def _draw_act(draw: random.Random, workloads: Workloads, states: Sequence[str], newest: Sequence[Act]) -> Act:
    candidates = [
        Act(verb, place, draw.choice(states) if verb is Verb.DECIDE else "")
        for verb in _WEIGHTS
        for place in range(1, len(workloads) + 1)
    ]
    legal = [act for act in candidates if is_legal(workloads, act)]
    weights = [_WEIGHTS[act.verb] for act in legal]
    # A wait after a wait, or before anything was submitted, shows nothing.
    if newest and newest[0] != SETTLE:
        is_due = any(workload.states != workload.with_time().states for workload in workloads)
        legal.append(SETTLE)
        weights.append(_DUE_WAIT if is_due else _IDLE_WAIT)
    return draw.choices(legal, weights)[0]

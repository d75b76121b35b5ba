"""Draws a story of a control plane from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from .acts import SETTLE, Act, Verb, act
from .story import Story

Item = TypeVar("Item")
_FEWEST_ACTS, _MOST_ACTS = 8, 18
_MOST_WORKLOADS = 6
_CPU = ("1", "1", "2", "2", "3", "4")
_WEIGHTS: Mapping[Verb, int] = {
    Verb.SUBMIT: 16,
    Verb.ANSWER: 10,
    Verb.APPROVE: 6,
    Verb.FINISH: 6,
    Verb.SET_QUOTA: 5,
    Verb.STOP: 7,
    Verb.DEACTIVATE: 3,
    Verb.ACTIVATE: 4,
    Verb.SET_PRIORITY: 3,
    Verb.DELETE: 5,
    Verb.SET_CHECKS: 3,
    Verb.SET_ACTIVE: 2,
    Verb.SET_COHORT: 2,
    Verb.MOVE: 2,
    Verb.RECLAIM: 2,
    Verb.WAIT: 5,
}
"""How often a verb is drawn."""
_SETTLED = 0.75
"""How often everything comes to rest behind an act."""


def draw_story(seed: int) -> Story:
    """Return the story of a seed."""
    return Story(acts=tuple(_Drawing(random.Random(f"story {seed}")).acts()))  # noqa: S311 - no secret


class _Drawing:
    """Draws acts, and knows what they have created."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._flavors = [f"f{number}" for number in range(1, draw.choice((1, 1, 2, 3)) + 1)]
        self._checks = [f"k{number}" for number in range(1, draw.choice((0, 0, 1, 1, 2)) + 1)]
        self._queues = [f"q{number}" for number in range(1, draw.choice((1, 1, 2, 2, 3)) + 1)]
        self._locals = [f"l{number}" for number in range(1, len(self._queues) + draw.choice((0, 0, 1)) + 1)]
        self._cohorts = [f"c{number}" for number in range(1, draw.choice((0, 1, 1, 2)) + 1)]
        self._submissions: dict[str, Act] = {}
        """The newest submission of each Workload."""
        self._absent: dict[str, Act] = {}
        """What was deleted, with the act that creates it."""
        self._creations: dict[str, Act] = {}
        self._draws: Mapping[Verb, Callable[[], Act | None]] = {
            Verb.SUBMIT: self._submit,
            Verb.ANSWER: self._answer,
            Verb.APPROVE: lambda: act(Verb.APPROVE) if self._checks else None,
            Verb.FINISH: lambda: self._about_workload(Verb.FINISH),
            Verb.DEACTIVATE: lambda: self._about_workload(Verb.DEACTIVATE),
            Verb.ACTIVATE: lambda: self._about_workload(Verb.ACTIVATE),
            Verb.SET_QUOTA: lambda: act(Verb.SET_QUOTA, self._one_of(self._queues), **self._quota()),
            Verb.STOP: self._stop,
            Verb.SET_PRIORITY: lambda: self._about_workload(Verb.SET_PRIORITY, priority=self._priority()),
            Verb.DELETE: self._delete,
            Verb.SET_CHECKS: lambda: act(
                Verb.SET_CHECKS, self._one_of(self._queues), checks=self._required_checks()
            ),
            Verb.SET_ACTIVE: self._set_active,
            Verb.SET_COHORT: lambda: act(
                Verb.SET_COHORT, self._one_of(self._queues), cohort=self._some([*self._cohorts, ""])
            ),
            Verb.MOVE: lambda: self._about_workload(Verb.MOVE, to=self._one_of(self._locals)),
            Verb.RECLAIM: lambda: self._about_workload(Verb.RECLAIM, count=1),
            Verb.WAIT: lambda: act(Verb.WAIT, seconds=self._one_of((5, 30, 60, 90, 400))),
        }

    def acts(self) -> Iterator[Act]:
        """Yield acts that create queues, and then those on them."""
        for creation in self._create():
            self._creations[creation.name] = creation
            yield creation
        yield SETTLE
        for _ in range(self._draw.randint(_FEWEST_ACTS, _MOST_ACTS)):
            drawn = None
            while drawn is None:
                verb = self._draw.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
                drawn = self._draws[verb]()
            yield drawn
            if self._draw.random() < _SETTLED:
                yield SETTLE

    def _create(self) -> Iterator[Act]:
        for flavor in self._flavors:
            yield act(Verb.FLAVOR, flavor, taint=self._sometimes("yes", 0.15))
        for check in self._checks:
            yield act(Verb.CHECK, check)
        for cohort in self._cohorts:
            if self._draw.random() < 0.4:
                parent = self._sometimes("c2", 0.3) if cohort == "c1" else ""
                yield act(Verb.COHORT, cohort, **self._quota(), parent=parent)
        for queue in self._queues:
            yield self._queue(queue)
        for place, local in enumerate(self._locals):
            yield act(Verb.LOCAL, local, of=self._queues[place % len(self._queues)])

    def _queue(self, name: str) -> Act:
        cohort = self._one_of(self._cohorts) if self._cohorts and self._draw.random() < 0.85 else ""
        return act(
            Verb.QUEUE,
            name,
            **self._quota(bool(cohort)),
            cohort=cohort,
            checks=self._required_checks(),
            strategy=self._sometimes("StrictFIFO", 0.25),
            within=self._sometimes(self._one_of(("LowerPriority", "LowerOrNewerEqualPriority")), 0.4),
            reclaim=self._sometimes(self._one_of(("Any", "LowerPriority")), 0.4) if cohort else "",
            borrowing=self._sometimes("TryNextFlavor", 0.2),
            preempting=self._sometimes("Preempt", 0.2),
        )

    def _quota(self, limited: bool = True) -> Mapping[str, str]:
        flavors = [flavor for flavor in self._flavors if self._draw.random() < 0.85] or self._flavors[:1]
        quota = ",".join(f"{flavor}:{self._one_of((0, 1, 2, 3, 4, 4, 6))}" for flavor in flavors)
        limits = {
            "borrow": self._sometimes(self._one_of(("0", "1", "2")), 0.25),
            "lend": self._sometimes(self._one_of(("0", "1", "2")), 0.25),
        }
        return {"quota": quota, **(limits if limited else {})}

    def _required_checks(self) -> str:
        chosen = [check for check in self._checks if self._draw.random() < 0.7]
        return ",".join(
            check + (f"@{self._one_of(self._flavors)}" if self._draw.random() < 0.25 else "")
            for check in chosen
        )

    def _submit(self) -> Act | None:
        name = f"w{len(self._submissions) + 1}"
        if len(self._submissions) >= _MOST_WORKLOADS:
            return None
        form = self._sometimes("job", 0.4)
        sets = 1 if form else self._one_of((1, 1, 1, 2))
        counts = [self._one_of((1, 1, 1, 2, 3)) for _ in range(sets)]
        has_minimum = counts[-1] > 1 and self._draw.random() < 0.4
        submission = act(
            Verb.SUBMIT,
            name,
            to=self._one_of(self._locals),
            form=form,
            pods="+".join(f"{count}x{self._one_of(_CPU)}" for count in counts),
            min=1 if has_minimum else "",
            priority="" if form else self._sometimes(self._priority(), 0.6),
            tolerates=self._sometimes("yes", 0.3),
            on=self._sometimes(self._one_of(self._flavors), 0.15),
            active="" if form else self._sometimes("no", 0.05),
            limit=self._sometimes("60", 0.1),
        )
        self._submissions[name] = submission
        return submission

    def _priority(self) -> str:
        return str(self._one_of((-5, 0, 1, 5, 5, 10)))

    def _answer(self) -> Act | None:
        if not self._checks or not self._submissions:
            return None
        state = self._one_of(("Ready", "Ready", "Ready", "Retry", "Retry", "Rejected"))
        return act(
            Verb.ANSWER,
            self._one_of([*self._submissions]),
            check=self._one_of(self._checks),
            state=state,
            delay=self._sometimes(self._one_of(("30", "90")), 0.4) if state == "Retry" else "",
            label=self._sometimes("yes", 0.3) if state == "Ready" else "",
        )

    def _about_workload(self, verb: Verb, **options: object) -> Act | None:
        return act(verb, self._one_of([*self._submissions]), **options) if self._submissions else None

    def _stop(self) -> Act:
        policy = self._one_of(("None", "None", "None", "Hold", "HoldAndDrain", "HoldAndDrain"))
        return act(Verb.STOP, self._one_of([*self._queues, *self._queues, *self._locals]), policy=policy)

    def _delete(self) -> Act | None:
        """Create what was deleted, or delete something: Workloads most of all."""
        if self._absent and self._draw.random() < 0.6:
            return self._absent.pop(self._one_of([*self._absent]))
        workloads = [*self._submissions]
        rare = self._one_of([*self._queues, *self._locals, *self._flavors, *self._checks])
        name = self._one_of(workloads) if workloads and self._draw.random() < 0.6 else rare
        self._absent[name] = self._submissions.get(name) or self._creations[name]
        return act(Verb.DELETE, name)

    def _set_active(self) -> Act | None:
        if not self._checks:
            return None
        return act(Verb.SET_ACTIVE, self._one_of(self._checks), active=self._one_of(("yes", "no")))

    def _sometimes(self, value: str, probability: float) -> str:
        return value if self._draw.random() < probability else ""

    def _some(self, values: Sequence[str]) -> str:
        return self._draw.choice(values)

    def _one_of(self, values: Sequence[Item]) -> Item:
        return self._draw.choice(values)

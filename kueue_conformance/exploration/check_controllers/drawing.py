"""Draws a story of legal acts from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .acts import FORMS, IDLE, SETTLE, Act, Form, Verb
from .content import CONTRADICTION, LONG_TEXTS, UNKNOWN_PODS, UPDATES, Content
from .drawing_limits import CHANGES, DELAY, MESSAGE, DrawingLimits
from .model import World, after, is_legal, new_world
from .story import FOREIGN, MOST_CHECKS, MOST_WORKLOADS, Story

_WEIGHTS: Mapping[Verb, float] = {
    Verb.SUBMIT: 8,
    Verb.CREATE: 2,
    Verb.DECIDE: 24,
    Verb.TROUBLE: 2,
    Verb.REQUEUE: 6,
    Verb.EVICT: 4,
    Verb.RELEASE: 10,
    Verb.RESERVE: 8,
    Verb.OVERWRITE: 4,
    Verb.RECREATE: 2,
    Verb.CANCEL: 3,
    Verb.ADMIT: 12,
    Verb.UNLIST: 2,
    Verb.LIST: 8,
    Verb.ANNOTATE: 1,
    Verb.EXTEND: 1,
    Verb.EXPLAIN: 3,
    Verb.NEIGHBOUR: 3,
    Verb.FINISH: 1.5,
    Verb.DEACTIVATE: 1.5,
    Verb.REACTIVATE: 10,
    Verb.DELETE: 0.5,
    Verb.BREAK_CHECK: 3,
    Verb.MEND_CHECK: 12,
    Verb.TOUCH_CHECK: 1,
    Verb.MARK_CHECK: 1,
    Verb.DROP_CHECK: 1,
    Verb.CREATE_CHECK: 12,
    Verb.GIVE_CHECK: 1,
    Verb.TAKE_CHECK: 12,
}
"""How often a verb is drawn where it is legal: what asks the controller for an answer comes most."""
_IDLE_WAIT, _DUE_WAIT, _IDLENESS, _REAL_IDLENESS = 0.1, 0.35, 0.15, 0.02
"""How often a wait is drawn: while nothing is due, and while the controller has an answer to give; and how
often a while in which nothing happens, where that costs nothing, and where it really passes.
"""
_SHORTEST, _LONGEST = 10, 28
_DELAYS = (0, 1, 90, 100_000)
_FACTORS = (0.2, 1.0, 1.0, 4.0)
_FACTORS_OF_CHECKS = (0.0, 0.0, 1.0, 1.0)
_ALWAYS = frozenset({Verb.SUBMIT, Verb.DECIDE, Verb.RELEASE, Verb.RESERVE})
"""What every story has, since little is answered without it."""
_OFTEN, _SOMETIMES, _RARELY = 0.5, 0.25, 0.1


def draw_story(seed: int, limits: DrawingLimits) -> Story:
    """Return the story of a seed."""
    return _Drawing(random.Random(f"story {seed}"), limits).story()  # noqa: S311 - a story, no secret


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The choices of one story."""

    draw: random.Random
    limits: DrawingLimits

    def story(self) -> Story:
        """Draw the checks and Workloads, then one act after another."""
        number = self.draw.randint(1, MOST_WORKLOADS)
        checks = MOST_CHECKS if self.limits.has_many_checks and self._is(_SOMETIMES) else 1
        foreign = self.draw.sample(FOREIGN, self.draw.randint(1, 2)) if self._is(_OFTEN) else []
        has_pod_sets = not self.limits.has_own_pods and self._is(_OFTEN)
        world, factors = new_world(number, checks), self._factors()
        acts: list[Act] = []
        for _ in range(self.draw.randint(_SHORTEST, _LONGEST)):
            act = self._act(
                world, acts[-1:], factors if foreign else {**factors, Verb.NEIGHBOUR: 0}, has_pod_sets
            )
            acts.append(act)
            world = after(world, act)
        return Story(
            acts=tuple(acts),
            workloads=number,
            checks=checks,
            foreign_checks=tuple(foreign),
            namesakes=number > 1 and self._is(_SOMETIMES),
            pod_sets=has_pod_sets,
            drawn_names=self._is(_SOMETIMES),
        )

    def _is(self, chance: float) -> bool:
        return self.draw.random() < chance

    def _factors(self) -> Mapping[Verb, float]:
        """Draw what a story has more or less of: what needs an act four times comes in none that has a little
        of everything.
        """
        of_checks = self.draw.choice(_FACTORS_OF_CHECKS)
        factors = {
            verb: self.draw.choice(_FACTORS) * (1.0 if FORMS[verb].workload else of_checks)
            for verb in _WEIGHTS
            if verb in self.limits.verbs
        }
        return {**factors, **dict.fromkeys(_ALWAYS & factors.keys(), 1.0)}

    def _act(
        self, world: World, newest: Sequence[Act], factors: Mapping[Verb, float], has_pod_sets: bool
    ) -> Act:
        legal = [act for act in self._candidates(world, factors) if is_legal(world, act)]
        weights = [_WEIGHTS[act.verb] * factors[act.verb] for act in legal]
        act = self._wait(world, newest) or self.draw.choices(legal, weights)[0]
        return self._with_content(act, has_pod_sets) if act.verb is Verb.DECIDE else act

    def _wait(self, world: World, newest: Sequence[Act]) -> Act | None:
        """Draw a wait, or none: a wait after a wait, or before anything was done, shows nothing."""
        if not newest or newest[0] == IDLE:
            return None
        if newest[0] == SETTLE:
            chance = _REAL_IDLENESS if self.limits.waits_really else _IDLENESS
            return IDLE if Verb.IDLE in self.limits.verbs and self._is(chance) else None
        is_due = any(workload != workload.with_time() for workload in world.workloads)
        return SETTLE if self._is(_DUE_WAIT if is_due else _IDLE_WAIT) else None

    def _candidates(self, world: World, factors: Mapping[Verb, float]) -> Iterator[Act]:
        for verb, factor in factors.items():
            if not factor:
                continue
            form = FORMS[verb]
            for workload in range(1, len(world.workloads) + 1) if form.workload else (0,):
                for check in range(1, len(world.checks) + 1) if form.check else (0,):
                    yield Act(verb, workload, check, self._word(verb, form))

    def _word(self, verb: Verb, form: Form) -> str:
        words = self.limits.states if verb is Verb.DECIDE else form.words
        return self.draw.choice(words)

    def _with_content(self, act: Act, has_pod_sets: bool) -> Act:
        contents = self.limits.contents
        content = Content(
            message=self.draw.randint(0, 99) if MESSAGE in contents and self._is(_SOMETIMES) else -1,
            long=self.draw.randrange(len(LONG_TEXTS)) if MESSAGE in contents and self._is(_RARELY) else -1,
            after=self._delay() if act.word == "Retry" and DELAY in contents else None,
            **(self._changes(act, has_pod_sets) if CHANGES in contents else {}),
        )
        return Act(act.verb, act.workload, act.check, act.word, content)

    def _delay(self) -> int | None:
        if self._is(_RARELY):
            return -5
        return self.draw.choice(_DELAYS) if self._is(_OFTEN) else None

    def _changes(self, act: Act, has_pod_sets: bool) -> Mapping[str, int]:
        """Draw what becomes of pods; that is said with Ready, and now and then where it must not be."""
        if not self._is(_OFTEN if act.word == "Ready" else _RARELY):
            return {}
        mistakes = [UNKNOWN_PODS, CONTRADICTION] if has_pod_sets else [UNKNOWN_PODS]
        mistake = self.draw.choice(mistakes) if act.word == "Ready" and self._is(_OFTEN) else 0
        # Tolerations contradict nothing.
        most = UPDATES // 2 if mistake == CONTRADICTION else UPDATES
        return {"updates": self.draw.randint(1, most), "mistake": mistake}

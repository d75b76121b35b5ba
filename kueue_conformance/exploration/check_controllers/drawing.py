"""Draws a story of legal acts from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .acts import FOR_ALL, FORMS, IDLE, NO_DECISION, SETTLE, UNDECIDED, Act, Form, Verb
from .content import CONTRADICTION, LONG_TEXTS, UNKNOWN_PODS, UPDATES, Content
from .drawing_limits import CHANGES, DELAY, MESSAGE, DrawingLimits
from .model import World, after, is_legal, new_world
from .story import FOREIGN, MOST_CHECKS, MOST_WORKLOADS, Story

_WEIGHTS: Mapping[Verb, float] = {
    Verb.SUBMIT: 12,
    Verb.CREATE: 3,
    Verb.DECIDE: 24,
    Verb.DECIDE_ALL: 24,
    Verb.FAIL_ALL: 4,
    Verb.TROUBLE: 4,
    Verb.REQUEUE: 6,
    Verb.EVICT: 6,
    Verb.RELEASE: 14,
    Verb.RESERVE: 8,
    Verb.OVERWRITE: 3,
    Verb.RECREATE: 1.5,
    Verb.CANCEL: 3,
    Verb.ADMIT: 30,
    Verb.UNLIST: 2,
    Verb.LIST: 8,
    Verb.ANNOTATE: 1,
    Verb.EXTEND: 1,
    Verb.EXPLAIN: 3,
    Verb.NEIGHBOUR: 3,
    Verb.FINISH: 2,
    Verb.DEACTIVATE: 1.5,
    Verb.REACTIVATE: 10,
    Verb.DELETE: 1,
    Verb.BREAK_CHECK: 4,
    Verb.MEND_CHECK: 12,
    Verb.TOUCH_CHECK: 1,
    Verb.MARK_CHECK: 3,
    Verb.UNMARK_CHECK: 4,
    Verb.DROP_CHECK: 2,
    Verb.CREATE_CHECK: 12,
    Verb.GIVE_CHECK: 1,
    Verb.TAKE_CHECK: 12,
}
"""How often a verb is drawn where it is legal: what asks the controller for an answer comes most."""
_IDLE_WAIT, _DUE_WAIT, _IDLENESS, _REAL_IDLENESS = 0.25, 0.5, 0.12, 0.02
"""How often a wait is drawn: while nothing is due, and while the controller has an answer to give; and how
often a while in which nothing happens, where that costs nothing, and where it really passes.
"""
_SHORTEST, _LONGEST = 10, 28
_DELAYS = (0, 1, 90, 100_000)
_FACTORS = (0.05, 0.3, 1.0, 1.0, 4.0)
_FACTORS_OF_CHECKS = (0.0, 1.0, 4.0)
_FACTORS_OF_DECISIONS = (0.25, 1.0, 1.0)
_STATE_FACTORS = (1.0, 1.0, 4.0)
_NUMBERS = (1, 1, 2, 2, MOST_WORKLOADS)
_ALWAYS = frozenset(
    {
        *(Verb.SUBMIT, Verb.RELEASE, Verb.RESERVE, Verb.LIST, Verb.REACTIVATE),
        *(Verb.MEND_CHECK, Verb.CREATE_CHECK, Verb.TAKE_CHECK),
    }
)
"""What every story has, since little is answered without it."""
_SEVERAL = 0.35
"""How often a Workload lists several checks of the controller."""
_OFTEN, _SOMETIMES, _RARELY = 0.5, 0.25, 0.12


def draw_story(seed: int, limits: DrawingLimits) -> Story:
    """Return the story of a seed."""
    draw = random.Random(f"story {seed}")  # noqa: S311 - a story, no secret
    return _Drawing(draw, limits, _Shape.draw(draw, limits)).story()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """What a story has more or less of: what needs an act four times comes in none that has a little of
    everything.
    """

    workloads: int
    checks: int
    foreign_checks: Sequence[str]
    has_pod_sets: bool
    factors: Mapping[Verb, float]
    states: Sequence[float]

    @classmethod
    def draw(cls, draw: random.Random, limits: DrawingLimits) -> _Shape:
        of_checks = draw.choice(_FACTORS_OF_CHECKS)
        factors = {
            verb: draw.choice(_FACTORS) * (1.0 if FORMS[verb].workload or verb in FOR_ALL else of_checks)
            for verb in _WEIGHTS
            if limits.allows(verb)
        }
        usual = {verb: 1.0 if FORMS[verb].workload else of_checks for verb in _ALWAYS & factors.keys()}
        of_decisions = draw.choice(_FACTORS_OF_DECISIONS)
        usual |= {verb: of_decisions for verb in (Verb.DECIDE, Verb.DECIDE_ALL) if verb in factors}
        foreign = draw.sample(FOREIGN, draw.randint(1, 2)) if draw.random() < _OFTEN else []
        return cls(
            workloads=draw.choice(_NUMBERS),
            checks=MOST_CHECKS if limits.has_many_checks and draw.random() < _SEVERAL else 1,
            foreign_checks=foreign,
            has_pod_sets=not limits.has_own_pods and draw.random() < _OFTEN,
            factors={**factors, **usual, **({} if foreign else {Verb.NEIGHBOUR: 0.0})},
            # Much follows a Ready alone.
            states=[draw.choice(_STATE_FACTORS) * (2 if state == "Ready" else 1) for state in limits.states],
        )


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The choices of one story."""

    draw: random.Random
    limits: DrawingLimits
    shape: _Shape

    def story(self) -> Story:
        """Draw one act after another."""
        shape = self.shape
        world = new_world(shape.workloads, shape.checks)
        acts: list[Act] = []
        for _ in range(self.draw.randint(_SHORTEST, _LONGEST)):
            act = self._opening() if not acts else self._act(world, acts[-1])
            acts.append(act)
            world = after(world, act)
        return Story(
            acts=tuple(acts),
            workloads=shape.workloads,
            checks=shape.checks,
            foreign_checks=tuple(shape.foreign_checks),
            namesakes=shape.workloads > 1 and self._is(_OFTEN),
            pod_sets=shape.has_pod_sets,
            drawn_names=self._is(_SOMETIMES),
        )

    def _opening(self) -> Act:
        """Draw the first act: a Workload comes, a check is not there yet, or a switch is turned; one that
        cannot be left open has to be.
        """
        limits = self.limits
        if limits.decides_for_all and (not limits.can_be_left_open or self._is(_SOMETIMES)):
            return self._with_content(Act(Verb.DECIDE_ALL, word=self._state()))
        can_drop = bool(self.shape.factors.get(Verb.DROP_CHECK))
        if can_drop and self._is(_SOMETIMES):
            return Act(Verb.DROP_CHECK, check=1)
        return Act(Verb.CREATE if self._is(_RARELY) else Verb.SUBMIT, 1)

    def _is(self, chance: float) -> bool:
        return self.draw.random() < chance

    def _act(self, world: World, newest: Act) -> Act:
        legal = [act for act in self._candidates(world) if is_legal(world, act)]
        weights = [_WEIGHTS[act.verb] * self.shape.factors[act.verb] for act in legal]
        act = self._wait(world, newest) or self.draw.choices(legal, weights)[0]
        if act.verb is Verb.DECIDE_ALL and act.word != NO_DECISION:
            return self._with_content(act)
        return self._decision(act, world) if act.verb is Verb.DECIDE else act

    def _decision(self, act: Act, world: World) -> Act:
        """Draw what is said with a verdict; a later one often has the state of the one before."""
        before = world.workloads[act.workload - 1].entry(act).decision
        same = before is not None and self._is(_OFTEN)
        return self._with_content(replace(act, word=before.state) if before and same else act)

    def _wait(self, world: World, newest: Act) -> Act | None:
        """Draw a wait, or none: a wait after a wait shows nothing."""
        if newest == IDLE:
            return None
        if newest == SETTLE:
            chance = _REAL_IDLENESS if self.limits.waits_really else _IDLENESS
            return IDLE if Verb.IDLE in self.limits.verbs and self._is(chance) else None
        is_due = any(workload != workload.with_time() for workload in world.workloads)
        return SETTLE if self._is(_DUE_WAIT if is_due else _IDLE_WAIT) else None

    def _candidates(self, world: World) -> Iterator[Act]:
        for verb, factor in self.shape.factors.items():
            if not factor:
                continue
            form = FORMS[verb]
            for workload in range(1, len(world.workloads) + 1) if form.workload else (0,):
                for check in range(1, len(world.checks) + 1) if form.check else (0,):
                    yield Act(verb, workload, check, self._word(verb, form))

    def _word(self, verb: Verb, form: Form) -> str:
        if verb is Verb.DECIDE_ALL and self.limits.can_be_left_open and self._is(_OFTEN):
            return NO_DECISION
        if verb in (Verb.DECIDE, Verb.DECIDE_ALL):
            return self._state()
        if verb is Verb.TROUBLE and self._is(_SOMETIMES):
            # What was decided is open again: an answer that is remembered shows.
            return UNDECIDED
        if verb is Verb.CREATE_CHECK and Verb.BREAK_CHECK not in self.limits.verbs:
            return ""
        return self.draw.choice(form.words)

    def _state(self) -> str:
        return self.draw.choices(self.limits.states, self.shape.states)[0]

    def _with_content(self, act: Act) -> Act:
        contents = self.limits.contents
        content = Content(
            message=self.draw.randint(0, 99) if MESSAGE in contents and self._is(_OFTEN) else -1,
            long=self.draw.randrange(len(LONG_TEXTS)) if MESSAGE in contents and self._is(_RARELY) else -1,
            after=self._delay() if act.word == "Retry" and DELAY in contents else None,
            **(self._changes(act) if CHANGES in contents else {}),
        )
        return Act(act.verb, act.workload, act.check, act.word, content)

    def _delay(self) -> int | None:
        if self._is(_RARELY):
            return -5
        return self.draw.choice(_DELAYS) if self._is(_OFTEN) else None

    def _changes(self, act: Act) -> Mapping[str, int]:
        """Draw what becomes of pods; that is said with Ready, and now and then where it must not be."""
        if not self._is(_OFTEN if act.word == "Ready" else _RARELY):
            return {}
        mistakes = [UNKNOWN_PODS, CONTRADICTION] if self.shape.has_pod_sets else [UNKNOWN_PODS]
        mistake = self.draw.choice(mistakes) if act.word == "Ready" and self._is(_SOMETIMES) else 0
        # Tolerations contradict nothing.
        most = UPDATES // 2 if mistake == CONTRADICTION else UPDATES
        return {"updates": self.draw.randint(1, most), "mistake": mistake}

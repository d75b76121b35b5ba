"""Draws a story of legal acts from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .acts import FORMS, IDLE, SETTLE, Act, Form, Verb
from .content import CONTRADICTION, LONG_TEXTS, UNKNOWN_PODS, UPDATES, Content
from .model import World, after, is_legal, new_world
from .repertoire import CHANGES, DELAY, MESSAGE, Repertoire
from .story import FOREIGN, MOST_CHECKS, MOST_WORKLOADS, Story

_WEIGHTS: Mapping[Verb, int] = {
    Verb.SUBMIT: 8,
    Verb.CREATE: 2,
    Verb.DECIDE: 14,
    Verb.TROUBLE: 3,
    Verb.REQUEUE: 4,
    Verb.EVICT: 4,
    Verb.RELEASE: 10,
    Verb.RESERVE: 8,
    Verb.OVERWRITE: 4,
    Verb.RECREATE: 3,
    Verb.CANCEL: 3,
    Verb.ADMIT: 12,
    Verb.UNLIST: 2,
    Verb.LIST: 8,
    Verb.ANNOTATE: 2,
    Verb.EXTEND: 1,
    Verb.NEIGHBOUR: 3,
    Verb.FINISH: 2,
    Verb.DEACTIVATE: 2,
    Verb.REACTIVATE: 10,
    Verb.DELETE: 1,
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
_IDLE_WAIT, _DUE_WAIT, _IDLENESS = 3, 25, 8
"""How often a wait is drawn: while nothing is due, and while the controller has an answer to give; and how
often a while in which nothing happens.
"""
_SHORTEST, _LONGEST = 8, 24
_DELAYS = (0, 1, 90, 100_000)
_OFTEN, _SOMETIMES, _RARELY = 0.5, 0.25, 0.06


def draw_story(seed: int, repertoire: Repertoire) -> Story:
    """Return the story of a seed."""
    return _Drawing(random.Random(f"story {seed}"), repertoire).story()  # noqa: S311 - a story, no secret


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The choices of one story."""

    draw: random.Random
    repertoire: Repertoire

    def story(self) -> Story:
        """Draw the checks and Workloads, then one act after another."""
        number = self.draw.randint(1, MOST_WORKLOADS)
        checks = MOST_CHECKS if self.repertoire.has_many_checks and self._is(_SOMETIMES) else 1
        foreign = self.draw.sample(FOREIGN, self.draw.randint(1, 2)) if self._is(_OFTEN) else []
        has_pod_sets = not self.repertoire.has_own_pods and self._is(_OFTEN)
        world = new_world(number, checks)
        acts: list[Act] = []
        for _ in range(self.draw.randint(_SHORTEST, _LONGEST)):
            act = self._act(world, acts[-1:], bool(foreign), has_pod_sets)
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

    def _act(self, world: World, newest: Sequence[Act], has_foreign: bool, has_pod_sets: bool) -> Act:
        legal = [act for act in self._candidates(world, has_foreign) if is_legal(world, act)]
        weights = [_WEIGHTS[act.verb] for act in legal]
        # A wait after a wait, or before anything was submitted, shows nothing.
        if newest and newest[0] not in (SETTLE, IDLE):
            is_due = any(workload != workload.with_time() for workload in world.workloads)
            legal.append(SETTLE)
            weights.append(_DUE_WAIT if is_due else _IDLE_WAIT)
        elif newest and newest[0] == SETTLE and Verb.IDLE in self.repertoire.verbs:
            legal.append(IDLE)
            weights.append(_IDLENESS)
        act = self.draw.choices(legal, weights)[0]
        return self._with_content(act, has_pod_sets) if act.verb is Verb.DECIDE else act

    def _candidates(self, world: World, has_foreign: bool) -> Iterator[Act]:
        for verb in _WEIGHTS:
            if verb not in self.repertoire.verbs or (verb is Verb.NEIGHBOUR and not has_foreign):
                continue
            form = FORMS[verb]
            for workload in range(1, len(world.workloads) + 1) if form.workload else (0,):
                for check in range(1, len(world.checks) + 1) if form.check else (0,):
                    yield Act(verb, workload, check, self._word(verb, form))

    def _word(self, verb: Verb, form: Form) -> str:
        words = self.repertoire.states if verb is Verb.DECIDE else form.words
        return self.draw.choice(words)

    def _with_content(self, act: Act, has_pod_sets: bool) -> Act:
        contents = self.repertoire.contents
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
        mistake = self.draw.choice(mistakes) if act.word == "Ready" and self._is(_SOMETIMES) else 0
        # Tolerations contradict nothing.
        most = UPDATES // 2 if mistake == CONTRADICTION else UPDATES
        return {"updates": self.draw.randint(1, most), "mistake": mistake}

"""Plays a story on a context and returns the state after each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson

from ..case_context import CaseContext
from . import view
from .actor import Actor, CannotAct
from .comparing import moved
from .document import State, Step, Story
from .renaming import Renaming

Json: TypeAlias = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The states after the steps that could be played, and why the next one could not; empty where all could."""

    states: Sequence[State]
    ended: str = ""


def play(context: CaseContext, story: Story, mark: str) -> Played:
    """Play the steps of a story; what it creates gets names that begin with `mark`, which what is returned
    does not tell.
    """
    names = Renaming.of(mark, [action for step in story.steps for action in step.actions])
    states: list[State] = []
    try:
        states.extend(_states(context, story.steps, names))
    except CannotAct as problem:
        return Played(states=states, ended=names.told(str(problem)))
    return Played(states=states)


def _states(context: CaseContext, steps: Sequence[Step], names: Renaming) -> Iterator[State]:
    actor = Actor(context, names.namespace)
    before: dict[str, dict[str, str]] = {}
    for step in steps:
        for action in step.actions:
            actor.act(names.given(action))
        actor.do_pass(step.wait)
        kinds = {kind: _listed(context, kind, names) for kind in view.VIEWS}
        times = view.transitions(kinds)
        yield State(
            objects=view.objects(kinds),
            events=view.events(_listed(context, "Event", names)),
            moved=moved(before, times),
        )
        before = times


def _listed(context: CaseContext, kind: str, names: Renaming) -> Sequence[Json]:
    """Return the objects of a kind that are the story's, by the names of its file."""
    namespaced = context.client.resource(kind).namespaced
    found: Sequence[Mapping[str, Json]] = context.client.list(kind, names.namespace if namespaced else "")
    ours = [one for one in found if namespaced or one["metadata"]["name"].startswith(names.mark)]
    return list(orjson.loads(names.told(orjson.dumps(ours).decode())))

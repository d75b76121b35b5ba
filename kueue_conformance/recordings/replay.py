"""Plays a story on a context and returns the state after each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import orjson

from ..base.json_types import Json
from ..case.context import CaseContext
from . import view
from .actor import Actor, CannotAct
from .comparing import moved
from .document import State, Story
from .renaming import Renaming
from .story_formats import form


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
        states.extend(_states(context, story, names))
    except CannotAct as problem:
        return Played(states=states, ended=names.told(str(problem)))
    return Played(states=states)


def _states(context: CaseContext, story: Story, names: Renaming) -> Iterator[State]:
    shape = form(story.form)
    actor = Actor(context, names.namespace, rests=shape.rests)
    before: dict[str, dict[str, str]] = {}
    for step in story.steps:
        actor.play([names.given(action) for action in step.actions], step.wait)
        kinds = {kind: _listed(context, kind, names) for kind in shape.views}
        times = view.transitions(kinds)
        told = _listed(context, "Event", names)
        yield State(
            objects=view.objects(kinds, shape.views),
            events=view.events(told, shape.tellers),
            moved=moved(before, times),
        )
        before = times


def _listed(context: CaseContext, kind: str, names: Renaming) -> Sequence[Json]:
    """Return the objects of a kind that are the story's, by the names of its file."""
    namespaced = context.client.resource(kind).namespaced
    found: Sequence[Mapping[str, Json]] = context.client.list(kind, names.namespace if namespaced else "")
    ours = [one for one in found if namespaced or one["metadata"]["name"].startswith(names.mark)]
    return list(orjson.loads(names.told(orjson.dumps(ours).decode())))

"""Plays a story on a context and returns the state after each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import orjson

from ..base.json_types import Json
from ..case.context import CaseContext
from . import view
from .actor import Actor, CannotAct
from .comparison import moved_times
from .document import State, Story
from .renaming import Renaming
from .story_formats import form


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedStory:
    """The states after the steps that could be played,
    and why the next one could not; empty where all could.
    """

    states: Sequence[State]
    ended: str = ""


def play(context: CaseContext, story: Story, mark: str) -> PlayedStory:
    """Play the steps of a story; what it creates gets names that begin with `mark`, which what is returned
    does not tell.
    """
    names = Renaming.of(mark, [action for step in story.steps for action in step.actions])
    states: list[State] = []
    try:
        states.extend(_states(context, story, names))
    except CannotAct as problem:
        return PlayedStory(states=states, ended=names.from_cluster(str(problem)))
    return PlayedStory(states=states)


def play_to_rest(
    context: CaseContext, story: Story, mark: str, acts: Mapping[int, Callable[[], None]]
) -> PlayedStory:
    """Play a story with acts of its own after so many of its steps; return the state at rest behind it."""
    names = Renaming.of(mark, [action for step in story.steps for action in step.actions])
    shape = form(story.form)
    actor = Actor(context, names.namespace, rests=shape.rests)
    try:
        for number, step in enumerate(story.steps):
            acts.get(number, _do_nothing)()
            actor.play([names.to_cluster(action) for action in step.actions], step.wait)
    except CannotAct as problem:
        return PlayedStory(states=(), ended=names.from_cluster(str(problem)))
    acts.get(len(story.steps), _do_nothing)()
    context.rest()
    kinds = {kind: _list_objects(context, kind, names) for kind in shape.views}
    return PlayedStory(states=[State(objects=view.objects(kinds, shape.views), events={})])


def _do_nothing() -> None:
    """Go on with the story."""


def _states(context: CaseContext, story: Story, names: Renaming) -> Iterator[State]:
    shape = form(story.form)
    actor = Actor(context, names.namespace, rests=shape.rests)
    before: dict[str, dict[str, str]] = {}
    for step in story.steps:
        actor.play([names.to_cluster(action) for action in step.actions], step.wait)
        kinds = {kind: _list_objects(context, kind, names) for kind in shape.views}
        times = view.transitions(kinds)
        event_objects = _list_objects(context, "Event", names)
        yield State(
            objects=view.objects(kinds, shape.views),
            events=view.events(event_objects, shape.tellers),
            moved=moved_times(before, times),
        )
        before = times


def _list_objects(context: CaseContext, kind: str, names: Renaming) -> Sequence[Json]:
    """Return the objects of a kind that are the story's, by the names of its file."""
    namespaced = context.client.resource(kind).namespaced
    objects: Sequence[Mapping[str, Json]] = context.client.list(kind, names.namespace if namespaced else "")
    ours = [
        object_ for object_ in objects if namespaced or object_["metadata"]["name"].startswith(names.mark)
    ]
    return list(orjson.loads(names.from_cluster(orjson.dumps(ours).decode())))

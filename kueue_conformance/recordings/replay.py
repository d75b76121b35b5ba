"""Plays a story on a context and returns the state after each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

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
    names = _renaming(story, mark)
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
    names = _renaming(story, mark)
    try:
        for _ in _play_steps(context, story, names, acts):
            pass
    except CannotAct as problem:
        return PlayedStory(states=(), ended=names.from_cluster(str(problem)))
    context.rest()
    return PlayedStory(states=[State(objects=_view_objects(context, story, names)[1], events={})])


def _renaming(story: Story, mark: str) -> Renaming:
    return Renaming.of(mark, [action for step in story.steps for action in step.actions])


def _play_steps(
    context: CaseContext,
    story: Story,
    names: Renaming,
    acts: Mapping[int, Callable[[], None]] = MappingProxyType({}),
) -> Iterator[None]:
    """Play one step after another, with acts of its own after so many of them. Raises CannotAct."""
    actor = Actor(context, names.namespace, rests=form(story.form).rests)
    for number, step in enumerate(story.steps):
        acts.get(number, _do_nothing)()
        actor.play([names.to_cluster(action) for action in step.actions], step.wait)
        yield
    acts.get(len(story.steps), _do_nothing)()


def _do_nothing() -> None:
    """Go on with the story."""


def _states(context: CaseContext, story: Story, names: Renaming) -> Iterator[State]:
    shape = form(story.form)
    before: dict[str, dict[str, str]] = {}
    for _ in _play_steps(context, story, names):
        kinds, objects = _view_objects(context, story, names)
        times = view.transitions(kinds)
        event_objects = _list_objects(context, "Event", names)
        yield State(
            objects=objects,
            events=view.events(event_objects, shape.tellers),
            moved=moved_times(before, times),
        )
        before = times


def _view_objects(
    context: CaseContext, story: Story, names: Renaming
) -> tuple[Mapping[str, Sequence[Json]], Mapping[str, Json]]:
    """Return the objects of a story by kind, and their views."""
    views = form(story.form).views
    kinds = {kind: _list_objects(context, kind, names) for kind in views}
    return kinds, view.objects(kinds, views)


def _list_objects(context: CaseContext, kind: str, names: Renaming) -> Sequence[Json]:
    """Return the objects of a kind that are the story's, by the names of its file."""
    namespaced = context.client.resource(kind).namespaced
    objects: Sequence[Mapping[str, Json]] = context.client.list(kind, names.namespace if namespaced else "")
    ours = [
        object_ for object_ in objects if namespaced or object_["metadata"]["name"].startswith(names.mark)
    ]
    return list(orjson.loads(names.from_cluster(orjson.dumps(ours).decode())))

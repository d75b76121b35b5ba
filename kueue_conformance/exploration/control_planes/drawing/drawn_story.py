"""Draws a story of a control plane from a seed (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..acts import SETTLE, Act, Verb, act
from ..boundary_requests import REQUESTS
from ..story import SERVED, Story
from . import checks, queues, workloads
from .emphasis import WEIGHTS
from .emphasis_table import emphasis_of
from .random_choices import RandomChoices
from .story_objects import StoryObjects

_MAY_BE_MISSING = (Verb.FLAVOR, Verb.CHECK, Verb.CONFIG, Verb.QUEUE, Verb.CLASS)


def draw_story(seed: int) -> Story:
    """Return the story of a seed."""
    objects = StoryObjects(RandomChoices(seed), emphasis_of(seed))
    return Story(
        acts=(*_configurations(objects), *_creations(objects), *_submissions(objects), *_acts(objects))
    )


def _configurations(objects: StoryObjects) -> Iterator[Act]:
    """Yield what the control plane is configured with and serves, and what names are like."""
    chance, emphasis = objects.chance, objects.emphasis
    if feature := chance.sometimes(chance.one_of(emphasis.features), emphasis.is_configured):
        yield act(Verb.CONFIGURE, feature=feature)
    for word in SERVED:
        is_served: Mapping[str, bool] = {
            "provisioning": bool(objects.configs),
            "visibility": chance.happens(emphasis.visibility),
            "webhooks": emphasis.has_webhooks,
        }
        if is_served[word]:
            yield act(Verb.CONFIGURE, feature=word)
    if chance.happens(0.15):
        yield act(Verb.NAMES)


def _creations(objects: StoryObjects) -> Iterator[Act]:
    """Yield acts that create objects; what queues and checks name may be missing."""
    if objects.has_teams:
        yield act(Verb.LABEL_NAMESPACE, team="a")
    for create in (
        workloads.create_classes,
        queues.create_flavors,
        checks.create_checks,
        queues.create_queues,
    ):
        for creation in create(objects):
            objects.creations[creation.name] = creation
            yield creation
            if creation.verb in _MAY_BE_MISSING and objects.chance.happens(objects.emphasis.missing):
                objects.absent[creation.name] = creation
                yield act(Verb.DELETE, creation.name)
    yield SETTLE


def _submissions(objects: StoryObjects) -> Iterator[Act]:
    for _ in range(objects.chance.one_of(objects.emphasis.submissions)):
        yield from filter(None, [workloads.submit(objects)])
        if objects.chance.happens(objects.emphasis.rests):
            yield SETTLE
    yield SETTLE


def _acts(objects: StoryObjects) -> Iterator[Act]:
    weights = {verb: objects.emphasis.weight(verb) for verb in WEIGHTS}
    for _ in range(objects.chance.number(*objects.emphasis.acts)):
        drawn = None
        while drawn is None:
            drawn = _DRAWS[objects.chance.one_by_weight(weights)](objects)
        yield drawn
        # Acts that run into each other show races; those that do not can be judged one by one.
        if objects.chance.happens(objects.emphasis.settled):
            yield SETTLE


def _delete(objects: StoryObjects) -> Act:
    """Create what was deleted, or delete something: Workloads most of all."""
    chance = objects.chance
    if objects.absent and chance.happens(0.6):
        return objects.absent.pop(chance.one_of([*objects.absent]))
    submitted = [*objects.submissions]
    # A Cohort that is gone leaves its members with the name alone, and a label has no name to delete.
    created = [name for name, creation in objects.creations.items() if creation.verb is not Verb.COHORT]
    name = chance.one_of(submitted if submitted and chance.happens(0.6) else list(filter(None, created)))
    objects.absent[name] = objects.submissions.get(name) or objects.creations[name]
    return act(Verb.DELETE, name)


def _request(objects: StoryObjects) -> Act | None:
    """Return a request at the limits of the API, where webhooks answer it as well."""
    if not objects.emphasis.has_webhooks:
        return None
    # Each once: of a hundred at random a third would never be sent.
    objects.requests = objects.requests or objects.chance.several([*REQUESTS], len(REQUESTS))
    return act(Verb.REQUEST, of=objects.requests.pop())


_DRAWS: Mapping[Verb, Callable[[StoryObjects], Act | None]] = {
    **workloads.DRAWS,
    **queues.DRAWS,
    **checks.DRAWS,
    Verb.DELETE: _delete,
    Verb.LIMIT_RANGE: lambda objects: act(Verb.LIMIT_RANGE, cpu=objects.chance.one_of(("", "1", "2"))),
    Verb.RESTART: lambda _: act(Verb.RESTART),
    Verb.REQUEST: _request,
    Verb.WAIT: lambda objects: act(Verb.WAIT, seconds=objects.chance.one_of(objects.emphasis.waits)),
}
"""What draws an act of each verb that has a weight."""

"""Draws Workloads and Jobs, and what users and pods do with them (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..acts import Act, Verb, act
from ..pod_templates import TOLERATIONS
from .random_choices import some_words
from .story_objects import MOST_WORKLOADS, StoryObjects

_SHAPES: Mapping[str, Sequence[str]] = {
    "on": ("f1", "f1", "f2", "zone"),
    "affinity": (
        *("In:f1", "In:f1,f2", "NotIn:f1", "In:f1/NotIn:f1", "Exists", "DoesNotExist", "Exists@zone"),
        *("In:f1,f2&NotIn:f1", "In:f2/In:f1&NotIn:f1", "Exists&In:f2,f3", "DoesNotExist/In:f2"),
    ),
    "init": ("1", "3", "4"),
    "sidecar": ("1", "2"),
    "second": ("1", "2"),
    "whole": ("1", "3"),
    "requests": ("by-limits",),
    "runtime": ("r1",),
}
"""What pods can have beside the CPU of their first container, and beside tolerations."""


def create_classes(objects: StoryObjects) -> Iterator[Act]:
    """Yield acts that create priority classes and RuntimeClasses."""
    for name in objects.classes:
        yield act(Verb.CLASS, name, value=objects.priority())
    for name in objects.runtimes:
        yield act(Verb.RUNTIME, name, cpu=objects.chance.one_of(("1", "2")))


def submit(objects: StoryObjects) -> Act | None:
    """Return the submission of another Workload; None where there are enough."""
    if len(objects.submissions) >= MOST_WORKLOADS:
        return None
    chance, name = objects.chance, f"w{len(objects.submissions) + 1}"
    form = chance.sometimes("job", objects.emphasis.jobs)
    pod_sets = 1 if form else chance.one_of(objects.emphasis.pod_sets)
    counts = [chance.one_of(objects.emphasis.pods) for _ in range(pod_sets)]
    has_minimum = counts[-1] > 1 and chance.happens(0.4)
    submission = act(
        Verb.SUBMIT,
        name,
        to=chance.one_of(objects.locals),
        form=form,
        pods="+".join(f"{count}x{chance.one_of(objects.emphasis.sizes)}" for count in counts),
        memory=chance.sometimes("1", 0.6) if objects.memory else "",
        min=1 if has_minimum else "",
        priority="" if form else chance.sometimes(objects.priority(), 0.8),
        **{"class": _some_class(objects) if form else ""},
        **_shape(objects),
        active="" if form else chance.sometimes("no", 0.05),
        limit=chance.sometimes("60", objects.emphasis.limits),
        parameter=chance.sometimes("a", 0.2) if objects.configs else "",
    )
    objects.submissions[name] = submission
    return submission


def _shape(objects: StoryObjects) -> Mapping[str, str]:
    """Return some of what pods can have."""
    possible = ["tolerates", *(option for option in _SHAPES if option != "runtime")]
    # What has to be created first is used where it is there.
    possible += ["runtime"] * 4 if objects.runtimes else []
    # Few options at once: with many of them hardly any flavor suits.
    chosen = objects.chance.several(possible, objects.chance.one_of(objects.emphasis.shapes))
    return {
        option: objects.chance.one_of(_SHAPES[option])
        if option in _SHAPES
        else some_words(objects.chance, TOLERATIONS)
        for option in chosen
    }


def _some_class(objects: StoryObjects) -> str:
    chance = objects.chance
    return chance.sometimes(chance.one_of(objects.classes), 0.8) if objects.classes else ""


def _change_job(objects: StoryObjects) -> Act | None:
    chance = objects.chance
    changes: Mapping[str, str] = {
        "parallelism": chance.one_of(("1", "2", "3")),
        "cpu": chance.one_of(objects.emphasis.sizes),
        "limit": chance.one_of(("60", "120")),
        "min": "1",
        "tolerates": some_words(chance, TOLERATIONS),
        "class": chance.one_of(objects.classes) if objects.classes else "",
    }
    field = chance.one_of([name for name, value in changes.items() if value])
    return objects.about_job(Verb.CHANGE_JOB, **{field: changes[field]})


def _pods(objects: StoryObjects) -> Act | None:
    chance = objects.chance
    active = chance.one_of((0, 0, 1, 2))
    return objects.about_workload(
        Verb.PODS,
        active=active,
        ready=chance.one_of(("yes", "yes", "no")),
        lasting=chance.sometimes("yes", 0.4) if active else "",
    )


def _set_class(objects: StoryObjects) -> Act | None:
    if not objects.classes:
        return None
    return act(Verb.SET_CLASS, objects.chance.one_of(objects.classes), value=objects.priority())


def _set_runtime(objects: StoryObjects) -> Act | None:
    if not objects.runtimes:
        return None
    return act(
        Verb.SET_RUNTIME, objects.chance.one_of(objects.runtimes), cpu=objects.chance.one_of(("1", "2", "3"))
    )


DRAWS: Mapping[Verb, Callable[[StoryObjects], Act | None]] = {
    Verb.SUBMIT: submit,
    Verb.FINISH: lambda objects: objects.about_workload(Verb.FINISH),
    Verb.DEACTIVATE: lambda objects: objects.about_workload(Verb.DEACTIVATE),
    Verb.ACTIVATE: lambda objects: objects.about_workload(Verb.ACTIVATE),
    Verb.SET_PRIORITY: lambda objects: objects.about_workload(Verb.SET_PRIORITY, priority=objects.priority()),
    Verb.MOVE: lambda objects: objects.about_workload(Verb.MOVE, to=objects.chance.one_of(objects.locals)),
    Verb.RECLAIM: lambda objects: objects.about_workload(Verb.RECLAIM, count=1),
    Verb.PODS: _pods,
    Verb.CHANGE_JOB: _change_job,
    Verb.SUSPEND: lambda objects: objects.about_job(Verb.SUSPEND),
    Verb.DROP_WORKLOAD: lambda objects: objects.about_job(Verb.DROP_WORKLOAD),
    Verb.FAIL: lambda objects: objects.about_job(Verb.FAIL),
    Verb.SET_CLASS: _set_class,
    Verb.SET_RUNTIME: _set_runtime,
}
"""What draws an act of a verb; None where it can be about nothing."""

"""How an entry is written, and which fields of other clients stay (CC-001, CC-013, CC-026…035)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...base.numbers import moment
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import moved, told
from .moves import own_moves, says_status_in_vain, taken_finalizers

_CLOCK_SLACK = 5.0
"""Seconds that a lastTransitionTime may be away from the write that changed the state (CC-035)."""
_NOT_NOW = frozenset({429, 500, 502, 503, 504})
"""Status codes after which a client may retry."""
_OWN_CONDITION = "Active"


def _foreign(story: Story) -> Iterator[Finding]:
    for change in story.checks():
        if not story.owns(change.name):
            yield change, f"wrote a check of {(change.after or {})['spec'].get('controllerName')}"
    for change in story.workloads():
        for name, old, new in moved(change):
            if not story.owns(name) and old.get("state") != new.get("state"):
                yield change, f"{told(name, old, new)}, but the check is not its own"


def _check_object(story: Story) -> Iterator[Finding]:
    for change in story.checks():
        if _rest_of_check(change.before) != _rest_of_check(change.after):
            yield change, "changed more than the Active condition"
    yield from taken_finalizers(story.checks())


def _unknown_state(story: Story) -> Iterator[Finding]:
    for one in story.attempts:
        if one.code == 422 and one.kind == "Workload" and ".state: Unsupported value" in one.message:
            yield one, f"the API server refused it: {one.message}"


def _main_resource(story: Story) -> Iterator[Finding]:
    for one in story.attempts:
        if one.kind == "Workload" and says_status_in_vain(one):
            yield one, f"{one.verb} of the Workload itself, which cannot change its status (HTTP {one.code})"


def _others_value(story: Story) -> Iterator[Finding]:
    for change in story.workloads():
        for name, old, new in moved(change):
            if old and not story.owns(name):
                yield change, f"{told(name, old, new)}: the value of an entry that is not its own"


def _other_fields(story: Story) -> Iterator[Finding]:
    for change in story.workloads():
        if _rest_of_workload(change.before) != _rest_of_workload(change.after):
            yield change, "changed a field that is not its own"


def _retry_count(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        if old and new and old.get("retryCount") != new.get("retryCount"):
            yield change, f"entry {name}: retryCount {old.get('retryCount')} → {new.get('retryCount')}"


def _times(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        if not old or not new:
            continue
        time, before = new["lastTransitionTime"], old["lastTransitionTime"]
        away = _away(moment(time), _first_sent(story, change), change.at)
        if old["state"] != new["state"] and away > _CLOCK_SLACK + abs(story.skew):
            yield (
                change,
                f"{told(name, old, new)} with lastTransitionTime {time}, {away:.0f} s away from the write",
            )
        elif old["state"] == new["state"] and time != before and new["state"] != "Retry":
            yield (
                change,
                f"entry {name} stays {new['state']}, its lastTransitionTime moves from {before} to {time}",
            )


def _away(time: float, first: float, last: float) -> float:
    """Return by how many seconds a time lies outside the stretch in which a write was tried."""
    return max(first - time, time - last, 0.0)


def _first_sent(story: Story, change: Change) -> float:
    """Return when a write was sent for the first time.

    What an API server could not take just then, clients send again by themselves, byte for byte: the time in
    it is that of the verdict.
    """
    if not story.sees_attempts:
        return change.at
    tries = [
        one
        for one in story.attempts
        if (one.kind, one.namespace, one.name) == (change.kind, change.namespace, change.name)
    ]
    taken = min((one for one in tries if one.changed), key=lambda one: abs(one.at - change.at), default=None)
    if taken is None or not taken.body:
        return change.at
    alike = (
        one.at for one in tries if one.body == taken.body and one.code in _NOT_NOW and one.at <= change.at
    )
    return min(alike, default=change.at)


def _without(thing: Json, *paths: tuple[str, ...]) -> Json:
    """Return an object without some fields, and without what every write changes."""
    for path in (("metadata", "resourceVersion"), ("metadata", "managedFields"), *paths):
        thing = _drop(thing, path)
    return thing


def _drop(thing: Json, path: tuple[str, ...]) -> Json:
    head, *rest = path
    if not isinstance(thing, dict) or head not in thing:
        return thing
    if not rest:
        return {key: value for key, value in thing.items() if key != head}
    return {**thing, head: _drop(thing[head], tuple(rest))}


def _rest_of_workload(workload: Json) -> Json:
    return _filled(_without(workload, ("status", "admissionChecks"), ("metadata", "finalizers")))


def _filled(thing: Json) -> Json:
    """Return an object without its empty fields: clients with types leave them out, and so does a conversion."""
    if isinstance(thing, list):
        return [_filled(one) for one in thing]
    if not isinstance(thing, dict):
        return thing
    told = {key: _filled(value) for key, value in thing.items()}
    return {key: value for key, value in told.items() if value not in ({}, [], None)}


def _rest_of_check(check: Json) -> Json:
    conditions = (check.get("status") or {}).get("conditions") or ()
    others = [one for one in conditions if one["type"] != _OWN_CONDITION]
    return _without(check, ("status",), ("metadata", "finalizers")), others


WRITING = (
    SafetyRule("CC-001", "acts only on checks whose controllerName is its own", _foreign),
    SafetyRule(
        "CC-013",
        "changes nothing of an AdmissionCheck but its Active condition and finalizers of its own",
        _check_object,
    ),
    SafetyRule("CC-026", "writes only Pending, Ready, Retry and Rejected", _unknown_state),
    SafetyRule("CC-030", "writes entries through the status subresource", _main_resource),
    SafetyRule("CC-031", "does not change the value of other entries", _others_value),
    SafetyRule("CC-032", "changes no other field of a Workload", _other_fields),
    SafetyRule("CC-033", "does not change or drop retryCount", _retry_count),
    SafetyRule(
        "CC-035",
        f"changes lastTransitionTime with the state, to within {_CLOCK_SLACK:g} s of the write or of a try that was turned away, and only then",
        _times,
    ),
)

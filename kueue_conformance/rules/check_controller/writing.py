"""How an entry is written, and which fields of other clients stay (CC-001, CC-013, CC-026…035)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...base.numbers import moment
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import changed_entries, describe_move
from .moves import foreign_finalizer_removals, own_moves, says_status_in_vain

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
        for name, old, new in changed_entries(change):
            # Only the state: an apply or PUT sends other entries along, which CC-031 judges.
            if not story.owns(name) and old.get("state") != new.get("state"):
                yield change, f"{describe_move(name, old, new)}, but the check is not its own"


def _check_object(story: Story) -> Iterator[Finding]:
    for change in story.checks():
        if _rest_of_check(change.before) != _rest_of_check(change.after):
            yield change, "changed more than the Active condition"
    yield from foreign_finalizer_removals(story.checks())


def _unknown_state(story: Story) -> Iterator[Finding]:
    for request in story.attempts:
        if (
            request.code == 422
            and request.kind == "Workload"
            and ".state: Unsupported value" in request.message
        ):
            yield request, f"the API server refused it: {request.message}"


def _main_resource(story: Story) -> Iterator[Finding]:
    for request in story.attempts:
        if request.kind == "Workload" and says_status_in_vain(request):
            yield (
                request,
                f"{request.verb} of the Workload itself, which cannot change its status (HTTP {request.code})",
            )


def _others_value(story: Story) -> Iterator[Finding]:
    for change in story.workloads():
        for name, old, new in changed_entries(change):
            if old and not story.owns(name):
                yield change, f"{describe_move(name, old, new)}: the value of an entry that is not its own"


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
        # Outside of the stretch from the read to the write: a retry repeats the time of the verdict.
        sent = _first_sent(story, change)
        away = _away(moment(time), _read_before(story, change, sent), change.at)
        # The clocks of subject and server differ by what the scenario has set.
        slack = _CLOCK_SLACK * max(1.0, story.timeout_scale) + abs(story.skew)
        if old["state"] != new["state"] and away > slack:
            yield (
                change,
                f"{describe_move(name, old, new)} with lastTransitionTime {time}, {away:.0f} s away from the write, expected at most {slack:g} s",
            )
        elif old["state"] == new["state"] and time != before and new["state"] != "Retry":
            yield (
                change,
                f"entry {name} stays {new['state']}, its lastTransitionTime moves from {before} to {time}",
            )


def _read_before(story: Story, change: Change, sent: float) -> float:
    """Return when the subject read what led to a write: its newest read of the Workload before it was sent.

    A client under load stamps a verdict and is held up before it sends it: the time is that of the decision,
    which lies between the read and the write. One that watches reads nothing by itself.
    """
    if not story.sees_attempts:
        return sent
    reads = [
        request.at
        for request in story.requests
        if request.verb in ("get", "list")
        and request.kind == change.kind
        and request.at <= sent
        and request.namespace in ("", change.namespace)
        and request.name in ("", change.name)
    ]
    return max(reads, default=sent)


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
        attempt
        for attempt in story.attempts
        if (attempt.kind, attempt.namespace, attempt.name) == (change.kind, change.namespace, change.name)
    ]
    taken = min(
        (attempt for attempt in tries if attempt.changed),
        key=lambda attempt: abs(attempt.at - change.at),
        default=None,
    )
    # Without the body it cannot be told whether an earlier try was the same write.
    if taken is None or not taken.body:
        return change.at
    alike = (
        attempt.at
        for attempt in tries
        if attempt.body == taken.body and attempt.code in _NOT_NOW and attempt.at <= change.at
    )
    return min(alike, default=change.at)


def _without(value: Json, *paths: tuple[str, ...]) -> Json:
    """Return an object without some fields, and without what every write changes."""
    # Both change with every write, whatever it is about.
    for path in (("metadata", "resourceVersion"), ("metadata", "managedFields"), *paths):
        value = _drop(value, path)
    return value


def _drop(document: Json, path: tuple[str, ...]) -> Json:
    head, *rest = path
    if not isinstance(document, dict) or head not in document:
        return document
    if not rest:
        return {key: value for key, value in document.items() if key != head}
    return {**document, head: _drop(document[head], tuple(rest))}


def _rest_of_workload(workload: Json) -> Json:
    return _drop_empty(_without(workload, ("status", "admissionChecks"), ("metadata", "finalizers")))


def _drop_empty(document: Json) -> Json:
    """Return an object without its empty fields:
    clients with types leave them out, and so does a conversion.
    """
    if isinstance(document, list):
        return [_drop_empty(item) for item in document]
    if not isinstance(document, dict):
        return document
    fields = {key: _drop_empty(value) for key, value in document.items()}
    return {key: value for key, value in fields.items() if value not in ({}, [], None)}


def _rest_of_check(check: Json) -> Json:
    conditions = (check.get("status") or {}).get("conditions") or ()
    other_conditions = [condition for condition in conditions if condition["type"] != _OWN_CONDITION]
    return _without(check, ("status",), ("metadata", "finalizers")), other_conditions


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
        f"changes lastTransitionTime with the state, to within {_CLOCK_SLACK:g} s of the stretch from its read of the Workload to the write, and only then",
        _times,
    ),
)

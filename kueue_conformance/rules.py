"""Safety rules: what a check controller must never do, judged over the story of every case (admission.md §6, harness/N-02).

A rule is a row: its id on the fact page, level, wording, and a pure function from the story to its violations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from .dialect import Dialect
from .history import SUBJECT, Attempt, Change
from .outcome import Level

Json: TypeAlias = Any
_CLOCK_SLACK = 5.0
"""Seconds that a lastTransitionTime may be away from the write that changed the state (CC-035)."""
_OWN_CONDITION = "Active"


@dataclass(frozen=True, slots=True)
class Story:
    """What happened in one case: every change of its objects, and what the subject tried to write."""

    changes: Sequence[Change]
    attempts: Sequence[Attempt]
    controller: str

    def workloads(self) -> Iterator[Change]:
        """Return the subject's changes of Workloads that exist before and after."""
        return (one for one in self._own("Workload") if one.before and one.after)

    def checks(self) -> Iterator[Change]:
        """Return the subject's changes of AdmissionChecks that exist before and after."""
        return (one for one in self._own("AdmissionCheck") if one.before and one.after)

    def owns(self, check: str) -> bool:
        """Tell whether a check is the subject's: by the controller name of the AdmissionCheck, not by its own (CC-002)."""
        named = [
            one.after or one.before
            for one in self.changes
            if (one.kind, one.name) == ("AdmissionCheck", check)
        ]
        return any((one.get("spec") or {}).get("controllerName") == self.controller for one in named if one)

    def _own(self, kind: str) -> Iterator[Change]:
        return (one for one in self.changes if one.actor == SUBJECT and one.kind == kind)


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach of a rule: the object, the revision (0 for a refused write), and what was seen."""

    rule: str
    level: Level
    thing: str
    revision: int
    text: str
    wording: str


Finding: TypeAlias = tuple[Change | Attempt, str]
Judge: TypeAlias = Callable[[Story], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table below."""

    id: str
    text: str
    judge: Judge
    level: Level = Level.MUST
    since: str = ""

    def violations(self, story: Story) -> list[Violation]:
        """Return the breaches of this rule."""
        return [
            Violation(
                self.id, self.level, f"{one.kind} {one.name}", getattr(one, "revision", 0), seen, self.text
            )
            for one, seen in self.judge(story)
        ]


def judge(story: Story, dialect: Dialect) -> list[Violation]:
    """Return every breach of the rules that hold in a dialect, in order of the rules."""
    return [one for rule in RULES if dialect.holds(rule.since, "") for one in rule.violations(story)]


def _entries(workload: Json) -> Mapping[str, Json]:
    return {one["name"]: one for one in (workload.get("status") or {}).get("admissionChecks") or ()}


def _moved(change: Change) -> Iterator[tuple[str, Json, Json]]:
    """Return name, old and new value of each entry that a change altered; an absent one is empty."""
    old, new = _entries(change.before), _entries(change.after)
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield name, old.get(name, {}), new.get(name, {})


def _own_moves(story: Story) -> Iterator[tuple[Change, str, Json, Json]]:
    for change in story.workloads():
        yield from ((change, name, old, new) for name, old, new in _moved(change) if story.owns(name))


def _is(workload: Json, condition: str) -> bool:
    conditions = (workload.get("status") or {}).get("conditions") or ()
    return any((one["type"], one["status"]) == (condition, "True") for one in conditions)


def _told(name: str, old: Json, new: Json) -> str:
    return f"entry {name}: {old.get('state', 'none')} → {new.get('state', 'gone')}"


def _foreign(story: Story) -> Iterator[Finding]:
    for change in story.checks():
        if not story.owns(change.name):
            yield change, f"wrote a check of {(change.after or {})['spec'].get('controllerName')}"
    for change in story.workloads():
        for name, old, new in _moved(change):
            if not story.owns(name) and old.get("state") != new.get("state"):
                yield change, f"{_told(name, old, new)}, but the check is not its own"


def _check_object(story: Story) -> Iterator[Finding]:
    for change in story.checks():
        if _rest_of_check(change.before) != _rest_of_check(change.after):
            yield change, "changed more than the Active condition"


def _before_reservation(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        if not _is(change.before, "QuotaReserved") and old.get("state") != new.get("state"):
            yield change, f"{_told(name, old, new)} while no quota is reserved"


def _while(condition: str) -> Judge:
    def found(story: Story) -> Iterator[Finding]:
        for change, name, old, new in _own_moves(story):
            if _is(change.before, condition):
                yield change, f"{_told(name, old, new)} while {condition}=True"

    return found


def _created(story: Story) -> Iterator[Finding]:
    for change in story.workloads():
        yield from ((change, f"entry {name} was not listed") for name, old, _ in _moved(change) if not old)


def _unknown_state(story: Story) -> Iterator[Finding]:
    for one in story.attempts:
        if one.code == 422 and one.kind == "Workload" and ".state: Unsupported value" in one.message:
            yield one, f"the API server refused it: {one.message}"


def _main_resource(story: Story) -> Iterator[Finding]:
    for one in story.attempts:
        if (
            one.kind == "Workload"
            and not one.subresource
            and one.verb in ("update", "patch")
            and not one.changed
        ):
            yield one, f"{one.verb} of the Workload itself, which cannot change its status (HTTP {one.code})"


def _others_value(story: Story) -> Iterator[Finding]:
    for change in story.workloads():
        for name, old, new in _moved(change):
            if old and not story.owns(name):
                yield change, f"{_told(name, old, new)}: the value of an entry that is not its own"


def _other_fields(story: Story) -> Iterator[Finding]:
    for change in story.workloads():
        if _rest_of_workload(change.before) != _rest_of_workload(change.after):
            yield change, "changed a field that is not its own"


def _retry_count(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        if old and new and old.get("retryCount") != new.get("retryCount"):
            yield change, f"entry {name}: retryCount {old.get('retryCount')} → {new.get('retryCount')}"


def _stray_delay(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        delay = new.get("requeueAfterSeconds")
        if delay is not None and delay != old.get("requeueAfterSeconds") and new.get("state") != "Retry":
            yield change, f"entry {name}: requeueAfterSeconds {delay} with {new['state']}"


def _times(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        if not old or not new:
            continue
        time, before = new["lastTransitionTime"], old["lastTransitionTime"]
        away = abs(datetime.fromisoformat(time).timestamp() - change.at)
        if old["state"] != new["state"] and away > _CLOCK_SLACK:
            yield (
                change,
                f"{_told(name, old, new)} with lastTransitionTime {time}, {away:.0f} s away from the write",
            )
        elif old["state"] == new["state"] and time != before and new["state"] != "Retry":
            yield (
                change,
                f"entry {name} stays {new['state']}, its lastTransitionTime moves from {before} to {time}",
            )


def _unsupported_patch(story: Story) -> Iterator[Finding]:
    yield from ((one, f"{one.verb} was refused: {one.message}") for one in story.attempts if one.code == 415)


def _after_rejection(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        if old.get("state") == "Rejected" and new.get("state") != "Rejected":
            yield change, f"{_told(name, old, new)}: Rejected is final"


def _back_to_pending(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        if old.get("state") in ("Retry", "Rejected") and new.get("state") == "Pending":
            yield change, f"{_told(name, old, new)}: that is Kueue's to do"


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
    return _without(workload, ("status", "admissionChecks"), ("metadata", "finalizers"))


def _rest_of_check(check: Json) -> Json:
    conditions = (check.get("status") or {}).get("conditions") or ()
    others = [one for one in conditions if one["type"] != _OWN_CONDITION]
    return _without(check, ("status",)), others


RULES = (
    Rule("CC-001", "acts only on checks whose controllerName is its own", _foreign),
    Rule("CC-013", "changes nothing of an AdmissionCheck but its Active condition", _check_object),
    Rule("CC-020", "gives no verdict before quota is reserved", _before_reservation),
    Rule("CC-021", "leaves entries of a Finished Workload alone", _while("Finished")),
    Rule("CC-022", "leaves entries of an Evicted Workload alone", _while("Evicted"), since="0.9"),
    Rule("CC-025", "creates no entry: only Kueue adds them", _created),
    Rule("CC-026", "writes only Pending, Ready, Retry and Rejected", _unknown_state),
    Rule("CC-030", "writes entries through the status subresource", _main_resource),
    Rule("CC-031", "does not change the value of other entries", _others_value),
    Rule("CC-032", "changes no other field of a Workload", _other_fields),
    Rule("CC-033", "does not change or drop retryCount", _retry_count),
    Rule("CC-034", "sets requeueAfterSeconds only together with Retry", _stray_delay, since="0.15"),
    Rule("CC-035", "changes lastTransitionTime with the state, and only then", _times),
    Rule("CC-041", "uses no strategic merge patch", _unsupported_patch),
    Rule("CC-053", "leaves Rejected as it is: it is final", _after_rejection),
    Rule("CC-056", "does not take its Retry or Rejected back", _back_to_pending, since="0.9"),
)  # fmt: skip

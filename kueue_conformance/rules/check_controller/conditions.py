"""How the Active condition of a check is written (CC-014…017)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.json_types import Json
from ...base.objects import Condition
from ...history.story import Change
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from .moves import says_status_in_vain


def _main_resource(story: Story) -> Iterator[Finding]:
    for request in story.attempts:
        if request.kind == "AdmissionCheck" and says_status_in_vain(request):
            yield (
                request,
                f"{request.verb} of the check itself, which cannot change its conditions (HTTP {request.code})",
            )


def _back_and_forth(story: Story) -> Iterator[Finding]:
    for change, old, new in _active_changes(story):
        # Only the fall from True: a check that becomes Active late has done nothing wrong.
        if old.get("status") == "True" != new.get("status") and not _may_be_unusable(change.after):
            yield (
                change,
                f"Active: True → {new.get('status', 'gone')} ({new.get('reason', '')}), and nothing that it depends on has changed",
            )


def _may_be_unusable(check: Json) -> bool:
    """Tell whether there is something that can make a check unusable: parameters, or its deletion."""
    return bool(check["spec"].get("parameters")) or "deletionTimestamp" in check["metadata"]


def _times(story: Story) -> Iterator[Finding]:
    for change, old, new in _active_changes(story):
        before, after = old.get("lastTransitionTime"), new.get("lastTransitionTime")
        # The first writing of a condition has no time to keep.
        if old and old.get("status") == new.get("status") and before != after:
            yield (
                change,
                f"Active stays {new['status']}, its lastTransitionTime moves from {before} to {after}",
            )


def _active_changes(story: Story) -> Iterator[tuple[Change, Condition, Condition]]:
    for change in story.checks():
        old, new = _active(change.before), _active(change.after)
        if old != new and story.owns(change.name):
            yield change, old, new


def _active(check: Json) -> Condition:
    conditions: Sequence[Condition] = (check.get("status") or {}).get("conditions") or ()
    return next((condition for condition in conditions if condition["type"] == "Active"), Condition())


CONDITIONS = (
    SafetyRule("CC-014", "writes conditions through the status subresource", _main_resource),
    SafetyRule("CC-015", "does not remove Active while nothing has changed", _back_and_forth),
    SafetyRule(
        "CC-017",
        "changes lastTransitionTime of Active with its status, and only then",
        _times,
        level=Level.SHOULD,
    ),
)

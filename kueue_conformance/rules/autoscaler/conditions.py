"""Conditions come and change and never go;
an end is an end (provisioning.md PR-073, PR-087, PR-088, PR-091, PR-098).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.numbers import moment
from ..story import Finding, SafetyRule, Story
from .writes import by_autoscaler, conditions_by_type, is_true

_OWN = ("Accepted", "Provisioned", "Failed", "BookingExpired", "CapacityAvailable")
"""Conditions that the autoscaler owns; all others belong to other clients."""
EXPIRED = "BookingExpired"
# Clocks of two machines and times of whole seconds: what is less is no fault.
_LATE_SECONDS = 5.0


def _removals(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        gone = (
            sorted(conditions_by_type(before).keys() - conditions_by_type(change.after).keys())
            if change.after
            else ()
        )
        if gone:
            yield change, f"the condition {', '.join(gone)} is removed"


def _end_taken_back(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        # A request that is deleted takes its end back with itself.
        if change.after and is_true(before, EXPIRED) and not is_true(change.after, EXPIRED):
            yield (
                change,
                f"{EXPIRED} is {conditions_by_type(change.after).get(EXPIRED, {}).get('status', 'gone')} again",
            )


def _of_others(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        old, new = conditions_by_type(before), conditions_by_type(change.after)
        # An autoscaler writes the whole list of conditions: what it read too early, it writes
        # back.
        for name in old.keys() - set(_OWN):
            if change.after and new.get(name) != old[name]:
                yield change, f"the condition {name} of another client is changed"


def _after_failure(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        if not change.after or not is_true(before, "Failed"):
            continue
        if conditions_by_type(before) != conditions_by_type(change.after):
            yield change, "it has failed, and gets another condition"


def _early_times(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        old = conditions_by_type(before)
        for name, condition in conditions_by_type(change.after).items():
            # A condition that stays keeps the time that another write gave it.
            moved = condition.get("status") != old.get(name, {}).get("status")
            if moved and moment(condition["lastTransitionTime"]) > change.at + _LATE_SECONDS:
                yield (
                    change,
                    f"{name} is said to have changed at {condition['lastTransitionTime']}, {moment(condition['lastTransitionTime']) - change.at:.0f} s after the write, expected at most {_LATE_SECONDS:g} s",
                )


CONDITIONS = (
    SafetyRule("PR-073", "never takes BookingExpired back", _end_taken_back),
    SafetyRule("PR-087", "writes no lastTransitionTime in the future", _early_times),
    SafetyRule("PR-088", "leaves the conditions of other clients as they are", _of_others),
    SafetyRule("PR-091", "removes no condition", _removals),
    SafetyRule("PR-098", "writes no condition after Failed, and never takes Failed back", _after_failure),
)

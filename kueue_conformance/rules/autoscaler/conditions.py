"""Conditions come and change and never go; an end is an end (provisioning.md PR-072, PR-073, PR-088, PR-091)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...numbers import moment
from ...outcome import Level
from ..story import Finding, Rule, Story
from .writes import by_autoscaler, is_true, told

_OWN = ("Accepted", "Provisioned", "Failed", "BookingExpired", "CapacityAvailable")
"""What an autoscaler says itself; all else is of others."""
_LATE_SECONDS = 5.0


def _removed(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        gone = sorted(told(before).keys() - told(change.after).keys()) if change.after else ()
        if gone:
            yield change, f"the condition {', '.join(gone)} is removed"


def _taken_back(condition: str) -> Callable[[Story], Iterable[Finding]]:
    def judge(story: Story) -> Iterator[Finding]:
        for change, before in by_autoscaler(story):
            if change.after and is_true(before, condition) and not is_true(change.after, condition):
                yield (
                    change,
                    f"{condition} is {told(change.after).get(condition, {}).get('status', 'gone')} again",
                )

    return judge


def _of_others(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        old, new = told(before), told(change.after)
        for name in old.keys() - set(_OWN):
            if change.after and new.get(name) != old[name]:
                yield change, f"the condition {name} of another client is changed"


def _after_failure(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        if not change.after or not is_true(before, "Failed"):
            continue
        if told(before) != told(change.after):
            yield change, "it has failed, and is told something more"


def _early_stamp(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        old = told(before)
        for name, one in told(change.after).items():
            moved = one.get("status") != old.get(name, {}).get("status")
            if moved and moment(one["lastTransitionTime"]) > change.at + _LATE_SECONDS:
                yield (
                    change,
                    f"{name} is said to have changed at {one['lastTransitionTime']}, later than it was written",
                )


CONDITIONS = (
    Rule("PR-072", "never takes back that a request has failed", _taken_back("Failed")),
    Rule("PR-073", "never takes back that a booking is over", _taken_back("BookingExpired")),
    Rule("PR-087", "gives a condition no time that has not come", _early_stamp, Level.SHOULD),
    Rule("PR-088", "leaves the conditions of other clients as they are", _of_others),
    Rule("PR-091", "removes no condition", _removed),
    Rule("PR-098", "tells a request nothing more when it has failed", _after_failure),
)  # fmt: skip

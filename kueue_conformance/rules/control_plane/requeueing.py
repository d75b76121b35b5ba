"""Until when a Workload stays out of the queue (AC-275, AC-288)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.bounds import Bound
from ...base.json_types import Json
from ...base.numbers import moment
from ...history.story import Change
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import becomes_true, is_active, workload_status
from ..writes import by_kueue, workloads

_MARGIN = Bound("s", most=1.0)
"""How far to come a time may be and count as passed: times are of whole seconds (AC-008)."""


def _requeue_at(workload: Json) -> str:
    return (workload_status(workload).get("requeueState") or {}).get("requeueAt") or ""


def _counts(change: Change) -> bool:
    """Tell whether the time of before was still to come."""
    requeue_at = _requeue_at(change.before)
    return bool(requeue_at) and not _MARGIN.holds(moment(requeue_at) - change.at)


def _early_requeues(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        before, after = _requeue_at(change.before), _requeue_at(change.after)
        # The deactivation of a Workload ends its back-off (AC-275).
        if _counts(change) and is_active(change.before) and (not after or moment(after) < moment(before)):
            early = _MARGIN.describe(moment(before) - change.at)
            yield change, f"requeueAt {before} becomes {after or 'nothing'} {early} before it has passed"


def _too_early(story: Story) -> Iterator[Finding]:
    for change in workloads(story):
        if _counts(change) and becomes_true(change, "QuotaReserved"):
            requeue_at = _requeue_at(change.before)
            early = _MARGIN.describe(moment(requeue_at) - change.at)
            yield change, f"reserves quota {early} before requeueAt {requeue_at}"


REQUEUEING = (
    SafetyRule(
        "AC-275",
        f"removes requeueAt {_MARGIN} before it has passed, unless the Workload is deactivated",
        _early_requeues,
        level=Level.SHOULD,
    ),
    SafetyRule("AC-288", f"reserves quota {_MARGIN} before requeueAt", _too_early),
)

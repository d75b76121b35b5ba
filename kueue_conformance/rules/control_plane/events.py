"""Events are true, and not more frequent than their causes (AC-380, AC-381)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from ...base.json_types import Json
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import admission, becomes_true, conditions, is_active
from ..writes import by_kueue

_EVICTED = "EvictedDueTo"
_KUEUES = "kueue"
"""Part of the reporting controller's name in Kueue's events."""


def _is_deactivated(change: Change) -> bool:
    """Releases before v0.10 switched a rejected Workload off without a target in between (D-09)."""
    is_off = is_active(change.before) and not is_active(change.after)
    return becomes_true(change, "DeactivationTarget") or is_off


def _is_preempted(change: Change) -> bool:
    """Releases before v0.7 said of a preemption in Evicted alone (AC-221)."""
    if becomes_true(change, "Preempted"):
        return True
    after = conditions(change.after)
    is_said_by_eviction = after.get("Evicted", {}).get("reason") == "Preempted" and "Preempted" not in after
    return is_said_by_eviction and becomes_true(change, "Evicted")


_TOLD: Mapping[str, Callable[[Change], bool]] = {
    "QuotaReserved": lambda change: becomes_true(change, "QuotaReserved"),
    "Admitted": lambda change: becomes_true(change, "Admitted"),
    "Preempted": _is_preempted,
    "AdmissionCheckRejected": _is_deactivated,
    "MaximumExecutionTimeExceeded": _is_deactivated,
}
"""The change of a Workload that an event reports, by its reason."""

_LONGEST_NAME = 236
"""The longest object name for which an event name can be made,
with a dot and 16 digits; a longer one is refused.
"""
_DUE = {
    "AdmissionCheck": "AdmissionCheckRejected",
    "MaximumExecutionTimeExceeded": "MaximumExecutionTimeExceeded",
}
"""The event that reports a deactivation, by its cause."""


def _too_often(story: Story) -> Iterator[Finding]:
    happened = _count_occurrences(story)
    emitted: Counter[tuple[str, str, str]] = Counter()
    for change, key, times in _events(story):
        emitted[key] += times
        if emitted[key] > happened[key]:
            yield (
                change,
                f"event {key[2]} is emitted for the {emitted[key]}. time, and it has happened {happened[key]} time(s)",
            )


def _missing_events(story: Story) -> Iterator[Finding]:
    """Yield each change by Kueue for which no event was emitted by the next moment of rest."""
    # Where Events are not in the story, none of them is missing.
    if story.kinds is not None and "Event" not in story.kinds:
        return
    emitted: Counter[tuple[str, str, str]] = Counter()
    for _, key, times in _events(story):
        emitted[key] += times
    # Events are sent after the write and on their own way: only at quiet are they late.
    last = max(story.settled, default=0)
    owed: Counter[tuple[str, str, str]] = Counter()
    for change in by_kueue(story):
        for reason in _due_events(change):
            key = change.namespace, change.name, reason
            owed[key] += 1
            # An Event's name is that of its object with a suffix; the API server refuses a longer
            # one.
            if change.revision <= last and len(change.name) <= _LONGEST_NAME and owed[key] > emitted[key]:
                yield (
                    change,
                    f"{reason} happens for the {owed[key]}. time, and {emitted[key]} event(s) report it",
                )


def _due_events(change: Change) -> Iterator[str]:
    """Yield the reason of each event that a change owes; what is done without quota owes none (AC-342)."""
    for condition in ("QuotaReserved", "Admitted"):
        # An admission without a ClusterQueue has nothing to be told (AC-342).
        if becomes_true(change, condition) and admission(change.after):
            yield condition
    if becomes_true(change, "Evicted") and admission(change.before):
        yield f"{_EVICTED}{conditions(change.after)['Evicted'].get('reason', '')}"
    if becomes_true(change, "DeactivationTarget") and (
        cause := _DUE.get(conditions(change.after)["DeactivationTarget"].get("reason", ""))
    ):
        yield cause


def _count_occurrences(story: Story) -> Counter[tuple[str, str, str]]:
    occurrences: Counter[tuple[str, str, str]] = Counter()
    for change in story.changes:
        if change.kind != "Workload":
            continue
        where = change.namespace, change.name
        occurrences.update((*where, reason) for reason, happens in _TOLD.items() if happens(change))
        if becomes_true(change, "Evicted"):
            occurrences[*where, f"{_EVICTED}{conditions(change.after)['Evicted'].get('reason', '')}"] += 1
    return occurrences


def _events(story: Story) -> Iterator[tuple[Change, tuple[str, str, str], int]]:
    """Return each event that Kueue emitted about a Workload, whom it is about with its reason, and how many
    more it stands for than before.
    """
    for change in story.changes:
        event = change.after if change.kind == "Event" else None
        about = (event or {}).get("regarding") or (event or {}).get("involvedObject") or {}
        reason = str((event or {}).get("reason", ""))
        if (
            event is None
            or about.get("kind") != "Workload"
            or not (reason in _TOLD or reason.startswith(_EVICTED))
        ):
            continue
        if _KUEUES in str(event.get("reportingController") or event.get("reportingComponent") or ""):
            yield (
                change,
                (about.get("namespace", ""), about.get("name", ""), reason),
                # A recorder raises the count of an equal event in place of making a second.
                _times(event) - _times(change.before),
            )


def _times(event: Json) -> int:
    if not event:
        return 0
    return int(
        # events.k8s.io counts in series, the core group in count, which the former shows as
        # deprecatedCount.
        (event.get("series") or {}).get("count") or event.get("count") or event.get("deprecatedCount") or 1
    )


EVENTS = (
    SafetyRule(
        "AC-380",
        "emits one event for one transition: reservation, admission, eviction, deactivation",
        _too_often,
    ),
    SafetyRule(
        "AC-381",
        "emits an event for each reservation, admission, eviction and deactivation",
        _missing_events,
        since="0.9",
    ),
)

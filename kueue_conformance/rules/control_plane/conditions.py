"""How conditions of a Workload are written (AC-110, AC-273)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...base.json_types import Json
from ...base.objects import Condition
from ...history.story import Change
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import conditions, workload_status
from ..writes import WriterCache, by_kueue, is_kueues, workloads
from .refusals import refusals

_STATUSES = ("True", "False", "Unknown")
# Kueue writes this condition without observedGeneration.
_WITHOUT_GENERATION = ("Preempted",)
# Kueue applies this condition alone, with the time of the write: a new reason brings a new time (AC-272).
_MOVED_BY_REASON = ("PodsReady",)


def _writes(story: Story) -> Iterator[tuple[Change, Condition, Condition]]:
    """Return each condition that Kueue wrote: before, empty where it was not there, and after."""
    for change in by_kueue(story):
        before = conditions(change.before)
        for name, new in conditions(change.after).items():
            if new != before.get(name):
                yield change, before.get(name, {}), new


def _malformations(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        status_conditions = workload_status(change.after).get("conditions") or ()
        names = Counter(condition.get("type", "") for condition in status_conditions)
        yield from (
            (change, f"condition {name} is there {times} times") for name, times in names.items() if times > 1
        )
    for change, _, new in _writes(story):
        yield from ((change, text) for text in _problems(new))
    yield from refusals(story, "status.conditions")


def _problems(new: Condition) -> Iterator[str]:
    name = new.get("type", "without a type")
    if not new.get("reason"):
        yield f"condition {name} has no reason"
    if new.get("status") not in _STATUSES:
        yield f"condition {name} has the status {new.get('status')!r}"


def _new_times(story: Story) -> Iterator[Finding]:
    """Yield each new time for an old status, unless the writer's
    copy may have had another status, or none (AC-370).
    """
    cache = WriterCache(story, "Workload")
    for change, old, new in _writes(story):
        if not old or old.get("status") != new.get("status") or _time(old) == _time(new):
            continue
        name = str(new.get("type"))
        if name in _MOVED_BY_REASON and old.get("reason") != new.get("reason"):
            continue
        copies = (
            conditions(copy).get(name, {})
            for copy in cache.states_of(change, "Workload", change.name, change.namespace)
        )
        # A new time is right for a writer in whose copy the status was another.
        if all(copy.get("status") == new.get("status") for copy in copies):
            yield (
                change,
                f"{name} stays {new.get('status')}, its lastTransitionTime moves from {_time(old)} to {_time(new)}",
            )


def _old_times(story: Story) -> Iterator[Finding]:
    """Yield each new status with an old lastTransitionTime. Times have whole seconds, so that two changes
    within one second share one.
    """
    since: dict[tuple[str, str, str], float] = {}
    for change in workloads(story):
        before = conditions(change.before)
        for name, new in conditions(change.after).items():
            old = before.get(name, {})
            if old.get("status") == new.get("status"):
                continue
            key = change.namespace, change.name, name
            # Two moves within one second cannot have two times.
            lately = change.at - since.get(key, 0.0) < story.notice_seconds
            since[key] = change.at
            if old and _time(new) <= _time(old) and not lately and is_kueues(change):
                yield (
                    change,
                    f"{name}: {old.get('status')} → {new.get('status')} with the lastTransitionTime {_time(new)} of before",
                )


def _time(condition: Json) -> str:
    return str(condition.get("lastTransitionTime", ""))


def _badly_written(story: Story) -> Iterator[Finding]:
    yield from _malformations(story)
    yield from _new_times(story)
    yield from _old_times(story)


def _generations(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, "Workload")
    for change, _, new in _writes(story):
        if new.get("type") in _WITHOUT_GENERATION:
            continue
        seen_generations = {
            (workload or {}).get("metadata", {}).get("generation")
            for workload in (
                # Status writes do not raise the generation, so the state before the write has it.
                change.before,
                *cache.states_of(change, "Workload", change.name, change.namespace),
            )
        }
        if new.get("observedGeneration") not in seen_generations - {None}:
            yield (
                change,
                f"{new.get('type')} with observedGeneration {new.get('observedGeneration')}, the Workload has generation {(change.before or {})['metadata'].get('generation')}",
            )


CONDITIONS = (
    SafetyRule(
        "AC-110",
        "writes each condition once, with a status and a reason, and moves its lastTransitionTime with the status and only then",
        _badly_written,
    ),
    SafetyRule(
        "AC-273",
        "writes in each condition the generation of the Workload that it was computed from",
        _generations,
        level=Level.SHOULD,
        since="0.7",
        also=("kep993",),
    ),
)

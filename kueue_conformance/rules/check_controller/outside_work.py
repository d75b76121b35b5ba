"""Outside work that is released with what it was begun for (CC-061, CC-063 to CC-065).

CC-062 permits to keep it where a reservation is lost without an eviction, so that is no breach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...base.json_types import Json
from ..story import Finding, SafetyRule, Story
from ..workload import entries, is_true


def reason_to_release(workload: Json | None, checks: frozenset[str]) -> str:
    """Return the row that asks a controller of these checks to release its work for a Workload, which is None
    when it was deleted; empty where it may keep it.
    """
    if workload is None:
        return "CC-064"
    if is_true(workload, "Finished"):
        return "CC-063"
    # While the job of an evicted Workload stops, it holds its quota, and work may go on (CC-061).
    if is_true(workload, "Evicted") and not is_true(workload, "QuotaReserved"):
        return "CC-061"
    return "" if checks & entries(workload).keys() else "CC-065"


_TEXTS: Mapping[str, tuple[str, str]] = {
    "CC-061": ("releases its outside work when a Workload is evicted", "was evicted"),
    "CC-063": ("releases its outside work when a Workload is finished", "is finished"),
    "CC-064": ("releases its outside work when a Workload is deleted", "is deleted"),
    "CC-065": (
        "releases its outside work when a Workload no longer lists its check",
        "lists no check of the controller",
    ),
}


def _unreleased(row: str, state: str) -> Callable[[Story], Iterator[Finding]]:
    def judge(story: Story) -> Iterator[Finding]:
        for work in story.unreleased_work:
            if work.row == row:
                yield work, f"{work.noun} {', '.join(work.items)} is held for a Workload that {state}"

    return judge


OUTSIDE_WORK = tuple(SafetyRule(row, text, _unreleased(row, state)) for row, (text, state) in _TEXTS.items())

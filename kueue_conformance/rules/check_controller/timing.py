"""When a verdict may be written, and which ones are
Kueue's to move on (CC-020…025, CC-053, CC-056, CC-090).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...scenarios.outcome import Level
from ..story import Finding, Judge, SafetyRule, Story
from ..workload import changed_entries, describe_move, is_true
from .moves import own_moves


def _before_reservation(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        # CC-058 judges refusals without quota, at a lower level: they have no effect.
        moved = old.get("state") != new.get("state") and new.get("state") not in ("Retry", "Rejected")
        if moved and not is_true(change.before, "QuotaReserved"):
            yield change, f"{describe_move(name, old, new)} while no quota is reserved"


def _while(condition: str) -> Judge:
    def judge(story: Story) -> Iterator[Finding]:
        for change, name, old, new in own_moves(story):
            if is_true(change.before, condition):
                yield change, f"{describe_move(name, old, new)} while {condition}=True"

    return judge


def _creations(story: Story) -> Iterator[Finding]:
    for change in story.workloads():
        yield from (
            (change, f"entry {name} was not listed") for name, old, _ in changed_entries(change) if not old
        )


def _after_rejection(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        if old.get("state") == "Rejected" and new.get("state") != "Rejected":
            yield change, f"{describe_move(name, old, new)}: Rejected is final"


def _back_to_pending(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        if old.get("state") in ("Retry", "Rejected") and new.get("state") == "Pending":
            yield change, f"{describe_move(name, old, new)}: that is Kueue's to do"


def _asks_with_a_verdict(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        decided = new.get("state") in ("Ready", "Retry", "Rejected")
        if decided and new.get("reason") in _REQUESTS:
            yield (
                change,
                f"{describe_move(name, old, new)} with the reason {new['reason']}: only an undecided check asks for preemptions",
            )


_REQUESTS = frozenset({"PreemptionRequired", "BookQuotaRequired"})
"""Reasons that ask for preemptions (AC-445, AC-462)."""

TIMING = (
    SafetyRule("CC-020", "writes no verdict before quota is reserved", _before_reservation),
    SafetyRule("CC-021", "leaves entries of a Finished Workload alone", _while("Finished")),
    SafetyRule("CC-022", "leaves entries of an Evicted Workload alone", _while("Evicted"), since="0.9"),
    SafetyRule("CC-025", "creates no entry: only Kueue adds them", _creations),
    SafetyRule("CC-053", "leaves Rejected as it is: it is final", _after_rejection),
    SafetyRule("CC-056", "does not withdraw its Retry or Rejected", _back_to_pending, since="0.9"),
    SafetyRule(
        "CC-090",
        "requests preemptions while it is Pending, and not with a verdict",
        _asks_with_a_verdict,
        level=Level.MAY,
        only=("kep993",),
    ),
)

"""The messages of entries (CC-036, CC-055)."""

from __future__ import annotations

from collections.abc import Iterator

from ...history.story import SUBJECT
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import describe_move
from .moves import own_moves

_READABLE, _PASSED_ON = 1024, 32_768
"""Bytes of what a controller says in its own words,
and of what one says that passes on the words of an autoscaler (PA-170).
"""
_PROGRESS_SECONDS = 10.0
"""Seconds within which the same progress may be written once."""


def _bad_news(story: Story) -> Iterator[Finding]:
    asks = any(change.kind == "ProvisioningRequest" and change.actor == SUBJECT for change in story.changes)
    longest = _PASSED_ON if asks else _READABLE
    for change, name, old, new in own_moves(story):
        size = len(new.get("message", "").encode())
        if new.get("state") in ("Retry", "Rejected") and not 0 < size <= longest:
            yield change, f"{describe_move(name, old, new)} with a message of {size} bytes"


def _repetitions(story: Story) -> Iterator[Finding]:
    last: dict[tuple[str, str, str], float] = {}
    for change, name, old, new in own_moves(story):
        key = change.namespace, change.name, name
        same = old.get("message") == new.get("message")
        if old.get("state") == new.get("state") == "Pending":
            if same and change.at - last.get(key, float("-inf")) < _PROGRESS_SECONDS:
                yield (
                    change,
                    f"entry {name}: {new.get('message', '')!r} is written again after {change.at - last[key]:.1f} s",
                )
            # Noted for new words as well: the interval begins with whatever was said last.
            last[key] = change.at


MESSAGES = (
    SafetyRule(
        "CC-036",
        "explains Retry and Rejected in 1 to 1024 bytes, or in the words of an autoscaler",
        _bad_news,
        level=Level.SHOULD,
    ),
    SafetyRule(
        "CC-055", "writes the same progress once in ten seconds at most", _repetitions, level=Level.SHOULD
    ),
)

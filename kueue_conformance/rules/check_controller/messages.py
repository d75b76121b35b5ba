"""The messages of entries (CC-036, CC-055)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.bounds import Bound
from ...history.story import SUBJECT
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import describe_move
from .moves import own_moves

_READABLE, _PASSED_ON = Bound("bytes", 1, 1024), Bound("bytes", 1, 32_768)
"""The length of what a controller says in its own words,
and of what one says that passes on the words of an autoscaler (PA-170).
"""
_PROGRESS_PAUSE = Bound("s", least=10)
"""The pause before the same progress is written again."""


def _bad_news(story: Story) -> Iterator[Finding]:
    asks = any(change.kind == "ProvisioningRequest" and change.actor == SUBJECT for change in story.changes)
    length = _PASSED_ON if asks else _READABLE
    for change, name, old, new in own_moves(story):
        size = len(new.get("message", "").encode())
        if new.get("state") in ("Retry", "Rejected") and not length.holds(size):
            move = describe_move(name, old, new)
            yield change, f"{move} with a message of {length.describe(size)}, expected {length}"


def _repetitions(story: Story) -> Iterator[Finding]:
    last: dict[tuple[str, str, str], float] = {}
    for change, name, old, new in own_moves(story):
        key = change.namespace, change.name, name
        same = old.get("message") == new.get("message")
        if old.get("state") == new.get("state") == "Pending":
            pause = change.at - last.get(key, float("-inf"))
            if same and not _PROGRESS_PAUSE.holds(pause):
                words = f"entry {name}: {new.get('message', '')!r} is written again after"
                yield change, f"{words} {_PROGRESS_PAUSE.describe(pause)}, expected {_PROGRESS_PAUSE}"
            # Noted for new words as well: the interval begins with whatever was said last.
            last[key] = change.at


MESSAGES = (
    SafetyRule(
        "CC-036",
        f"explains Retry and Rejected in {_READABLE}, or in the words of an autoscaler in {_PASSED_ON}",
        _bad_news,
        level=Level.SHOULD,
    ),
    SafetyRule(
        "CC-055",
        f"lets {_PROGRESS_PAUSE} pass before it writes the same progress again",
        _repetitions,
        level=Level.SHOULD,
    ),
)

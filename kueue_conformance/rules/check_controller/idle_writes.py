"""Writes that change nothing, and loops of them (CC-043, CC-074)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ...base.bounds import Bound
from ...history.story import Request
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story

_NO_LOOP = Bound("writes", most=19)
"""Writes without effect in a row that are no hot loop yet (apiserver/F-01)."""
_CHANCE = Bound("writes", most=2)
"""Writes without effect that happen by chance: two concurrent ones, or the answer to one was lost."""
Key: TypeAlias = tuple[str, str, str]


def _in_vain(story: Story) -> Mapping[Key, list[Request]]:
    """Return by object the longest row of writes that were taken and changed nothing."""
    rows: dict[Key, list[Request]] = {}
    longest: dict[Key, list[Request]] = {}
    for request in story.attempts:
        key = (request.kind, request.namespace, request.name)
        # One write with an effect, or a refusal, ends the row: a retry after a conflict is no
        # idle write.
        rows[key] = [*rows.get(key, ()), request] if request.code < 300 and not request.changed else []
        longest[key] = max(longest.get(key, []), rows[key], key=len)
    return longest


def idle_writes(story: Story) -> Iterator[Finding]:
    """Yield rows of writes without a change."""
    for row in _in_vain(story).values():
        if not _CHANCE.holds(len(row)):
            yield row[-1], f"{_CHANCE.describe(len(row))} in a row changed nothing, expected {_CHANCE}"


def hot_loops(story: Story) -> Iterator[Finding]:
    """Yield rows of such writes that are so long that they have no end."""
    for row in _in_vain(story).values():
        if not _NO_LOOP.holds(len(row)):
            words = (
                f"{_NO_LOOP.describe(len(row))} in a row changed nothing, in {row[-1].at - row[0].at:.1f} s"
            )
            yield row[-1], f"{words}, expected {_NO_LOOP}"


IDLE_WRITES = (
    SafetyRule(
        "CC-043",
        f"makes no writes without a change, {_CHANCE} in a row excepted",
        idle_writes,
        level=Level.SHOULD,
    ),
    SafetyRule("CC-074", f"does not repeat a failing write again and again: {_NO_LOOP} in a row", hot_loops),
)

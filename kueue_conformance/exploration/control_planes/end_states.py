"""Compares what users see of two runs of a story (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...case.failure_text import under
from ..story import Breach, RunResult
from .snapshot import Seen

MAY_DIFFER_WHEN_DISTURBED = frozenset({"requeues", "requeueAt", "time spent", "evictions", "Events"})
"""Fields and kinds that an interruption may change: an attempt more may be made, or counted, and an event
may be lost or come twice.
"""


_SHOWN = 6
"""The most differences in a text."""


@dataclass(frozen=True, slots=True)
class StoryEnd:
    """The result of a run, and what users saw whenever everything was at rest."""

    result: RunResult
    rests: Sequence[Seen]
    outcomes: Sequence[str]
    texts: Sequence[str] = ()
    """The story of the cluster for a failure text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A field of an object that two runs show with different values."""

    object_name: str
    field: str
    expected: Any
    observed: Any


def differences(expected: Seen, observed: Seen, except_fields: Collection[str] = ()) -> Sequence[Difference]:
    """Return the fields that differ, but for some."""
    return [*_differences(expected, observed, except_fields)]


def _differences(expected: Seen, observed: Seen, except_fields: Collection[str]) -> Iterator[Difference]:
    for name in sorted(expected.keys() | observed.keys()):
        before, after = expected.get(name, {}), observed.get(name, {})
        for field in sorted(before.keys() | after.keys()):
            if not {field, name.partition(" ")[0]} & set(except_fields) and before.get(field) != after.get(
                field
            ):
                yield Difference(
                    object_name=name, field=field, expected=before.get(field), observed=after.get(field)
                )


def compare(
    expected: StoryEnd, observed: StoryEnd, other: str, except_fields: frozenset[str] = frozenset()
) -> Breach | None:
    """Return the first rest at which two runs differ, as a breach."""
    for number, (before, after) in enumerate(zip(expected.rests, observed.rests, strict=False), 1):
        if differing := differences(before, after, except_fields):
            return _breach_of(differing, number, other, observed)
    return None


def _breach_of(differing: Sequence[Difference], number: int, other: str, observed: StoryEnd) -> Breach:
    first = differing[0]
    cause = f"differs:{first.object_name.partition(' ')[0]}.{first.field.partition(' ')[0]}"
    shown = differing[:_SHOWN]
    lines = [
        *under(
            "expected",
            [
                f"{item.object_name}: {item.field} is {item.expected} ({other}, rest {number})"
                for item in shown
            ],
        ),
        *under("observed", [f"{item.object_name}: {item.field} is {item.observed}" for item in shown]),
    ]
    return Breach(cause=cause, text="\n".join([*lines, *observed.texts]))

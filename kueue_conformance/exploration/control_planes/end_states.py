"""Compares what users see of two runs of a story (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ...case.failure_text import under
from ..story import Breach, RunResult
from .visible_state import VisibleState

MAY_DIFFER_WHEN_DISTURBED = frozenset({"requeues", "requeueAt", "time spent", "evictions", "Events"})
"""Fields and kinds that an interruption may change: an attempt more may be made, or counted, and an event
may be lost or come twice.
"""
MAY_DIFFER_IN_REAL_TIME = frozenset({"requeueAt", "time spent"})
"""Fields that tell a time."""
_SHOWN = 6
"""The most differences in a text."""
PERMITTED_WHEN_DISTURBED = ("AC-380", "AC-381")
"""Safety rules that an interruption excuses: the event of a write whose answer is lost may be lost, or come
twice.
"""
PERMITTED_WHEN_SILENT = (*PERMITTED_WHEN_DISTURBED, "AC-384", "AC-473", "Q-125", "Q-371", "Q-373")
"""Those that silent watches excuse: a check or a quota that is new meanwhile is not known yet, and counts
join what Kueue lets in now with what it knew before.
"""


class Timing(Enum):
    """When the two runs of a comparison happen."""

    VIRTUAL = "both in virtual time"
    REAL = "one of them in real time"


@dataclass(frozen=True, slots=True)
class StoryEnd:
    """The result of a run, and what users saw whenever everything was at rest."""

    result: RunResult
    rests: Sequence[VisibleState]
    outcomes: Sequence[str]
    has_lost_flavor: bool = False
    """Whether two ends are right: a reserved flavor has left its ClusterQueue, and what becomes of the checks
    depends on when Kueue looks at the Workload next (C-03).
    """
    texts: Sequence[str] = ()
    """The story of the cluster for a failure text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A field of an object that two runs show with different values."""

    object_name: str
    field: str
    expected: Any
    observed: Any


def differences(
    expected: VisibleState, observed: VisibleState, except_fields: Collection[str] = ()
) -> Sequence[Difference]:
    """Return the fields that differ, but for some."""
    return [*_differences(expected, observed, except_fields)]


def _differences(
    expected: VisibleState, observed: VisibleState, except_fields: Collection[str]
) -> Iterator[Difference]:
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
    expected: StoryEnd, observed: StoryEnd, other: str, timing: Timing = Timing.VIRTUAL
) -> Breach | None:
    """Return the first rest at which two runs differ, as a breach; then the first act that was answered
    otherwise.
    """
    for number, (before, after) in enumerate(zip(expected.rests, observed.rests, strict=False), 1):
        if differing := _differences_by(timing, before, after):
            return _breach_of(differing, f"{other}, rest {number}", observed)
    outcomes = zip(expected.outcomes, observed.outcomes, strict=False)
    for number, (of_other, own) in enumerate(outcomes, 1):
        if of_other != own:
            act = Difference(object_name=f"Act {number}", field="outcome", expected=of_other, observed=own)
            return _breach_of([act], other, observed)
    return None


def _differences_by(timing: Timing, before: VisibleState, after: VisibleState) -> Sequence[Difference]:
    if timing is Timing.VIRTUAL:
        return differences(before, after)
    return differences(_without_event_counts(before), _without_event_counts(after), MAY_DIFFER_IN_REAL_TIME)


def _without_event_counts(state: VisibleState) -> VisibleState:
    """Return a state without the numbers of events: equal ones within some time are one."""
    compared: dict[str, Mapping[str, Any]] = {}
    for name, fields in state.items():
        compared[name] = dict.fromkeys(fields, "seen") if name.startswith("Events ") else fields
    return compared


def compare_ends(
    expected: StoryEnd, observed: StoryEnd, other: str, except_fields: Collection[str]
) -> Breach | None:
    """Return how the ends of two runs differ but for some fields; None where both may be right."""
    if expected.has_lost_flavor or observed.has_lost_flavor or have_competed(expected, observed):
        return None
    before, after = _without_reasons_to_wait(expected.rests[-1]), _without_reasons_to_wait(observed.rests[-1])
    differing = differences(before, after, except_fields)
    return _breach_of(differing, f"{other}, at the end", observed) if differing else None


def have_competed(expected: StoryEnd, observed: StoryEnd) -> bool:
    """Tell whether runs went on differently because Workloads competed, or an act was possible in one alone.

    Of Workloads that were created in one second, which is looked at first is open: a moment decides who has
    quota, which flavor, and whether others give way for it.
    """
    return expected.outcomes != observed.outcomes or any(
        _is_competition(_quota_by_workload(before), _quota_by_workload(after))
        or _preempted_workloads(before) != _preempted_workloads(after)
        for before, after in zip(expected.rests, observed.rests, strict=False)
    )


def _preempted_workloads(state: VisibleState) -> frozenset[str]:
    """Return the Workloads that were preempted: one may have gone shortly before quota came free for all."""
    return frozenset(name for name, fields in state.items() if "Preempted" in fields)


def _is_competition(expected: Mapping[str, Any], observed: Mapping[str, Any]) -> bool:
    """Tell whether several Workloads differ in their quota, or one that has some in both states."""
    pairs = [(expected.get(name, ()), observed.get(name, ())) for name in expected.keys() | observed.keys()]
    differing = [(before, after) for before, after in pairs if before != after]
    return len(differing) > 1 or any(before and after for before, after in differing)


def _quota_by_workload(state: VisibleState) -> Mapping[str, Any]:
    """Return what each Workload holds, empty for one that may wait."""
    return {
        name: (fields["queue"], fields["assignments"]) if fields["queue"] else ()
        for name, fields in state.items()
        if name.startswith("Workload ")
    }


def _without_reasons_to_wait(state: VisibleState) -> VisibleState:
    """Return a state without messages, and without conditions that are False: Kueue does not repeat a refused
    write of why a Workload waits.
    """
    return {
        name: {
            field: value
            for field, value in fields.items()
            if not (field.startswith("message of ") or _is_false(value))
        }
        for name, fields in state.items()
    }


def _is_false(value: Any) -> bool:
    return isinstance(value, tuple) and value[:1] == ("False",)


def _breach_of(differing: Sequence[Difference], where: str, observed: StoryEnd) -> Breach:
    first = differing[0]
    cause = f"differs:{first.object_name.partition(' ')[0]}.{first.field.partition(' ')[0]}"
    shown = differing[:_SHOWN]
    lines = [
        *under(
            "expected",
            [f"{item.object_name}: {item.field} is {item.expected} ({where})" for item in shown],
        ),
        *under("observed", [f"{item.object_name}: {item.field} is {item.observed}" for item in shown]),
    ]
    return Breach(cause=cause, text="\n".join([*lines, *observed.texts]))

"""The changes of state that a run has shown, out of everybody's writes: states of Workloads, of check entries
and of jobs, and reasons of conditions (pure).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..base.json_types import Json
from ..history.story import Change
from ..states import ENTRY, NOT_YET, WORKLOAD, Machine, entries_of, state_of

StateChange = tuple[str, str, str, bool]
"""The machine, the state before and after, and whether the explored program wrote it."""
ConditionReason = tuple[str, str, str, str]
"""The kind, the condition's type, its status and its reason."""


@dataclass(frozen=True, slots=True)
class StateReader:
    """A machine, the kind of the objects whose states it has, and the states that an object shows, by a key
    such as the name of a check.
    """

    machine: Machine
    kind: str
    states: Callable[[Json], Mapping[str, str]]


WORKLOADS = StateReader(WORKLOAD, "Workload", lambda workload: {"": state_of(workload)})
CHECK_ENTRIES = StateReader(ENTRY, "Workload", entries_of)


def entries_of_checks(names: Collection[str]) -> StateReader:
    """Return the states of the entries of some checks."""
    return StateReader(
        ENTRY,
        "Workload",
        lambda workload: {name: state for name, state in entries_of(workload).items() if name in names},
    )


@dataclass(slots=True)
class StateChanges:
    """How often each change of state was seen, and each reason of a condition."""

    states: Counter[StateChange] = field(default_factory=Counter)
    reasons: Counter[ConditionReason] = field(default_factory=Counter)

    def add(self, other: StateChanges) -> None:
        """Count what another run has shown as well."""
        self.states.update(other.states)
        self.reasons.update(other.reasons)


def state_changes(
    changes: Iterable[Change],
    is_of_program: Callable[[str], bool],
    readers: Sequence[StateReader] = (WORKLOADS, CHECK_ENTRIES),
) -> StateChanges:
    """Return what changes have shown; `is_of_program` tells an actor that is the explored program."""
    result = StateChanges()
    for change in changes:
        if change.after is None:
            # What is removed has no state, and the machines end before.
            continue
        result.reasons.update(_new_reasons(change))
        for reader in readers:
            if reader.kind == change.kind:
                is_own = is_of_program(change.actor)
                result.states.update((*step, is_own) for step in _steps(change, reader))
    return result


def _steps(change: Change, reader: StateReader) -> Iterator[tuple[str, str, str]]:
    before = reader.states(change.before) if change.before else {}
    after = reader.states(change.after)
    # An entry that is no longer listed is none again.
    for key in {**before, **after}:
        start, end = before.get(key, NOT_YET), after.get(key, NOT_YET)
        if start != end:
            yield reader.machine.name, start, end


def _new_reasons(change: Change) -> Iterator[ConditionReason]:
    before = _reasons(change.before)
    for name, (status, reason) in _reasons(change.after).items():
        if before.get(name) != (status, reason):
            yield change.kind, name, status, reason


def _reasons(document: Json) -> Mapping[str, tuple[str, str]]:
    """Return status and reason of each condition, by its type."""
    status = (document or {}).get("status") or {}
    # Kinds of a user's own may have another type of status.
    listed = status.get("conditions") if isinstance(status, Mapping) else None
    return {
        condition["type"]: (condition.get("status", ""), condition.get("reason", ""))
        for condition in listed or ()
    }

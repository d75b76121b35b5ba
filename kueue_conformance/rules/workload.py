"""What a rule reads of a Workload, and how a change moved it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.json_types import Json
from ..history.story import Change


def entries(workload: Json) -> Mapping[str, Json]:
    """Return the entries of a Workload's checks by name; nothing for a Workload that is not there."""
    return {entry.get("name", ""): entry for entry in list_entries(workload)}


def list_entries(workload: Json) -> list[Json]:
    """Return the listed entries, repetitions included."""
    return list(_status(workload).get("admissionChecks") or ())


def conditions(workload: Json) -> Mapping[str, Json]:
    """Return the conditions by type."""
    return {condition.get("type", ""): condition for condition in _status(workload).get("conditions") or ()}


def is_true(workload: Json, condition: str) -> bool:
    """Tell whether a condition is True."""
    for row in reversed(
        _status(workload).get("conditions") or ()
    ):  # of two with one type the later one counts
        if row.get("type") == condition:
            return bool(row.get("status") == "True")
    return False


def becomes_true(change: Change, condition: str) -> bool:
    """Tell whether a change made a condition True."""
    return is_true(change.after, condition) and not is_true(change.before, condition)


def awaits_victims(workload: Json) -> bool:
    """Tell whether its reservation says that it counts on
    preemptions, as only KEP-993 has it (AC-440, AC-489).
    """
    return "; waiting for " in str(conditions(workload).get("QuotaReserved", {}).get("message", ""))


def admission(workload: Json) -> Json:
    """Return the admission, empty where there is none."""
    return _status(workload).get("admission") or {}


def flavors(workload: Json) -> frozenset[str]:
    """Return the flavors that are assigned to some resource."""
    assigned = admission(workload).get("podSetAssignments") or ()
    return frozenset(
        flavor for assignment in assigned for flavor in (assignment.get("flavors") or {}).values()
    )


def owner(workload: Json) -> Json:
    """Return the reference to what controls it, empty where nothing does."""
    owners = workload["metadata"].get("ownerReferences") or ()
    return next((reference for reference in owners if reference.get("controller")), {})


def changed_entries(change: Change) -> Iterator[tuple[str, Json, Json]]:
    """Return name, old and new value of each entry that a change altered; an absent one is empty."""
    old, new = entries(change.before), entries(change.after)
    # Sorted, so that a failure text is the same in every run.
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield name, old.get(name, {}), new.get(name, {})


def describe_move(name: str, old: Json, new: Json) -> str:
    """Return how an entry moved, in words."""
    return f"entry {name}: {old.get('state', 'none')} → {new.get('state', 'gone')}"


def _status(workload: Json) -> Json:
    # A Workload that is gone is None, and a new one has no status, or null.
    return (workload or {}).get("status") or {}

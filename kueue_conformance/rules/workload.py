"""What a rule reads of a Workload or its Job, and how a change moved it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..base.json_types import Json
from ..base.numbers import moment
from ..base.objects import Admission, CheckState, Condition, JobStatus, OwnerReference, WorkloadStatus
from ..history.story import Change

_REORDERING_EVICTIONS = ("AdmissionCheck", "PodsReadyTimeout")


def workload_status(workload: Json) -> WorkloadStatus:
    """Return the status, empty where there is none."""
    # A Workload that is gone is None, and a new one has no status, or null.
    status: WorkloadStatus = (workload or {}).get("status") or WorkloadStatus()
    return status


def job_status(job: Json) -> JobStatus:
    """Return the status of a Job, empty where there is none."""
    status: JobStatus = (job or {}).get("status") or JobStatus()
    return status


def entries(workload: Json) -> Mapping[str, CheckState]:
    """Return the entries of a Workload's checks by name; nothing for a Workload that is not there."""
    return {entry.get("name", ""): entry for entry in list_entries(workload)}


def list_entries(workload: Json) -> list[CheckState]:
    """Return the listed entries, repetitions included."""
    return list(workload_status(workload).get("admissionChecks") or ())


def conditions(workload: Json) -> Mapping[str, Condition]:
    """Return the conditions by type."""
    return {
        condition.get("type", ""): condition
        for condition in workload_status(workload).get("conditions") or ()
    }


def is_true(workload: Json, condition: str) -> bool:
    """Tell whether a condition is True."""
    for row in reversed(
        workload_status(workload).get("conditions") or ()
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


def is_active(workload: Json) -> bool:
    """Tell whether a Workload is not deactivated: its spec says nothing, or that it is active."""
    return ((workload or {}).get("spec") or {}).get("active") is not False


def priority(workload: Json) -> int:
    """Return the priority, 0 where there is none."""
    return int(workload["spec"].get("priority") or 0)


def queued_since(workload: Json) -> str:
    """Return the time that orders a pending Workload behind its priority: that of an eviction by a check or
    for pods that were not ready, else that of its creation (VIS-512d).
    """
    evicted = conditions(workload).get("Evicted", {})
    if evicted.get("status") == "True" and evicted.get("reason") in _REORDERING_EVICTIONS:
        return str(evicted.get("lastTransitionTime", ""))
    return str(workload["metadata"].get("creationTimestamp", ""))


def queue_order(workload: Json) -> tuple[int, float, str]:
    """Return what orders pending Workloads of a queue: priority, time, and UID (VIS-512a to VIS-512e)."""
    return -priority(workload), moment(queued_since(workload)), str(workload["metadata"].get("uid", ""))


def admission(workload: Json) -> Admission:
    """Return the admission, empty where there is none."""
    return workload_status(workload).get("admission") or {}


def flavors(workload: Json) -> frozenset[str]:
    """Return the flavors that are assigned to some resource."""
    assigned = admission(workload).get("podSetAssignments") or ()
    return frozenset(
        flavor for assignment in assigned for flavor in (assignment.get("flavors") or {}).values()
    )


def owner(workload: Json) -> OwnerReference:
    """Return the reference to what controls it, empty where nothing does."""
    owners: Sequence[OwnerReference] = workload["metadata"].get("ownerReferences") or ()
    return next((reference for reference in owners if reference.get("controller")), OwnerReference())


def changed_entries(change: Change) -> Iterator[tuple[str, CheckState, CheckState]]:
    """Return name, old and new value of each entry that a change altered; an absent one is empty."""
    old, new = entries(change.before), entries(change.after)
    # Sorted, so that a failure text is the same in every run.
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield name, old.get(name, {}), new.get(name, {})


def describe_move(name: str, old: CheckState, new: CheckState) -> str:
    """Return how an entry moved, in words."""
    return f"entry {name}: {old.get('state', 'none')} → {new.get('state', 'gone')}"

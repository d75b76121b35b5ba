"""When a job runs (JI-010, JI-044, JI-064, JI-077)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ..story import Finding
from ..workload import admission, owner
from ..writes import World
from .writes import Writes, fits, integration_rule, is_deleted, lets_run, workloads_of


def starts_without_admission(writes: Writes) -> Iterator[Finding]:
    """Yield each start of a job that no admission lets run, or that is being deleted."""
    for change in writes.starts():
        worlds = [*writes.worlds(change)]
        if not any(_may_run(world, change.after, writes.fields.kind) for world in worlds):
            yield change, f"is started, and {_state_of_workloads(worlds[-1], change.after)}"
        elif all(map(is_deleted, writes.states(change))):
            yield change, "is started, and it is being deleted"


def _may_run(world: World, job: Json, kind: str) -> bool:
    """Tell whether a Workload of a job, or of the job that controls it, is Admitted."""
    # A chain of owners is short, and never a circle: an owner is there before what it owns.
    while job is not None:
        if any(map(lets_run, workloads_of(world, job))):
            return True
        reference = owner(job)
        is_child = reference.get("kind") == kind
        job = world.get((kind, job["metadata"].get("namespace", ""), reference["name"])) if is_child else None
    return False


def _state_of_workloads(world: World, job: Json) -> str:
    workloads = workloads_of(world, job)
    conditions = [
        sorted(
            condition["type"]
            for condition in (workload.get("status") or {}).get("conditions") or ()
            if condition["status"] == "True"
        )
        for workload in workloads
    ]
    return f"its Workloads are {conditions}" if workloads else "it has no Workload"


def _starts_what_has_ended(writes: Writes) -> Iterator[Finding]:
    for change in writes.starts():
        if all(state is not None and writes.fields.has_ended(state) for state in writes.states(change)):
            yield change, "is started, and it has ended"
    for change in writes.created_workloads():
        states = [*writes.job_states(change, change.after)]
        is_over = all(state is not None and writes.fields.has_ended(state) for state in states)
        # Of what it has said itself it knows, however late its watch is.
        if is_over or writes.has_finished(change):
            yield change, "is created for a job that has ended"


def _stops_what_is_admitted(writes: Writes) -> Iterator[Finding]:
    for change in writes.stops():
        if all(_runs_rightly(writes, world, change.before) for world in writes.worlds(change)):
            yield change, "is suspended, and its Workload is Admitted and fits"


def _runs_rightly(writes: Writes, world: World, job: Json) -> bool:
    # The state that the writer may have seen, which a user may have changed since.
    current = world.get((writes.fields.kind, job["metadata"].get("namespace", ""), job["metadata"]["name"]))
    workloads = workloads_of(world, job)
    if current is None or len(workloads) != 1 or writes.fields.has_ended(current):
        return False
    return lets_run(workloads[0]) and (
        fits(writes.fields, workloads[0], current)
        or _admitted_counts(workloads[0]) == writes.fields.counts(current)
    )


def _admitted_counts(workload: Json) -> list[int]:
    assignments = admission(workload).get("podSetAssignments") or ()
    return [int(assignment.get("count", 0)) for assignment in assignments]


STARTS = (
    integration_rule(
        "JI-010",
        "starts a job only while its Workload is Admitted and not Evicted, and the job is not being deleted",
        starts_without_admission,
    ),
    integration_rule(
        "JI-044", "starts no job that has ended, and makes no Workload for it", _starts_what_has_ended
    ),
    integration_rule(
        "JI-077", "stops no job whose Workload is Admitted and says what it needs", _stops_what_is_admitted
    ),
)

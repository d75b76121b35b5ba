"""Rules for a Job with a prebuilt Workload: it is waited for, adopted, or given up (C-28)."""

from __future__ import annotations

from . import workload_construction
from .snapshot import JobSnapshot, is_equivalent
from .steps import Await, Finish, ReplaceWorkload, Step


def missing(snapshot: JobSnapshot) -> Step | None:
    """Hold a Job back whose prebuilt Workload does not exist (C-28)."""
    job = snapshot.job
    if not job.prebuilt or snapshot.workload is not None or job.outcome:
        return None
    return (
        snapshot.stop(None, "missing workload")
        if not job.is_suspended
        else Await("prebuilt workload not found")
    )


def adopt(snapshot: JobSnapshot) -> Step | None:
    """Make the Job the owner of the Workload that it names."""
    workload = snapshot.workload
    if (
        not snapshot.job.prebuilt
        or workload is None
        or workload_construction.is_owned_by(snapshot.job, workload)
    ):
        return None
    other = workload_construction.controller_of(workload)
    if other is not None:
        return Await(f"workload {workload.key} already belongs to {other['kind']} {other['name']}")
    return ReplaceWorkload(workload_construction.adopt(workload, snapshot.job))


def out_of_sync(snapshot: JobSnapshot) -> Step | None:
    """Give up a prebuilt Workload whose requests differ from its Job's."""
    workload = snapshot.workload
    if not snapshot.job.prebuilt or workload is None or is_equivalent(workload, snapshot.job, snapshot.rules):
        return None
    return Finish(workload, "OutOfSync", "The prebuilt workload is out of sync with its user job")

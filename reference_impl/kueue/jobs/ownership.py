"""Which Workloads are those of a Job, and from when on the Job is gone (BUG-164, BUG-165, AC-297)."""

from __future__ import annotations

from reference_impl.api.kinds import JOBS
from reference_impl.api.resource import Key
from reference_impl.kueue.workload.view import Workload

from .job import Job
from .workload_construction import controller_of


def refers_to(_job: Key, _workload: Workload) -> bool:
    """Take every Workload with a reference to a Job for one of it, as v0.19.2 does (BUG-165)."""
    return True


def is_controlled_by(job: Key, workload: Workload) -> bool:
    """Tell whether a Job of this name manages a Workload (BUG-165, corrected)."""
    owner = controller_of(workload) or {}
    expected = (JOBS.kind, JOBS.api_version, job.name)
    return (owner.get("kind"), owner.get("apiVersion"), owner.get("name")) == expected


def is_gone_with_deletion(job: Job) -> bool:
    """Take a Job for gone when its deletion begins, as v0.19.2 does (BUG-164)."""
    return job.is_deleting


def is_never_gone(_job: Job) -> bool:
    """Take a Job for gone only when it is (BUG-164, corrected)."""
    return False

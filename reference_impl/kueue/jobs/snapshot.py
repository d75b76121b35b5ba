"""The snapshot for a decision about a Job: the Job,
the Workloads that belong to it, and the priority it would get.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reference_impl.kueue.workload.view import Workload

from . import stopping, workload_construction
from .job import Job
from .priority import NO_PRIORITY, JobPriority, PriorityClassMissing
from .rules import V0_19, JobRules
from .steps import Step, Stop


@dataclass(frozen=True, slots=True)
class JobSnapshot:
    """A Job and the Workloads that belong to it."""

    job: Job
    workload: Workload | None
    """The Workload of the Job."""
    other_workloads: tuple[Workload, ...] = ()
    """Those that do not, because the Job was changed or there are too many."""
    priority: JobPriority = NO_PRIORITY
    waits_for_pods: bool = True
    missing_class: str = ""
    """The message for a missing priority class."""
    rules: JobRules = V0_19

    @classmethod
    def of(
        cls,
        job: Job,
        workloads: Sequence[Workload],
        priority: JobPriority | PriorityClassMissing,
        *,
        waits_for_pods: bool,
        rules: JobRules = V0_19,
    ) -> JobSnapshot:
        """Find the Workload of the Job; a prebuilt one by its name."""
        classes, missing = (
            (NO_PRIORITY, str(priority)) if isinstance(priority, PriorityClassMissing) else (priority, "")
        )
        if job.prebuilt:
            match = next((workload for workload in workloads if workload.name == job.prebuilt), None)
            return cls(job, match, (), classes, waits_for_pods, missing, rules)
        match = next((workload for workload in workloads if is_equivalent(workload, job, rules)), None)
        other_workloads = tuple(workload for workload in workloads if workload is not match)
        return cls(job, match, other_workloads, classes, waits_for_pods, missing, rules)

    def stop(self, workload: Workload | None, message: str) -> Stop | None:
        """Hold the Job back and restore it from a Workload, None when that is done."""
        writes = stopping.writes(self.job, workload)
        return Stop(writes, message) if writes else None


JobRule: TypeAlias = Callable[[JobSnapshot], Step | None]
"""One line of the order: what to do, or None to leave it to the next."""


def is_equivalent(workload: Workload, job: Job, rules: JobRules) -> bool:
    """Tell whether a Workload fits its Job; one that is over or on its way out need not match any more."""
    # The Workload of an earlier Job of the same name is none of this one.
    return workload_construction.is_owned_by(job, workload) and (
        workload.is_finished
        or workload.is_deleting
        or bool(job.outcome)
        or workload_construction.matches(rules.compared_job(job), workload, rules.describe_pods)
    )

"""What distinguishes one release from another in how Jobs are followed, as one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api.resource import Json, Key
from reference_impl.kueue.workload.view import Workload

from . import ownership, priority, reclaiming, workload_construction
from .job import Job
from .steps import RecordEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRules:
    """The members that a dialect may replace, beside the order of the steps."""

    count_reclaimable: Callable[[Job], int]
    """How many pods are not needed again (BUG-158)."""
    may_write_reclaimable: Callable[[Workload, Sequence[Json]], bool]
    """Whether these reclaimable pods are written (BUG-159)."""

    is_of_job: Callable[[Key, Workload], bool]
    """Whether a Workload that refers to a Job is one of the Job (BUG-165)."""
    is_gone: Callable[[Job], bool]
    """Whether the Workload of a Job that is being deleted is finished already (BUG-164)."""
    describe_pods: Callable[[Json], Json]
    """What of the spec of pods tells whether a Workload fits its Job (BUG-162)."""

    compared_job: Callable[[Job], Job]
    """A Job with what of it a Workload is compared with (AC-100)."""

    follows_label: Callable[[Workload, str], bool]
    """Whether a Workload takes the priority class that its Job names now, or none (KV-53)."""

    missing_class_event: Callable[[str], RecordEvent | None]
    """The event for a priority class that does not exist (KV-20)."""

    timeouts_annotation: str = ""
    """The annotation of a Job that says how long its pods may take, empty where there is none (KV-61)."""


V0_19: Final = JobRules(
    count_reclaimable=reclaiming.free_slots,
    may_write_reclaimable=reclaiming.write_whatever_holds_quota,
    is_of_job=ownership.refers_to,
    is_gone=ownership.is_gone_with_deletion,
    describe_pods=workload_construction.describe_containers,
    compared_job=workload_construction.with_time_limit,
    follows_label=priority.follows_any_label,
    missing_class_event=priority.ignore_missing_class,
)

"""Rules for Jobs in v0.6: deactivation was the job reconciler's business, and only
for running Jobs (AC-337).
"""

from __future__ import annotations

from typing import Final

from reference_impl.kueue.workload.activity import inactive_workload

from .decide import ORDER, evict
from .snapshot import JobRule, JobSnapshot
from .steps import Evict, Step


def evict_running_inactive(snapshot: JobSnapshot) -> Step | None:
    """Evict a deactivated Workload whose Job runs."""
    workload = snapshot.workload
    if workload is None or workload.is_active or workload.is_evicted or snapshot.job.is_suspended:
        return None
    return Evict(workload, inactive_workload(None))


def _before_eviction() -> tuple[JobRule, ...]:
    position = ORDER.index(evict)
    return (*ORDER[:position], evict_running_inactive, *ORDER[position:])


V0_6_ORDER: Final = _before_eviction()

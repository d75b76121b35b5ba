"""Everything that one version of Kueue's control plane follows."""

from __future__ import annotations

from dataclasses import dataclass

from ...api.releases import Version
from ..jobs.rules import JobRules
from ..jobs.snapshot import JobRule
from ..provisioning.rules import ProvisioningRules
from ..queueing.rules import PendingRules
from ..queues.rules import QueueRules
from ..scheduling.rules import SchedulingRules
from ..visibility.rules import VisibilityRules
from ..workload.rules import WorkloadRules


@dataclass(frozen=True, slots=True)
class Dialect:
    """Everything that the parts of the control plane follow."""

    name: str
    version: Version
    workload: WorkloadRules
    job_order: tuple[JobRule, ...]
    jobs: JobRules
    queues: QueueRules
    pending: PendingRules
    scheduling: SchedulingRules
    visibility: VisibilityRules
    provisioning: ProvisioningRules

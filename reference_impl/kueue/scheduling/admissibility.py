"""Whether a ClusterQueue would look at a Workload at all: its namespace and its requests (Q-214)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...pods.selectors import matches
from ..queueing.queue_manager import QueueManager
from ..queueing.strategies import RequeueReason
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..workload.unreserved import UnreservedReason
from ..workload.view import Workload
from . import texts
from .rules import SchedulingRules


class AdmissibilityProblem(NamedTuple):
    """Why a ClusterQueue refuses a Workload, and how it comes back."""

    message: str
    requeue_reason: RequeueReason = RequeueReason.GENERIC


def find_problem(
    workload: Workload, spec: ClusterQueueSpec, catalogue: Catalogue, rules: SchedulingRules
) -> AdmissibilityProblem | None:
    """Return the first problem of a Workload, None where it is admissible (Q-093, Q-214)."""
    labels = catalogue.namespaces.get(workload.namespace)
    if labels is None:
        return AdmissibilityProblem(texts.namespace_missing(workload.namespace))
    if not matches(spec.namespace_selector, labels):
        return AdmissibilityProblem(rules.namespace_mismatch_message, RequeueReason.NAMESPACE_MISMATCH)
    limit_ranges = catalogue.limit_ranges(workload.namespace)
    wrong = rules.validate_requests(workload.spec.get("podSets") or (), limit_ranges)
    return AdmissibilityProblem(wrong) if wrong else None


@dataclass(frozen=True, slots=True)
class SchedulerFeedback:
    """Answers the Workload controller's questions before it explains a Workload (KV-13, KV-14)."""

    queue_manager: QueueManager
    rules: SchedulingRules

    def admissibility_problem(self, workload: Workload, cluster_queue: str) -> str:
        """Return why the ClusterQueue would refuse the Workload as it was written, empty where it would not.

        Nothing of what the cluster adds to its pods counts here (KV-14).
        """
        catalogue = self.queue_manager.catalogue
        spec = catalogue.cluster_queues.get(cluster_queue)
        problem = None if spec is None else find_problem(workload, spec, catalogue, self.rules)
        return "" if problem is None else problem.message

    def equivalent_failure(self, workload: Workload) -> UnreservedReason | None:
        """Return why an equal Workload was parked, if this one is parked with it (Q-045)."""
        return self.queue_manager.queues.equivalent_failure(workload.key)

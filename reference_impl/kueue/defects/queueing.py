"""Defects of queues: what is charged, what is tried again when, conditions and shares of queues."""

from __future__ import annotations

from typing import Final

from ..queueing import event_handlers, pending, retried_queues
from ..queues import status
from ..queues.shares import Shares
from ..quota import adjusting
from ..quota.cohort_trees import CohortTrees
from ..scheduling import outcomes
from .defect import Defect

DEFECTS: Final = (
    Defect(
        "BUG-160",
        "a container with a limit and no request is charged the default request of a LimitRange",
        fixed_in=("0.19.3", "0.20.0"),
        report=(15020, 15023),
        member="pending.fill_container",
        observed=adjusting.fill_from_limit_range,
        corrected=adjusting.fill_from_own_limits_first,
    ),
    Defect(
        "BUG-161",
        "what a LimitRange refused waits for ever when its bounds are relaxed, or when it is deleted",
        fixed_in=("0.19.3", "0.20.0"),
        report=(14965, 14967),
        member="pending.requeues_on_limit_range",
        observed=adjusting.rests_on_any_change,
        corrected=adjusting.has_other_bounds,
    ),
    Defect(
        "BUG-163",
        "resources of a whole pod below those of its containers are charged as they are",
        fixed_in=("0.19.6", "0.20.0"),
        report=(16047,),
        member="pending.complete_pod",
        observed=adjusting.keep_pod,
        corrected=adjusting.raise_pod_requests,
    ),
    Defect(
        "BUG-166",
        "quota that comes free behind a stopped LocalQueue lets no Workload be tried again",
        fixed_in=(),
        report=(),
        member="pending.retried_queues",
        observed=retried_queues.of_local_queue,
        corrected=retried_queues.of_quota,
    ),
    Defect(
        "C-01",
        "a Workload that waits stays blocked when a check takes its Retry or Rejected back",
        fixed_in=(),
        report=(),
        member="pending.requeue_on_check_change",
        observed=pending.requeue_on_spec_change,
        corrected=pending.requeue_on_check_change,
    ),
    Defect(
        "QC-01",
        "a ClusterQueue is Active while the cohorts above it form a circle; what ends or changes there hangs the release, which no dialect does",
        fixed_in=("0.19.7", "0.20.0"),
        report=(13774,),
        member="queues.check_circle",
        observed=status.ignore_circle,
        corrected=status.report_circle,
    ),
    Defect(
        "QC-03",
        "every status that is written to a ClusterQueue below a Cohort object, though not the root's, has its whole tree look again",
        fixed_in=(),
        report=(),
        member="pending.requeues_on_status_change",
        observed=CohortTrees.has_cohort_object,
        corrected=event_handlers.never_requeues_on_status_change,
    ),
    Defect(
        "QC-04",
        "the event of a failed attempt is about the older Workload: the message of a second attempt on it is not reported",
        fixed_in=(),
        report=(),
        member="queues.event_subject",
        observed=outcomes.before_attempt,
        corrected=outcomes.as_stored,
    ),
    Defect(
        "QC-05",
        "no Workload is tried again when the priority of one with quota changes, unless it has a WorkloadPriorityClass",
        fixed_in=(),
        report=(),
        member="pending.priority_key",
        observed=pending.class_priority_key,
        corrected=pending.priority_key,
    ),
    Defect(
        "Q-376",
        "the share of a Cohort is updated only when a ClusterQueue below it has changed, not when one has moved away or lends less",
        fixed_in=(),
        report=(),
        member="queues.cohorts_to_update",
        observed=Shares.cohorts_above,
        corrected=Shares.all_cohorts,
    ),
)

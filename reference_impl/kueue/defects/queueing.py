"""Defects of queues: what is charged, what is tried again when, conditions and shares of queues."""

from __future__ import annotations

from typing import Final

from ..queueing import event_handlers, pending
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
        "v0.19.3 (#15020)",
        "pending.fill_container",
        adjusting.fill_from_limit_range,
        adjusting.fill_from_own_limits_first,
    ),
    Defect(
        "BUG-161",
        "what a LimitRange refused waits for ever when its bounds are relaxed, or when it is deleted",
        "v0.19.3 (#14965)",
        "pending.requeues_on_limit_range",
        adjusting.rests_on_any_change,
        adjusting.has_other_bounds,
    ),
    Defect(
        "BUG-163",
        "resources of a whole pod below those of its containers are charged as they are",
        "v0.19.6 (#16047)",
        "pending.complete_pod",
        adjusting.keep_pod,
        adjusting.raise_pod_requests,
    ),
    Defect(
        "C-01",
        "a Workload that waits stays blocked when a check takes its Retry or Rejected back",
        "",
        "pending.requeue_on_check_change",
        pending.requeue_on_spec_change,
        pending.requeue_on_check_change,
    ),
    Defect(
        "QC-01",
        "a ClusterQueue is Active while the cohorts above it form a circle; what ends or changes there hangs the release, which no dialect does",
        "v0.19.7 (#13774)",
        "queues.check_circle",
        status.ignore_circle,
        status.report_circle,
    ),
    Defect(
        "QC-03",
        "every status that is written to a ClusterQueue below a Cohort object, though not the root's, has its whole tree look again",
        "",
        "pending.requeues_on_status_change",
        CohortTrees.has_cohort_object,
        event_handlers.never_requeues_on_status_change,
    ),
    Defect(
        "QC-04",
        "the event of a failed attempt is about the older Workload: the message of a second attempt on it is not reported",
        "",
        "queues.event_subject",
        outcomes.before_attempt,
        outcomes.as_stored,
    ),
    Defect(
        "QC-05",
        "no Workload is tried again when the priority of one with quota changes, unless it has a WorkloadPriorityClass",
        "",
        "pending.priority_key",
        pending.class_priority_key,
        pending.priority_key,
    ),
    Defect(
        "Q-376",
        "the share of a Cohort is updated only when a ClusterQueue below it has changed, not when one has moved away or lends less",
        "",
        "queues.cohorts_to_update",
        Shares.cohorts_above,
        Shares.all_cohorts,
    ),
)

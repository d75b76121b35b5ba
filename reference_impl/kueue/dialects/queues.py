"""The rules of queues and of pending Workloads, by release."""

from __future__ import annotations

from functools import partial
from typing import Final

from ...api.releases import Row, by_release
from ..queueing import pending, retried_queues, strategies
from ..queueing.rules import PendingRules
from ..queues import legacy_v0_6 as legacy_queues
from ..queues import shares
from ..queues import status as queues
from ..queues.rules import AdmissionNote, QueueRules
from ..queues.shares import Shares
from ..quota import adjusting
from ..quota.cohort_trees import CohortTrees
from ..quota.usage_cache import consumed_by_admitted
from ..scheduling import outcomes
from ..scheduling.preemption import wording
from ..workload import messages

QUEUES: Final = QueueRules(
    cluster_queue_active=by_release(
        Row("AC-426", (0, 6), legacy_queues.cluster_queue_active_by_reason),
        Row("D-17", (0, 9), queues.cluster_queue_active),
    ),
    check_circle=by_release(Row("QC-01", (0, 6), queues.ignore_circle)),
    local_queue_ready_message=by_release(
        Row("AC-437", (0, 6), "Can submit new workloads to clusterQueue"),
        Row("AC-437", (0, 9), queues.CAN_SUBMIT),
    ),
    eviction_ordered_reasons=by_release(
        Row("AC-319", (0, 6), frozenset({"PodsReadyTimeout"})),
        Row("AC-319", (0, 9), frozenset({"PodsReadyTimeout", "AdmissionCheck"})),
    ),
    pending_event_type=by_release(Row("D-19", (0, 6), "Normal"), Row("D-19", (0, 19), "Warning")),
    event_subject=by_release(Row("QC-04", (0, 6), outcomes.before_attempt)),
    has_strict_pending_writes=by_release(
        Row("AC-370", (0, 6), value=True), Row("AC-370", (0, 19), value=False)
    ),
    preemption_wording=by_release(
        Row("Q-512", (0, 6), wording.V0_6),
        Row("Q-512", (0, 9), wording.V0_9),
        Row("Q-512", (0, 19), wording.V0_19),
    ),
    immediate_admission_note=by_release(
        Row[AdmissionNote]("Q-513", (0, 6), legacy_queues.admission_note),
        Row[AdmissionNote]("Q-513", (0, 7), partial(messages.admission_note, waited=0)),
    ),
    requeue_batch_seconds=by_release(Row("Q-502", (0, 6), 0.0), Row("QC-02", (0, 17), 1.0)),
    has_cohort_objects=by_release(Row("Q-508", (0, 6), value=False), Row("Q-508", (0, 9), value=True)),
    measure_cohort=by_release(
        Row("MT-051", (0, 6), shares.measure_with_infinity),
        Row("KV-75", ("0.19.8", "0.20.1"), shares.measure),
    ),
    cohorts_to_update=by_release(Row("Q-376", (0, 6), Shares.cohorts_above)),
)
"""The rules of queues and their statuses."""

PENDING: Final = PendingRules(
    requeue_on_check_change=by_release(Row("C-01", (0, 6), pending.requeue_on_spec_change)),
    priority_key=by_release(Row("QC-05", (0, 6), pending.class_priority_key)),
    requeues_on_status_change=by_release(Row("QC-03", (0, 6), CohortTrees.has_cohort_object)),
    immediate_requeue_reasons=by_release(
        Row("Q-503", (0, 6), strategies.IMMEDIATE_V0_6), Row("Q-503", (0, 15), strategies.IMMEDIATE)
    ),
    has_sticky_workload=by_release(Row("Q-504", (0, 6), value=False), Row("Q-504", (0, 15), value=True)),
    keeps_sticky_workload=by_release(
        Row("Q-022", (0, 6), value=True), Row("KV-46", ("0.19.3", "0.20.0"), value=False)
    ),
    hashes_pod_set_names=True,
    consumed_usage=consumed_by_admitted,
    fill_container=by_release(Row("BUG-160", (0, 6), adjusting.fill_from_limit_range)),
    complete_pod=by_release(Row("BUG-163", (0, 6), adjusting.keep_pod)),
    requeues_on_limit_range=by_release(Row("BUG-161", (0, 6), adjusting.rests_on_any_change)),
    retried_queues=by_release(Row("BUG-166", (0, 6), retried_queues.of_local_queue)),
    parks_equivalent_workloads=by_release(
        Row("Q-504", (0, 6), value=False), Row("Q-504", (0, 17), value=True)
    ),
)
"""The rules of pending Workloads."""

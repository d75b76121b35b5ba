"""What queues and the scheduler measure (scheduling §12, MT-001…MT-041, AC-390…396)."""

from __future__ import annotations

from ...runtime.metrics import Metric, exponential

_QUEUE = ("cluster_queue",)
_LOCAL = ("name", "namespace")
_PRIORITY = ("priority_class",)
_CAUSE = ("reason", "underlying_cause")

RECOMPUTATIONS = "kueue_preemption_target_recomputations_total"

METRICS = (
    Metric(
        "kueue_admission_attempts_total", "counter", ("result",), help="Cycles that had at least one head."
    ),
    Metric(
        "kueue_admission_attempt_duration_seconds",
        "histogram",
        ("result",),
        exponential(10),
        help="How long those took.",
    ),
    Metric(
        "kueue_admission_cycle_preemption_skips",
        "gauge",
        _QUEUE,
        help="Preemptions skipped for another head, in the last cycle that had any.",
    ),
    Metric(
        RECOMPUTATIONS,
        "counter",
        (*_QUEUE, "result"),
        help="Heads assigned anew because their victims were also those of another one of the cycle.",
    ),
    Metric("kueue_pending_workloads", "gauge", (*_QUEUE, "status"), help="Workloads that wait."),
    Metric("kueue_local_queue_pending_workloads", "gauge", (*_LOCAL, "status"), help="Workloads that wait."),
    Metric(
        "kueue_unadmitted_workloads",
        "gauge",
        (*_QUEUE, *_CAUSE),
        help="Workloads that are not admitted, by the reasons of Admitted and of QuotaReserved.",
    ),
    Metric(
        "kueue_local_queue_unadmitted_workloads",
        "gauge",
        (*_LOCAL, *_QUEUE, *_CAUSE),
        help="Workloads that are not admitted, by the reasons of Admitted and of QuotaReserved.",
    ),
    Metric("kueue_reserving_active_workloads", "gauge", _QUEUE, help="Workloads that hold quota."),
    Metric("kueue_admitted_active_workloads", "gauge", _QUEUE, help="Workloads that are admitted."),
    Metric(
        "kueue_local_queue_reserving_active_workloads", "gauge", _LOCAL, help="Workloads that hold quota."
    ),
    Metric(
        "kueue_local_queue_admitted_active_workloads", "gauge", _LOCAL, help="Workloads that are admitted."
    ),
    Metric(
        "kueue_quota_reserved_workloads_total", "counter", (*_QUEUE, *_PRIORITY), help="Reservations made."
    ),
    Metric(
        "kueue_local_queue_quota_reserved_workloads_total",
        "counter",
        (*_LOCAL, *_PRIORITY),
        help="Reservations made.",
    ),
    Metric(
        "kueue_preempted_workloads_total",
        "counter",
        ("preempting_cluster_queue", "reason"),
        help="Workloads that had to make room for one of the queue.",
    ),
    Metric(
        "kueue_quota_reserved_wait_time_seconds",
        "histogram",
        (*_QUEUE, *_PRIORITY),
        exponential(14),
        help="From queued to the reservation.",
    ),
    Metric(
        "kueue_local_queue_quota_reserved_wait_time_seconds",
        "histogram",
        (*_LOCAL, *_PRIORITY),
        exponential(14),
        help="From queued to the reservation.",
    ),
    Metric(
        "kueue_cluster_queue_status",
        "gauge",
        (*_QUEUE, "status"),
        help="1 for the status a ClusterQueue has.",
    ),
    Metric(
        "kueue_cluster_queue_weighted_share",
        "gauge",
        (*_QUEUE, "cohort"),
        help="What a ClusterQueue borrows, by its weight; no number where it weighs nothing and borrows.",
    ),
    Metric(
        "kueue_cohort_weighted_share",
        "gauge",
        ("cohort",),
        help="What a cohort borrows, by its weight; no number where it weighs nothing and borrows.",
    ),
    Metric(
        "kueue_local_queue_admission_fair_sharing_usage",
        "gauge",
        _LOCAL,
        help="What a LocalQueue has used lately, by the weights of resources and its own.",
    ),
    Metric(
        "kueue_local_queue_status",
        "gauge",
        (*_LOCAL, "active"),
        help="1 for the answer of the Active condition.",
    ),
)

"""What queues and the scheduler measure (scheduling §12, MT-001…MT-041)."""

from __future__ import annotations

from ..runtime.metrics import Metric, exponential

_QUEUE = ("cluster_queue",)
_LOCAL = ("name", "namespace")
_PRIORITY = ("priority_class",)

METRICS = (
    Metric("kueue_admission_attempts_total", "counter", ("result",), "Cycles that had at least one head."),
    Metric(
        "kueue_admission_attempt_duration_seconds",
        "histogram",
        ("result",),
        "How long those took.",
        exponential(10),
    ),
    Metric("kueue_pending_workloads", "gauge", (*_QUEUE, "status"), "Workloads that wait."),
    Metric("kueue_local_queue_pending_workloads", "gauge", (*_LOCAL, "status"), "Workloads that wait."),
    Metric("kueue_reserving_active_workloads", "gauge", _QUEUE, "Workloads that hold quota."),
    Metric("kueue_admitted_active_workloads", "gauge", _QUEUE, "Workloads that are admitted."),
    Metric("kueue_local_queue_reserving_active_workloads", "gauge", _LOCAL, "Workloads that hold quota."),
    Metric("kueue_local_queue_admitted_active_workloads", "gauge", _LOCAL, "Workloads that are admitted."),
    Metric("kueue_quota_reserved_workloads_total", "counter", _QUEUE + _PRIORITY, "Reservations made."),
    Metric(
        "kueue_local_queue_quota_reserved_workloads_total",
        "counter",
        _LOCAL + _PRIORITY,
        "Reservations made.",
    ),
    Metric(
        "kueue_quota_reserved_wait_time_seconds",
        "histogram",
        _QUEUE + _PRIORITY,
        "From queued to the reservation.",
        exponential(14),
    ),
    Metric(
        "kueue_local_queue_quota_reserved_wait_time_seconds",
        "histogram",
        _LOCAL + _PRIORITY,
        "From queued to the reservation.",
        exponential(14),
    ),
    Metric(
        "kueue_cluster_queue_status", "gauge", (*_QUEUE, "status"), "1 for the status a ClusterQueue has."
    ),
    Metric(
        "kueue_local_queue_status", "gauge", (*_LOCAL, "active"), "1 for the answer of the Active condition."
    ),
)

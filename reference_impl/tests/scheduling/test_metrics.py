"""The series that queues and the scheduler write, as dashboards know them (scheduling §12)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.scheduling.metrics import METRICS

QUEUE = ("cluster_queue",)
LOCAL = ("name", "namespace")
PRIORITY = ("priority_class",)
CAUSE = ("reason", "underlying_cause")
SERIES = {
    "MT-001": ("admission_attempts_total", "counter", ("result",), 0),
    "MT-002": ("admission_attempt_duration_seconds", "histogram", ("result",), 10),
    "MT-003": ("admission_cycle_preemption_skips", "gauge", QUEUE, 0),
    "MT-010": ("pending_workloads", "gauge", (*QUEUE, "status"), 0),
    "MT-011": ("local_queue_pending_workloads", "gauge", (*LOCAL, "status"), 0),
    "MT-013 reserving": ("reserving_active_workloads", "gauge", QUEUE, 0),
    "MT-013 admitted": ("admitted_active_workloads", "gauge", QUEUE, 0),
    "MT-013 reserving, LocalQueue": ("local_queue_reserving_active_workloads", "gauge", LOCAL, 0),
    "MT-013 admitted, LocalQueue": ("local_queue_admitted_active_workloads", "gauge", LOCAL, 0),
    "MT-020": ("quota_reserved_workloads_total", "counter", (*QUEUE, *PRIORITY), 0),
    "MT-024 total": ("local_queue_quota_reserved_workloads_total", "counter", (*LOCAL, *PRIORITY), 0),
    "MT-031": ("preempted_workloads_total", "counter", ("preempting_cluster_queue", "reason"), 0),
    "MT-021": ("quota_reserved_wait_time_seconds", "histogram", (*QUEUE, *PRIORITY), 14),
    "MT-024 time": ("local_queue_quota_reserved_wait_time_seconds", "histogram", (*LOCAL, *PRIORITY), 14),
    "AC-050": ("cluster_queue_weighted_share", "gauge", (*QUEUE, "cohort"), 0),
    "AC-050 Cohort": ("cohort_weighted_share", "gauge", ("cohort",), 0),
    "AC-077": ("local_queue_admission_fair_sharing_usage", "gauge", LOCAL, 0),
    "KV-28": ("preemption_target_recomputations_total", "counter", (*QUEUE, "result"), 0),
    "KV-17": ("unadmitted_workloads", "gauge", (*QUEUE, *CAUSE), 0),
    "KV-17 local": ("local_queue_unadmitted_workloads", "gauge", (*LOCAL, *QUEUE, *CAUSE), 0),
    "MT-040": ("cluster_queue_status", "gauge", (*QUEUE, "status"), 0),
    "MT-041": ("local_queue_status", "gauge", (*LOCAL, "active"), 0),
}


@pytest.mark.parametrize(("name", "kind", "labels", "buckets"), SERIES.values(), ids=SERIES)
def test_series_has_its_name_type_labels_and_buckets(
    name: str, kind: str, labels: tuple[str, ...], buckets: int
) -> None:
    shapes = {row.name: (row.type, row.labels, len(row.buckets)) for row in METRICS}

    assert shapes[f"kueue_{name}"] == (kind, labels, buckets)


def test_every_series_has_a_row() -> None:
    assert {row.name for row in METRICS} == {f"kueue_{name}" for name, *_ in SERIES.values()}

"""The series that the state machine and the Jobs write, as rows (AC-390…396, MT-014…MT-033)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from reference_impl.runtime.metrics import Metric, exponential

QUEUE: Final = ("cluster_queue",)
LOCAL: Final = ("name", "namespace")
PRIORITY: Final = ("priority_class",)
CAUSE: Final = ("reason", "underlying_cause")
WAITS: Final = exponential(14)
LONG_WAITS: Final = exponential(16)


def _twins(row: Metric) -> tuple[Metric, Metric]:
    """Return the series of the ClusterQueue and the one of its LocalQueue, for a
    row without either (AC-396).
    """
    return (
        replace(row, name=f"kueue_{row.name}", labels=(*QUEUE, *row.labels)),
        replace(row, name=f"kueue_local_queue_{row.name}", labels=(*LOCAL, *row.labels)),
    )


METRICS: Final = (
    *_twins(Metric("admitted_workloads_total", "counter", PRIORITY, help="Workloads that became admitted.")),
    *_twins(
        Metric(
            "admission_wait_time_seconds", "histogram", PRIORITY, LONG_WAITS, help="From queued to admitted."
        )
    ),
    *_twins(
        Metric(
            "admission_checks_wait_time_seconds",
            "histogram",
            PRIORITY,
            WAITS,
            help="From reserved to admitted.",
        )
    ),
    *_twins(
        Metric("evicted_workloads_total", "counter", (*PRIORITY, *CAUSE), help="Evictions of Workloads.")
    ),
    Metric(
        "kueue_evicted_workloads_once_total",
        "counter",
        (*QUEUE, *PRIORITY, *CAUSE),
        help="First evictions of Workloads, by reason.",
    ),
    Metric(
        "kueue_workload_eviction_latency_seconds",
        "histogram",
        (*QUEUE, "reason"),
        WAITS,
        help="From evicted to released.",
    ),
    Metric(
        "kueue_pods_ready_to_evicted_time_seconds",
        "histogram",
        (*QUEUE, *CAUSE),
        WAITS,
        help="From pods ready to evicted.",
    ),
    *_twins(
        Metric("ready_wait_time_seconds", "histogram", PRIORITY, WAITS, help="From queued to pods ready.")
    ),
    *_twins(
        Metric(
            "admitted_until_ready_wait_time_seconds",
            "histogram",
            PRIORITY,
            WAITS,
            help="From admitted to pods ready.",
        )
    ),
    *_twins(
        Metric(
            "execution_time_seconds", "histogram", PRIORITY, LONG_WAITS, help="Admitted, over all attempts."
        )
    ),
    *_twins(Metric("finished_workloads_total", "counter", PRIORITY, help="Workloads that ended.")),
)

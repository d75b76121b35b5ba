"""The series that the state machine and the Jobs write, as rows (AC-390…396, MT-014…MT-033)."""

from __future__ import annotations

from typing import Final, Literal

from reference_impl.runtime.metrics import Metric, exponential

Kind = Literal["counter", "histogram"]
QUEUE: Final = ("cluster_queue",)
LOCAL: Final = ("name", "namespace")
PRIORITY: Final = ("priority_class",)
CAUSE: Final = ("reason", "underlying_cause")
WAITS: Final = exponential(14)
LONG_WAITS: Final = exponential(16)


def _twins(
    name: str, kind: Kind, text: str, labels: tuple[str, ...] = PRIORITY, buckets: tuple[float, ...] = ()
) -> tuple[Metric, Metric]:
    """Return the series of the ClusterQueue and the one of its LocalQueue (AC-396)."""
    return (
        Metric(f"kueue_{name}", kind, (*QUEUE, *labels), text, buckets),
        Metric(f"kueue_local_queue_{name}", kind, (*LOCAL, *labels), text, buckets),
    )


METRICS: Final = (
    *_twins("admitted_workloads_total", "counter", "Workloads that became admitted."),
    *_twins("admission_wait_time_seconds", "histogram", "From queued to admitted.", buckets=LONG_WAITS),
    *_twins("admission_checks_wait_time_seconds", "histogram", "From reserved to admitted.", buckets=WAITS),
    *_twins("evicted_workloads_total", "counter", "Workloads told to stop.", (*PRIORITY, *CAUSE)),
    Metric(
        "kueue_evicted_workloads_once_total",
        "counter",
        (*QUEUE, *PRIORITY, *CAUSE),
        "Workloads told to stop for the first time for a reason.",
    ),
    Metric(
        "kueue_workload_eviction_latency_seconds",
        "histogram",
        (*QUEUE, "reason"),
        "From evicted to released.",
        WAITS,
    ),
    Metric(
        "kueue_pods_ready_to_evicted_time_seconds",
        "histogram",
        (*QUEUE, *CAUSE),
        "From pods ready to evicted.",
        WAITS,
    ),
    *_twins("ready_wait_time_seconds", "histogram", "From queued to pods ready.", buckets=WAITS),
    *_twins(
        "admitted_until_ready_wait_time_seconds", "histogram", "From admitted to pods ready.", buckets=WAITS
    ),
    *_twins("finished_workloads_total", "counter", "Workloads that ended."),
)

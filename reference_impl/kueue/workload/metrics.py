"""What the state machine counts, with the labels of each series (AC-390…396, scheduling.md §12)."""

from __future__ import annotations

from collections.abc import Mapping

from . import conditions as c
from .decision import MetricSample
from .rules import Eviction
from .view import Workload


def cluster_queue_of(workload: Workload) -> str:
    """Return where the Workload holds quota."""
    return workload.admitted_to


def _labels(workload: Workload) -> Mapping[str, str]:
    return {"cluster_queue": cluster_queue_of(workload), "priority_class": workload.priority_class}


def _local(workload: Workload) -> Mapping[str, str]:
    names = {"name": workload.queue_name, "namespace": workload.namespace}
    return {**names, "priority_class": workload.priority_class}


def eviction(workload: Workload, why: Eviction, *, first: bool) -> tuple[MetricSample, ...]:
    """Count an eviction (AC-393); the counter of first ones has no LocalQueue twin (C-27)."""
    cause = {"reason": why.group, "underlying_cause": why.cause}
    total = {**_labels(workload), **cause}
    counted = (
        MetricSample("evicted_workloads_total", total),
        MetricSample("local_queue_evicted_workloads_total", {**_local(workload), **cause}),
    )
    return (*counted, MetricSample("evicted_workloads_once_total", total)) if first else counted


def pods_ready_to_evicted(workload: Workload, why: Eviction, seconds: float) -> MetricSample:
    """Measure how long pods were ready before they had to go (AC-394)."""
    labels = {
        "cluster_queue": cluster_queue_of(workload),
        "reason": why.group,
        "underlying_cause": why.cause,
    }
    return MetricSample("pods_ready_to_evicted_time_seconds", labels, seconds)


def eviction_latency(workload: Workload, current_time: float) -> tuple[MetricSample, ...]:
    """Measure how long an evicted Workload took to give its quota back (AC-394)."""
    evicted = workload.condition(c.EVICTED)
    if evicted is None or evicted["status"] != "True":
        return ()
    labels = {"cluster_queue": cluster_queue_of(workload), "reason": evicted["reason"]}
    return (
        MetricSample("workload_eviction_latency_seconds", labels, current_time - workload.since(c.EVICTED)),
    )


def pods_started(workload: Workload, current_time: float) -> tuple[MetricSample, ...]:
    """Measure how long it took until all pods were ready, from queueing and from admission (MT-025)."""
    waits = {
        "ready_wait_time_seconds": current_time - workload.queued_since,
        "admitted_until_ready_wait_time_seconds": current_time - workload.since(c.ADMITTED),
    }
    labels = {"": _labels(workload), "local_queue_": _local(workload)}
    return tuple(
        MetricSample(prefix + name, labels[prefix], seconds)
        for prefix in labels
        for name, seconds in waits.items()
    )


def measure_finished(workload: Workload, current_time: float) -> tuple[MetricSample, ...]:
    """Count a Workload that is over, and measure how long it was admitted, over all attempts (KV-28)."""
    counted = count_finished(workload, current_time)
    if not workload.is_admitted:
        return counted
    past = workload.status.get("accumulatedPastExecutionTimeSeconds") or 0
    # Whole seconds, as the times of conditions are.
    seconds = past + int(current_time) - int(workload.since(c.ADMITTED))
    return (
        *counted,
        MetricSample("execution_time_seconds", _labels(workload), seconds),
        MetricSample("local_queue_execution_time_seconds", _local(workload), seconds),
    )


def count_finished(workload: Workload, _current_time: float) -> tuple[MetricSample, ...]:
    """Count a Workload that is over (MT-014)."""
    return (
        MetricSample("finished_workloads_total", _labels(workload)),
        MetricSample("local_queue_finished_workloads_total", _local(workload)),
    )


def admission(
    workload: Workload, current_time: float, checks_waited: float | None
) -> tuple[MetricSample, ...]:
    """Count an admission and its waits, for both queues;
    None where no check was asked (AC-391, AC-392, AC-396).
    """
    waits = {"admission_wait_time_seconds": current_time - workload.queued_since}
    if checks_waited is not None:
        waits["admission_checks_wait_time_seconds"] = checks_waited
    samples = []
    for prefix, labels in (("", _labels(workload)), ("local_queue_", _local(workload))):
        samples.append(MetricSample(f"{prefix}admitted_workloads_total", labels))
        samples += [MetricSample(prefix + name, labels, seconds) for name, seconds in waits.items()]
    return tuple(samples)

"""Every sample of the state machine has its series, labels in the same order (AC-390…396)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reference_impl.kueue.workload import metrics
from reference_impl.kueue.workload.controller import count
from reference_impl.kueue.workload.decision import MetricSample
from reference_impl.kueue.workload.metric_definitions import METRICS
from reference_impl.kueue.workload.rules import Eviction
from reference_impl.runtime.metrics import Registry

from .objects import ADMITTED, NOW, RESERVED, condition, workload

SUBJECT = workload(RESERVED, ADMITTED, condition("Evicted"))
WHY = Eviction("AdmissionCheck", "m", cause="c")
SAMPLES = {
    "eviction": metrics.eviction(SUBJECT, WHY, first=True),
    "pods ready to evicted": (metrics.pods_ready_to_evicted(SUBJECT, WHY, 1),),
    "release": metrics.eviction_latency(SUBJECT, NOW),
    "pods started": metrics.pods_started(SUBJECT, NOW),
    "finish": metrics.measure_finished(SUBJECT, NOW),
}


@pytest.mark.parametrize("samples", SAMPLES.values(), ids=SAMPLES.keys())
def test_sample_fits_its_series(samples: Sequence[MetricSample]) -> None:
    labels = {metric.name.removeprefix("kueue_"): metric.labels for metric in METRICS}

    assert [tuple(sample.labels) for sample in samples] == [labels[sample.name] for sample in samples]


QUEUE, LOCAL, PRIORITY = ("cluster_queue",), ("name", "namespace"), ("priority_class",)
CAUSE = ("reason", "underlying_cause")
TWINS = {
    "MT-014": ("finished_workloads_total", "counter", PRIORITY, 0),
    "KV-28": ("execution_time_seconds", "histogram", PRIORITY, 16),
    "MT-022 total": ("admitted_workloads_total", "counter", PRIORITY, 0),
    "MT-022 time": ("admission_wait_time_seconds", "histogram", PRIORITY, 16),
    "MT-023": ("admission_checks_wait_time_seconds", "histogram", PRIORITY, 14),
    "MT-025 ready": ("ready_wait_time_seconds", "histogram", PRIORITY, 14),
    "MT-025 admitted": ("admitted_until_ready_wait_time_seconds", "histogram", PRIORITY, 14),
    "MT-030": ("evicted_workloads_total", "counter", (*PRIORITY, *CAUSE), 0),
}
SINGLE = {
    "MT-030 once": ("evicted_workloads_once_total", "counter", (*PRIORITY, *CAUSE), 0),
    "MT-032": ("workload_eviction_latency_seconds", "histogram", ("reason",), 14),
    "MT-033": ("pods_ready_to_evicted_time_seconds", "histogram", CAUSE, 14),
}
SERIES = {
    **{row: (name, kind, QUEUE + labels, n) for row, (name, kind, labels, n) in (TWINS | SINGLE).items()},
    **{
        f"{row}, LocalQueue": (f"local_queue_{name}", kind, LOCAL + labels, n)
        for row, (name, kind, labels, n) in TWINS.items()
    },
}


@pytest.mark.parametrize(("name", "kind", "labels", "buckets"), SERIES.values(), ids=SERIES)
def test_series_has_its_name_type_labels_and_buckets(
    name: str, kind: str, labels: tuple[str, ...], buckets: int
) -> None:
    definitions = {row.name: (row.type, row.labels, len(row.buckets)) for row in METRICS}

    assert definitions[f"kueue_{name}"] == (kind, labels, buckets)


def test_every_series_has_a_row() -> None:
    assert {row.name for row in METRICS} == {f"kueue_{name}" for name, *_ in SERIES.values()}


def test_release_of_what_was_not_evicted_measures_nothing() -> None:
    assert metrics.eviction_latency(workload(RESERVED), NOW) == ()


def test_counter_goes_up_and_histogram_observes() -> None:
    registry = Registry(METRICS)

    for sample in (*metrics.count_finished(SUBJECT, NOW), *metrics.eviction_latency(SUBJECT, NOW)):
        count(registry, sample)

    assert registry.value("kueue_finished_workloads_total", "cq", "") == 1
    assert registry.value("kueue_workload_eviction_latency_seconds", "cq", "ByTest") == 100


@pytest.mark.parametrize(("waited", "checks"), [(None, []), (3.0, [3.0])], ids=["no checks", "checks"])
def test_an_admission_is_counted_and_measured_for_both_queues(
    waited: float | None, checks: list[float]
) -> None:
    """AC-391, AC-392, AC-396."""
    values = {sample.name: sample.value for sample in metrics.admission(SUBJECT, NOW, waited)}

    for prefix in ("", "local_queue_"):
        assert values.pop(f"{prefix}admitted_workloads_total") is None
        assert values.pop(f"{prefix}admission_wait_time_seconds") == 100
    assert list(values.values()) == checks * 2


def test_the_counter_of_first_evictions_has_no_twin() -> None:
    """C-27, AC-396."""
    names = [sample.name for sample in metrics.eviction(SUBJECT, WHY, first=True)]

    assert names == [
        "evicted_workloads_total",
        "local_queue_evicted_workloads_total",
        "evicted_workloads_once_total",
    ]


PLACE = {"cluster_queue": "cq", "priority_class": ""}
LOCALLY = {"name": "lq", "namespace": "ns", "priority_class": ""}
WAITED = {
    "local_queue_admitted_until_ready_wait_time_seconds": (LOCALLY, 100.0),
    "local_queue_ready_wait_time_seconds": (LOCALLY, 100.0),
    "admitted_until_ready_wait_time_seconds": (PLACE, 100.0),
    "ready_wait_time_seconds": (PLACE, 100.0),
}


def test_waits_for_pods_are_measured_from_queueing_and_from_admission_mt_025() -> None:
    samples = metrics.pods_started(SUBJECT, NOW)

    assert {sample.name: (sample.labels, sample.value) for sample in samples} == WAITED


LABELLED = {
    "MT-030": (
        metrics.eviction(SUBJECT, WHY, first=False),
        {"reason": "AdmissionCheck", "underlying_cause": "c"},
    ),
    "MT-030 once": (
        metrics.eviction(SUBJECT, WHY, first=True),
        {"reason": "AdmissionCheck", "underlying_cause": "c"},
    ),
    "MT-014": (metrics.count_finished(SUBJECT, NOW), {}),
    "MT-022": (metrics.admission(SUBJECT, NOW, 3.0), {}),
}


@pytest.mark.parametrize(("samples", "labels"), LABELLED.values(), ids=LABELLED)
def test_a_sample_says_in_which_queue_and_of_which_class_it_is(
    samples: Sequence[MetricSample], labels: dict[str, str]
) -> None:
    expected = {
        name: dict(LOCALLY if name.startswith("local_queue_") else PLACE) | labels
        for name in (sample.name for sample in samples)
    }

    assert {sample.name: dict(sample.labels) for sample in samples} == expected


def test_the_end_is_counted_for_both_queues_mt_014() -> None:
    assert [(sample.name, sample.value) for sample in metrics.count_finished(SUBJECT, NOW)] == [
        ("finished_workloads_total", None),
        ("local_queue_finished_workloads_total", None),
    ]


def test_a_workload_that_has_no_admission_is_counted_in_no_cluster_queue() -> None:
    assert metrics.cluster_queue_of(workload()) == ""
    assert metrics.cluster_queue_of(SUBJECT) == "cq"
    assert metrics.eviction_latency(workload(condition("Evicted", False)), NOW) == ()
    assert metrics.eviction_latency(workload(condition("Evicted", reason="R")), NOW) == (
        MetricSample("workload_eviction_latency_seconds", {"cluster_queue": "", "reason": "R"}, 100.0),
    )


def test_how_long_pods_were_ready_is_measured_by_cause_mt_033() -> None:
    labels = {"cluster_queue": "cq", "reason": "AdmissionCheck", "underlying_cause": "c"}

    assert metrics.pods_ready_to_evicted(SUBJECT, WHY, 7.0) == MetricSample(
        "pods_ready_to_evicted_time_seconds", labels, 7.0
    )

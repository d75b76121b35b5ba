"""Every sample of the state machine has its series, labels in the same order (AC-390…396)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reference_impl.runtime.metrics import Registry
from reference_impl.workload import metrics
from reference_impl.workload.controller import count
from reference_impl.workload.decision import Sample
from reference_impl.workload.rules import Eviction
from reference_impl.workload.series import METRICS

from .objects import ADMITTED, NOW, RESERVED, condition, workload

SUBJECT = workload(RESERVED, ADMITTED, condition("Evicted"))
WHY = Eviction("AdmissionCheck", "m", cause="c")
SAMPLES = {
    "eviction": metrics.eviction(SUBJECT, WHY, first=True),
    "pods ready to evicted": (metrics.pods_ready_to_evicted(SUBJECT, WHY, 1),),
    "release": metrics.eviction_latency(SUBJECT, NOW),
    "pods started": metrics.pods_started(SUBJECT, NOW),
    "finish": metrics.finished(SUBJECT),
}


@pytest.mark.parametrize("samples", SAMPLES.values(), ids=SAMPLES.keys())
def test_sample_fits_its_series(samples: Sequence[Sample]) -> None:
    labels = {metric.name.removeprefix("kueue_"): metric.labels for metric in METRICS}

    assert [tuple(sample.labels) for sample in samples] == [labels[sample.name] for sample in samples]


def test_release_of_what_was_not_evicted_measures_nothing() -> None:
    assert metrics.eviction_latency(workload(RESERVED), NOW) == ()


def test_counter_goes_up_and_histogram_observes() -> None:
    registry = Registry(METRICS)

    for sample in (*metrics.finished(SUBJECT), *metrics.eviction_latency(SUBJECT, NOW)):
        count(registry, sample)

    assert registry.value("kueue_finished_workloads_total", "cq", "") == 1
    assert registry.value("kueue_workload_eviction_latency_seconds", "cq", "ByTest") == 100


def test_the_counter_of_first_evictions_has_no_twin() -> None:
    """C-27, AC-396."""
    names = [sample.name for sample in metrics.eviction(SUBJECT, WHY, first=True)]

    assert names == [
        "evicted_workloads_total",
        "local_queue_evicted_workloads_total",
        "evicted_workloads_once_total",
    ]

"""Metrics: counting, and the text that Prometheus reads (AC-390…396)."""

import pytest

from reference_impl.runtime.metrics import Metric, Registry, exponential

COUNTER = Metric("c_total", "counter", ("queue",), help="Things.")
GAUGE = Metric("g", "gauge", (), help="Level.")
HISTOGRAM = Metric("h_seconds", "histogram", ("queue",), (1.0, 2.5), help="Waits.")


@pytest.fixture
def registry():
    return Registry([COUNTER, GAUGE, HISTOGRAM])


def test_a_counter(registry):
    registry.common["replica_role"] = "standalone"
    registry.increment("c_total", 'a"b\\')
    registry.increment("c_total", 'a"b\\', by=2)

    assert registry.exposition().splitlines() == [
        "# HELP c_total Things.",
        "# TYPE c_total counter",
        'c_total{queue="a\\"b\\\\",replica_role="standalone"} 3',
    ]


def test_a_histogram(registry):
    for value in (0.5, 1.0, 2.0, 9.0):
        registry.observe("h_seconds", "q", value=value)

    assert registry.exposition().splitlines()[2:] == [
        'h_seconds_bucket{le="1",queue="q"} 2',
        'h_seconds_bucket{le="2.5",queue="q"} 3',
        'h_seconds_bucket{le="+Inf",queue="q"} 4',
        'h_seconds_sum{queue="q"} 12.5',
        'h_seconds_count{queue="q"} 4',
    ]


def test_a_series_can_be_removed(registry):
    registry.increment("c_total", "a")
    registry.increment("c_total", "b")

    registry.remove("c_total", "a")

    assert (registry.value("c_total", "a"), registry.value("c_total", "b")) == (0, 1)


@pytest.mark.parametrize(("value", "text"), [(2, "g 2"), (0.25, "g 0.25"), (float("inf"), "g +Inf")], ids=str)
def test_a_gauge(registry, value, text):
    registry.set("g", value=value)

    assert registry.exposition().splitlines()[-1] == text


def test_labels_must_fit(registry):
    with pytest.raises(ValueError, match=r"c_total has the labels \('queue',\), got \(\)"):
        registry.increment("c_total")


def test_bucket_bounds_double():
    assert exponential(4) == (1.0, 2.5, 5.0, 10.0)

"""The metrics page of a control plane is parsed as Prometheus does it."""

import pytest

from kueue_conformance.base.metrics_text import Series, is_declared, series


def test_names_labels_and_values():
    text = '# HELP a b\n# TYPE a counter\na{x="1",y="say \\"so\\"\\\\"} 2\nb_count 3\n\nc{} 1e3\n'

    assert list(series(text)) == [
        Series("a", {"x": "1", "y": 'say "so"\\'}, 2.0),
        Series("b_count", {}, 3.0),
        Series("c", {}, 1000.0),
    ]


def test_what_is_no_series_is_passed_over():
    assert list(series("# c\n{} 1\n\n")) == []


def test_the_same_text_is_read_once():
    assert series("a 1\n") is series("a 1\n")


@pytest.mark.parametrize(
    ("name", "declared", "right"),
    [
        ("a_total", "counter", True),
        ("a_total", "gauge", False),
        ("b", "gauge", True),
        ("b", "counter", False),
        ("c_seconds_count", "histogram", True),
        ("c_seconds_sum", "counter", False),
        ("d_count", "gauge", True),
    ],
)
def test_a_series_is_declared_as_what_its_name_says(name, declared, right):
    metric = name.removesuffix("_count").removesuffix("_sum") if name.startswith("c_") else name

    assert is_declared(name, f"# HELP {metric} text\n# TYPE {metric} {declared}\n{name} 1\n") == right


def test_a_series_that_is_not_declared_is_wrong():
    assert not is_declared("a_total", "a_total 1\n")

"""What a control plane tells of its metrics is taken apart as Prometheus does it."""

from kueue_conformance.measures import Series, series


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

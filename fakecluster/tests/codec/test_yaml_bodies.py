"""YAML bodies: nearly all are read event by event,
few by the composer, both to the same tree (FK-026, FK-042).
"""

import pytest
import yaml

from fakecluster.api.status import StatusError
from fakecluster.codec.yaml import reader

PLAIN = {
    "nothing": (b"", None),
    "a scalar": (b"5", 5),
    "maps and lists": (b"a: {b: [1, x]}\nc:\n- d\n", {"a": {"b": [1, "x"]}, "c": ["d"]}),
    "quotes": (b"a: '1'\nb: \"\\u00e9\"", {"a": "1", "b": "é"}),
    "numbers": (b"[0x1f, 0o7, 1e3, 1_000, 1:2]", [31, 7, 1000, 1000, "1:2"]),
    "keys become text": (b"1: a\ntrue: b\n", {"1": "a", "true": "b"}),
    "a repeated key has its last value": (b"a: 1\na: 2\n", {"a": 2}),
    "the first document": (b"a: 1\n---\nb: 2\n", {"a": 1}),
}
COMPOSED = {
    "anchors": (b"a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
    "merges": (b"a: &x {b: 1}\nc: {<<: *x, d: 2}\n", {"a": {"b": 1}, "c": {"b": 1, "d": 2}}),
    "tags": (b"a: !!str 1\n", {"a": "1"}),
}


@pytest.mark.parametrize("case", [*PLAIN, *COMPOSED])
def test_a_body_is_read(case):
    body, tree = {**PLAIN, **COMPOSED}[case]

    assert reader.parse(body)[0] == tree


@pytest.mark.parametrize("case", PLAIN)
def test_a_plain_body_needs_no_composer(case, monkeypatch):
    monkeypatch.setattr(reader, "_compose", None)

    assert reader.parse(PLAIN[case][0])[0] == PLAIN[case][1]


def test_repeated_keys_are_told_with_their_lines():
    body = b"a: 1\nb:\n  c: 1\n  c: 2\na: 2\n"

    assert reader.parse(body)[1] == [
        'line 4: key "c" already set in map',
        'line 5: key "a" already set in map',
    ]


def test_a_large_plain_body_is_read_without_composer(monkeypatch):
    monkeypatch.setattr(reader, "_compose", None)

    assert len(reader.parse(b"- a\n" * 100_000)[0]) == 100_000


def test_a_large_body_with_anchors_is_refused():
    with pytest.raises(reader.MalformedYaml, match="may have 20000 nodes, not 20005"):
        reader.parse(b"a: &x 1\nb: [" + b"*x," * 19_995 + b"]")


@pytest.mark.parametrize("first", [chr(code) for code in (*range(33, 127), 0xE4, 0x4E2D)])
def test_a_text_that_begins_like_no_other_type_is_read_as_the_resolver_reads_it(first):
    loader = reader._Loader("")
    tag = loader.resolve(yaml.ScalarNode, f"{first}1e", (True, False))

    assert reader._scalar(loader, f"{first}1e") == loader.yaml_constructors[tag](
        loader, yaml.ScalarNode(tag, f"{first}1e")
    )


def test_too_many_values_are_refused_at_the_end_of_a_short_document_as_well():
    with pytest.raises(StatusError, match="limit is 3 values"):
        reader.parse(b"[1, 2, 3]", 3)
    assert reader.parse(b"[1, 2]", 3)[0] == [1, 2]

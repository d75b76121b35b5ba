"""YAML answers: quotes and the order of keys are those of Go's writer (FK-020)."""

import pytest

from fakecluster.codec.yaml import writer
from fakecluster.codec.yaml.key_order import in_go_order

PLAIN = [
    "x",
    "1.2.3",
    "10.0.0.1",
    "1-1",
    "0x",
    ".",
    "..",
    "=",
    "<<",
    "1e400",
    "12:75",
    "a:b",
    "http://x",
    "tRue",
    "2020-1",
]
QUOTED = [
    "",
    "1",
    "-1",
    "1.",
    ".5",
    "1e3",
    "1E5",
    "010",
    "08",
    "0o7",
    "0x1F",
    "0b11",
    "1_000",
    "1:30",
    "190:20:30.15",
    "2020-1-1",
    "2020-01-01T00:00:00Z",
    "2001-12-14 21:59:43",
    "~",
    "null",
    "y",
    "N",
    "True",
    ".inf",
    "-.INF",
    ".NaN",
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_reads_as_text_has_no_quotes(text):
    assert writer.dump({"a": text}) == f"a: {text}\n".encode()


@pytest.mark.parametrize("text", QUOTED)
def test_what_reads_as_something_else_has_double_quotes(text):
    assert writer.dump({"a": text}) == f'a: "{text}"\n'.encode()


@pytest.mark.parametrize("text", ["*", "-", "&a", "!b", "@c", "%d", "- e", "a: b", "#x", "?"])
def test_signs_of_yaml_have_single_quotes(text):
    assert writer.dump({"a": text}) == f"a: '{text}'\n".encode()


def test_nothing_follows_a_text_that_ends_in_lines():
    assert writer.dump({"a": "b\n\n"}) == b"a: |+\n  b\n\n"


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(["A", "a", "ab", "abc", "b"], id="letters"),
        pytest.param(["k1", "k01", "k001", "k2", "k10"], id="numbers"),
        pytest.param(["1", "01", "2", "9a", "10"], id="numbers first"),
        pytest.param(
            ["-a", ".a", "_a", "A", "a", "a--", "a-b", "a.b", "a_b", "a1", "aB"], id="signs before letters"
        ),
        pytest.param(["z.1.2", "z.1.10", "z.01"], id="zeros of a part"),
        pytest.param(["a9", "a100", "a101"], id="zeros within a number"),
        pytest.param(["1" * 100_000 + "-0", "1" * 100_000 + "-1"], id="very long keys"),
        pytest.param(["a" + "2" * 5_000, "a" + "1" * 5_000], id="more digits than 64 bits hold"),
    ],
)
def test_keys_are_in_the_order_of_go(keys):
    assert in_go_order(sorted(keys, reverse=True)) == keys

"""How much is read of a foreign file."""

import pytest

from kueue_conformance.base.files import input_limits

BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("[" * 101 + "]" * 101, "nested deeper than 100", id="deep"),
        pytest.param("[" * 900_000, "nested deeper than 100", id="very deep, without an end"),
        pytest.param(BOMB, "more than 3000000 values", id="aliases of aliases"),
        pytest.param("a: &a [*a]", r"\*a stands in what it names", id="itself"),
        pytest.param("seed: " + "9" * 5000, "a number is longer than 4000 digits", id="number"),
        pytest.param("seed: 1" + ":59" * 2000, "a number is longer than 4000 digits", id="number of base 60"),
    ],
)
def test_yaml_beyond_the_bounds_is_refused(text, why):
    with pytest.raises(ValueError, match=why):
        input_limits.check_yaml(text)


def test_a_long_yaml_text_is_not_looked_at(monkeypatch):
    monkeypatch.setattr(input_limits, "LONGEST_YAML", 10)

    with pytest.raises(ValueError, match="longer than"):
        input_limits.check_yaml("a: 45678901")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 100 + "]" * 100, id="deep"),
        pytest.param("a: &a [1, 2]\nb: [*a, *a]", id="aliases, as our own reports have them"),
        pytest.param(f"text: '{'9' * 5000}'", id="digits in a text"),
    ],
)
def test_other_yaml_is_read(text):
    input_limits.check_yaml(text)


@pytest.mark.parametrize(
    "text", [b"[" * 101 + b"]" * 101, b"[" * 100_000, b"\xff"], ids=["deep", "very deep", "no text"]
)
def test_json_beyond_the_bounds_is_refused(text):
    with pytest.raises(ValueError):
        input_limits.json_of(text)


def test_no_more_than_so_many_bytes_are_read(tmp_path):
    file = tmp_path / "f"
    file.write_bytes(b"x" * 11)

    with pytest.raises(ValueError, match="longer than"):
        input_limits.content(file, 10)


def test_keys_are_texts():
    with pytest.raises(ValueError, match="the key 1 is no text"):
        input_limits.check_depth({"a": [{1: 2}]})


def test_what_is_shown_is_one_short_line_without_control_characters():
    assert (
        input_limits.shorten("a\x1b[2J\nb" + "c" * 500)
        == "a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}b" + "c" * 193 + "…"
    )

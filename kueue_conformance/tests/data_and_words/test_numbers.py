"""Numbers and moments that others have written never end the harness with words of Python."""

import pytest

from kueue_conformance.base.numbers import YEAR_ONE, moment, real, whole

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("7", 7, id="number"),
        pytest.param("", None, id="nothing"),
        pytest.param("-1", None, id="minus"),
        pytest.param(DIGITS, None, id="digits"),
        pytest.param("²", None, id="superscript"),
        pytest.param("٣", None, id="digit of another script"),
        pytest.param("1_0", None, id="underline"),
    ],
)
def test_a_whole_number(text, expected):
    assert whole(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.5", 0.5), ("nan", None), ("inf", None), ("1e999", None), (DIGITS, None), ("x", None)],
    ids=["number", "nan", "infinite", "exponent", "digits", "word"],
)
def test_a_real_number(text, expected):
    assert real(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1970-01-01T00:00:05Z", 5.0), ("0000-01-01T00:00:00Z", YEAR_ONE), ("10000-01-01T00:00:00Z", YEAR_ONE)],
    ids=["time", "year 0", "year 10000"],
)
def test_a_moment(text, expected):
    assert moment(text) == expected

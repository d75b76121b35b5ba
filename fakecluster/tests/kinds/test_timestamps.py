"""Times are read with Go's strictness (FK-493)."""

import pytest

from fakecluster.base.numbers.timestamps import TimeError, to_micros, to_seconds


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z"),
        ("2020-01-02T03:04:05.999Z", "2020-01-02T03:04:05Z"),
        ("2020-01-02T03:04:05+02:00", "2020-01-02T01:04:05Z"),
    ],
    ids=["plain", "fraction", "offset"],
)
def test_seconds(text, written):
    assert to_seconds(text) == written


def test_microseconds_keep_six_digits_fk_493():
    assert to_micros("2020-01-02T03:04:05.000100+01:00") == "2020-01-02T02:04:05.000100Z"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("abc", 'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"'),
        ("2020-13-02T03:04:05Z", 'parsing time "2020-13-02T03:04:05Z": month out of range'),
        ("2020-01-02T03:04:05Zx", 'parsing time "2020-01-02T03:04:05Zx": extra text: "x"'),
        (
            "2020-01-02 03:04:05Z",
            'parsing time "2020-01-02 03:04:05Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 03:04:05Z" as "T"',
        ),
    ],
    ids=["a word", "thirteenth month", "extra text", "space for T"],
)
def test_what_is_no_time_fk_041(raw, text):
    with pytest.raises(TimeError) as error:
        to_seconds(raw)

    assert str(error.value) == text


@pytest.mark.parametrize(
    ("text", "refused"),
    [("", r'as "\.000000"'), (".123", r'as "\.000000"'), (".123456789", r'"789Z" as "Z07:00"')],
    ids=["none", "three", "nine"],
)
def test_microseconds_demand_six_digits_fk_493(text, refused):
    with pytest.raises(TimeError, match=refused):
        to_micros(f"2020-01-02T03:04:05{text}Z")


def test_the_zero_time_is_none_fk_493():
    assert to_micros("0001-01-01T00:00:00.000000Z") is None


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"),
        ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"),
        ("9999-12-31T23:00:00-02:00", "10000-01-01T01:00:00Z"),
    ],
    ids=["before the first year", "the first year", "after the last year"],
)
def test_years_have_neither_beginning_nor_end_fk_493(text, written):
    assert to_seconds(text) == written

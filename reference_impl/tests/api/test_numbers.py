"""Numbers in text are read by Go's rules, within bounds, in a moment (FK-497, stack D13)."""

import pytest

from reference_impl.api import instants, numbers, quantity
from reference_impl.kueue.jobs.job import MAX_EXECUTION_LABEL, MIN_PARALLELISM_ANNOTATION, Job

DIGITS = "9" * 5000
MOST = str(2**63 - 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("+5", 5, id="plus"),
        pytest.param("-5", -5, id="minus"),
        pytest.param("0" * 5000 + "7", 7, id="zeros"),
        pytest.param(MOST, 2**63 - 1, id="most"),
        pytest.param("9223372036854775808", "value out of range", id="above"),
        pytest.param(DIGITS, "value out of range", id="digits"),
        pytest.param("1_0", "invalid syntax", id="underline"),
        pytest.param("²", "invalid syntax", id="superscript"),
        pytest.param("٣", "invalid syntax", id="digit of another script"),
    ],
)
def test_a_number_of_64_bits(text, expected):
    try:
        number = numbers.parse(text)
    except numbers.NumberError as error:
        number = str(error).rpartition(": ")[2]

    assert number == expected


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("1e1000000", MOST, id="exponent"),
        pytest.param("1e2147483647", MOST, id="largest exponent"),
        pytest.param("-1e1000000", f"-{MOST}", id="minus"),
        pytest.param("1e-1000000", "1e-9", id="negative exponent"),
        pytest.param("1e4294967296", "1", id="exponent beyond 32 bits"),
        pytest.param("0e1000000", "0", id="nothing"),
        pytest.param(DIGITS, MOST, id="digits"),
        pytest.param(f"{DIGITS}Ki", MOST, id="digits with a suffix of two"),
        pytest.param(f"{DIGITS}e-4990", "10e9", id="digits with a negative exponent"),
        pytest.param("0." + "3" * 5000, "333333334n", id="fraction"),
        pytest.param("0" * 5000 + "7", "7", id="zeros"),
        pytest.param("0." + "0" * 5000 + "1", "1n", id="zeros of a fraction"),
    ],
)
def test_any_number_of_digits_and_exponents_is_read_at_once(text, written):
    assert str(quantity.parse(text)) == written


def test_long_texts_are_not_remembered():
    before = quantity._remembered.cache_info().currsize

    quantity.parse(DIGITS)

    assert quantity._remembered.cache_info().currsize == before


@pytest.mark.parametrize(
    ("text", "least", "seconds"),
    [
        pytest.param("3", 3, 3, id="number"),
        pytest.param("-3", -3, None, id="minus"),
        pytest.param(DIGITS, None, None, id="digits"),
        pytest.param("²", None, None, id="superscript"),
        pytest.param("٣", None, None, id="digit of another script"),
        pytest.param("4294967299", 3, 3, id="beyond 32 bits"),
    ],
)
def test_numbers_of_a_job_are_gos(text, least, seconds):
    job = Job(
        {
            "metadata": {
                "labels": {MAX_EXECUTION_LABEL: text},
                "annotations": {MIN_PARALLELISM_ANNOTATION: text},
            }
        }
    )

    assert (job.min_count, job.max_execution_seconds) == (least, seconds)


@pytest.mark.parametrize(
    "text",
    ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "10000-01-01T00:00:00Z"],
    ids=["year 0", "before", "after"],
)
def test_a_moment_outside_of_the_calendar_is_the_zero_time(text):
    assert instants.parse(text) <= instants.ZERO

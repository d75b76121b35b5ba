"""Quantities: parsing and canonical form (FK-497)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.api.quantity import LARGEST, NANO, QuantityError, of_milli, of_units, parse, quantity


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param(text, canonical, id=text)
        for text, canonical in (
            ("0", "0"),
            ("0Gi", "0"),
            ("+2", "2"),
            ("1000m", "1"),
            ("1500m", "1500m"),
            ("1.5", "1500m"),
            (".5", "500m"),
            ("5.", "5"),
            ("-1.5", "-1500m"),
            ("1000", "1k"),
            ("1025", "1025"),
            ("1234567", "1234567"),
            ("1000000k", "1G"),
            ("1024Mi", "1Gi"),
            ("1500Mi", "1500Mi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Ki", "512"),
            ("1.25Ki", "1280"),
            ("1023Ki", "1023Ki"),
            ("1e3", "1e3"),
            ("12E6", "12e6"),
            ("1E", "1E"),
            ("0.1n", "1n"),
            ("1e30", "9223372036854775807"),
            ("1e-999999999", "1e-9"),
        )
    ],
)
def test_canonical_form(text, canonical):
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "milli", "units"),
    [
        pytest.param("250m", 250, 1, id="250m"),
        pytest.param("1.5", 1500, 2, id="1.5"),
        pytest.param("1u", 1, 1, id="1u"),
        pytest.param("-1500m", -1500, -1, id="-1500m"),
        pytest.param("1Ki", 1024000, 1024, id="1Ki"),
    ],
)
def test_coarser_units_round_up(text, milli, units):
    assert (parse(text).milli, parse(text).units) == (milli, units)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("", "quantities must match the regular expression", id="empty"),
        pytest.param("lots", "quantities must match the regular expression", id="word"),
        pytest.param("1 Gi", "quantities must match the regular expression", id="space"),
        pytest.param("1\n", "quantities must match the regular expression", id="newline"),
        pytest.param("--1", "quantities must match the regular expression", id="two signs"),
        pytest.param("1kk", "unable to parse quantity's suffix", id="suffix"),
        pytest.param("1ee3", "unable to parse quantity's suffix", id="exponent"),
        pytest.param(".", "unable to parse quantity's suffix", id="no digits"),
        pytest.param("٣", "quantities must match the regular expression", id="other digits"),
    ],
)
def test_what_is_no_quantity(text, complaint):
    with pytest.raises(QuantityError, match=complaint):
        parse(text)


@pytest.mark.parametrize(("value", "text"), [(2, "2"), (1.5, "1500m"), ("1Gi", "1Gi")], ids=str)
def test_json_numbers_are_quantities_too(value, text):
    assert str(quantity(value)) == text


@given(st.integers(-LARGEST, LARGEST), st.sampled_from(["decimal", "binary", "exponent"]))
def test_what_is_written_reads_as_the_same_amount(nano, family):
    from reference_impl.api.quantity import Quantity

    assert parse(str(Quantity(nano, family))).nano == nano


@given(st.integers(-(10**6), 10**6))
def test_amounts_are_written_in_their_unit(amount):
    assert parse(of_milli(amount)).nano == amount * NANO // 1000
    assert parse(of_units(amount)).nano == amount * NANO


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param("1e" + "9" * 5000, LARGEST, id="exponent"),
        pytest.param("1e+" + "9" * 5000, LARGEST, id="signed exponent"),
        pytest.param("1e-" + "9" * 5000, 1, id="negative exponent"),
        pytest.param("9" * 5000, LARGEST, id="whole"),
        pytest.param("0" * 5000 + "1", NANO, id="zeros"),
        pytest.param("1." + "0" * 5000 + "1", NANO + 1, id="fraction"),
    ],
)
def test_any_number_of_digits_is_read(text, read):
    assert parse(text).nano == read

"""Quantities are written canonically (FK-497)."""

import pytest

from fakecluster.base.numbers.quantity import Quantity, QuantityError, canonical, round_to_milli


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1000m", "1"),
        ("0.1", "100m"),
        ("1024Mi", "1Gi"),
        ("1000Ki", "1000Ki"),
        ("1.5Gi", "1536Mi"),
        ("1e3", "1e3"),
        ("1000", "1k"),
        ("0", "0"),
        ("0Mi", "0"),
        ("100n", "100n"),
        ("0.1n", "1n"),
        ("-1500m", "-1500m"),
        ("512", "512"),
        ("1.5Ki", "1536"),
        ("2048M", "2048M"),
        ("1E", "1E"),
        ("12e6", "12e6"),
        (".5", "500m"),
        ("5.", "5."),
        ("+", "0"),
    ],
    ids=str,
)
def test_canonical_form_fk_497(text, written):
    assert canonical(text) == written


@pytest.mark.parametrize(
    ("text", "written"), [("0.0001", "1m"), ("1.0005", "1001m"), ("100u", "1m")], ids=str
)
def test_resource_lists_round_up_to_milli_fk_497(text, written):
    assert round_to_milli(text) == written


@pytest.mark.parametrize("text", ["", "abc", "1 Gi", "1,5"], ids=["empty", "word", "space", "comma"])
def test_what_is_no_quantity_fk_041(text):
    with pytest.raises(QuantityError, match="quantities must match the regular expression"):
        canonical(text)


def test_a_strange_suffix_fk_041():
    with pytest.raises(QuantityError, match="unable to parse quantity's suffix"):
        canonical("1kk")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("1e2147483647", "10e2147483646", id="exponent"),
        pytest.param("1e-2147483647", "1e-9", id="negative exponent"),
        pytest.param("0e2147483647", "0", id="exponent of zero"),
        pytest.param("1e4294967296", "1e4294967296", id="exponent beyond 32 bits is none"),
        pytest.param("9" * 1_000_000, "9" * 1_000_000, id="digits"),
        pytest.param("9" * 1_000_000 + "Ki", str(2**63 - 1), id="digits with a suffix of two"),
        pytest.param("1" + "0" * 1_000_000, "10", id="zeros"),
        pytest.param("0." + "3" * 1_000_000, "333333334n", id="fraction"),
    ],
)
def test_any_number_of_digits_and_exponents_is_read_at_once_fk_497(text, written):
    assert canonical(text) == written


def test_amounts_of_any_size_are_compared_and_added_at_once_fk_497():
    huge, unit = Quantity.of("1e2147483647"), Quantity.of("1")

    total = huge.plus(unit)

    assert (total.amount > huge.amount > unit.amount, len(str(total)) < 20_000) == (True, True)


def test_a_huge_sum_is_not_written_with_powers_of_two_fk_497():
    total = Quantity.of("1Ki").plus(Quantity.of("1e30000"))

    assert str(total)[:3] == "100"

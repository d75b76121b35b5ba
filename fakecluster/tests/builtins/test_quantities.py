"""Quantities are written canonically (FK-497)."""

import pytest

from fakecluster.api.builtins.quantity import QuantityError, canonical, rounded_to_milli


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("1000m", "1"), ("0.1", "100m"), ("1024Mi", "1Gi"), ("1000Ki", "1000Ki"), ("1.5Gi", "1536Mi"), ("1e3", "1e3"),
        ("1000", "1k"), ("0", "0"), ("0Mi", "0"), ("100n", "100n"), ("0.1n", "1n"), ("-1500m", "-1500m"), ("512", "512"),
        ("1.5Ki", "1536"), ("2048M", "2048M"), ("1E", "1E"), ("12e6", "12e6"), (".5", "500m"), ("5.", "5"),
    ],
    ids=str,
)  # fmt: skip
def test_canonical_form_fk_497(given, written):
    assert canonical(given) == written


@pytest.mark.parametrize(
    ("given", "written"), [("0.0001", "1m"), ("1.0005", "1001m"), ("100u", "1m")], ids=str
)
def test_resource_lists_round_up_to_milli_fk_497(given, written):
    assert rounded_to_milli(given) == written


@pytest.mark.parametrize(
    "text", ["", "+", "abc", "1 Gi", "1,5"], ids=["empty", "sign", "word", "space", "comma"]
)
def test_what_is_no_quantity_fk_041(text):
    with pytest.raises(QuantityError, match="quantities must match the regular expression"):
        canonical(text)


def test_a_strange_suffix_fk_041():
    with pytest.raises(QuantityError, match="unable to parse quantity's suffix"):
        canonical("1kk")

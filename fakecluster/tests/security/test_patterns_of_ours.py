"""Texts that our own patterns could try at every place are refused at once (row 9, row 15): the time grew
with the square of the length.
"""

import pytest

from fakecluster.base.numbers.quantity import Quantity, QuantityError
from fakecluster.kinds.core.pod.validation import environment
from fakecluster.kinds.validation import pem
from fakecluster.schema import formats

MANY = 200_000


@pytest.mark.parametrize("text", ["3" * MANY + "e3Ki", "1." + "3" * MANY + "x", "1" + "e" * MANY + "x"])
def test_a_long_text_is_no_quantity(text):
    with pytest.raises(QuantityError):
        Quantity.of(text)


@pytest.mark.parametrize("text", ["1" * MANY, "1 " * MANY])
def test_a_long_text_is_no_duration(text):
    assert not formats.is_duration(text)


def test_a_path_with_many_brackets_is_refused():
    (error,) = environment.field_path("['" * MANY, "spec", ())
    assert "field label not supported" in str(error)


def test_many_beginnings_of_certificates_without_an_end_hold_nothing():
    begun = b"-----BEGIN A-----\n" * MANY
    assert list(pem.blocks(begun)) == []
    assert list(pem.blocks(begun + b"-----END B-----\n")) == []


def test_a_block_ends_at_the_next_end_of_its_label():
    text = b"-----BEGIN A-----\nk: v\nAAAA\n-----END A-----\n-----BEGIN B-----\nBBBB\n-----END A-----\n-----END B-----\n"
    (first,) = pem.blocks(text)
    assert (first.type, first.headers, first.content) == ("A", True, b"\0\0\0")

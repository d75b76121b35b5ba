"""Requirements on labels that compare numbers: what is no number of 64 bits satisfies none (Q-159)."""

import pytest

from reference_impl.quota.selectors import satisfies

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("operator", "value", "bound", "satisfied"),
    [
        pytest.param("Gt", "10", "9", True, id="greater"),
        pytest.param("Gt", "9", "9", False, id="equal"),
        pytest.param("Lt", "-1", "0", True, id="less"),
        pytest.param("Gt", "many", "9", False, id="no number"),
        pytest.param("Gt", None, "9", False, id="no label"),
        pytest.param("Lt", "9", "many", False, id="no bound"),
        pytest.param("Gt", DIGITS, "9", False, id="very many digits"),
        pytest.param("Lt", "9", DIGITS, False, id="bound of very many digits"),
        pytest.param("Gt", "1_0", "9", False, id="underline"),
    ],
)
def test_labels_are_compared_as_numbers_of_64_bits(operator, value, bound, satisfied):
    labels = {} if value is None else {"cores": value}

    assert satisfies({"key": "cores", "operator": operator, "values": [bound]}, labels) is satisfied

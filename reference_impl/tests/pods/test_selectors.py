"""Requirements on labels: which labels satisfy them (Q-065, Q-159), and which are not valid (Q-160)."""

import pytest

from reference_impl.pods.selectors import matches, satisfies

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("operator", "value", "bound", "satisfied"),
    [
        pytest.param("Gt", "10", "9", True, id="greater"),
        pytest.param("Gt", "9", "9", False, id="equal"),
        pytest.param("Lt", "-1", "0", True, id="less"),
        pytest.param("Lt", "0", "0", False, id="not less"),
        pytest.param("Lt", "1", "0", False, id="greater, asked for less"),
        pytest.param("Gt", "many", "9", False, id="no number"),
        pytest.param("Gt", None, "9", False, id="no label"),
        pytest.param("Gt", DIGITS, "9", False, id="very many digits"),
        pytest.param("Gt", "1_0", "9", False, id="underline"),
    ],
)
def test_labels_are_compared_as_numbers_of_64_bits(operator, value, bound, satisfied):
    labels = {} if value is None else {"cores": value}

    assert satisfies({"key": "cores", "operator": operator, "values": [bound]}, labels) is satisfied


@pytest.mark.parametrize(
    ("values", "label"),
    [
        pytest.param(
            [],
            "values: Invalid value: []: for 'Gt', 'Lt' operators, exactly one value is required",
            id="none",
        ),
        pytest.param(
            ["1", "2"],
            "values: Invalid value: [\"1\", \"2\"]: for 'Gt', 'Lt' operators, exactly one value is required",
            id="two",
        ),
        pytest.param(
            ["many"],
            "values[0]: Invalid value: \"many\": for 'Gt', 'Lt' operators, the value must be an integer",
            id="no number",
        ),
        pytest.param(
            [DIGITS],
            f"values[0]: Invalid value: \"{DIGITS}\": for 'Gt', 'Lt' operators, the value must be an integer",
            id="more than 64 bits",
        ),
    ],
)
@pytest.mark.parametrize("operator", ["Gt", "Lt"])
def test_a_comparison_needs_one_number_q_160(operator, values, label):
    with pytest.raises(ValueError) as caught:
        satisfies({"key": "cores", "operator": operator, "values": values}, {"cores": "5"})

    assert str(caught.value) == label


@pytest.mark.parametrize(
    ("operator", "values", "of_x", "of_y", "of_none"),
    [
        pytest.param("In", ["x", "z"], True, False, False, id="in"),
        pytest.param("NotIn", ["x", "z"], False, True, True, id="not in"),
        pytest.param("Exists", None, True, True, False, id="exists"),
        pytest.param("DoesNotExist", None, False, False, True, id="does not exist"),
    ],
)
def test_labels_are_asked_for_by_value_or_by_key(operator, values, of_x, of_y, of_none):
    expression = {"key": "kind", "operator": operator, "values": values}

    assert [satisfies(expression, labels) for labels in ({"kind": "x"}, {"kind": "y"}, {})] == [
        of_x,
        of_y,
        of_none,
    ]


@pytest.mark.parametrize(
    ("selector", "selects"),
    [
        pytest.param(None, False, id="none"),
        pytest.param({}, True, id="empty"),
        pytest.param({"matchLabels": {"kind": "x"}}, True, id="labels"),
        pytest.param({"matchLabels": {"kind": "x", "zone": "a"}}, False, id="one label differs"),
        pytest.param({"matchExpressions": [{"key": "zone", "operator": "Exists"}]}, True, id="expression"),
        pytest.param(
            {"matchLabels": {"kind": "x"}, "matchExpressions": [{"key": "gpu", "operator": "Exists"}]},
            False,
            id="labels without the expression",
        ),
    ],
)
def test_a_selector_wants_all_that_it_names_q_065(selector, selects):
    assert matches(selector, {"kind": "x", "zone": "b"}) is selects

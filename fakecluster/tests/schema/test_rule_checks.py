"""Rules are compiled and their cost estimated before they are accepted (FK-273, FK-276)."""

import pytest

from fakecluster.schema.cel.model.shapes import REQUEST, shape_of
from fakecluster.schema.cel.typing.checking import check

STRING = shape_of({"type": "string"})
INT = shape_of({"type": "integer"})
INTEGERS = {"type": "array", "maxItems": 10, "items": {"type": "integer"}}
OBJECT = shape_of({"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}})


@pytest.mark.parametrize(
    ("rule", "shape", "error"),
    [
        pytest.param(
            "foo > 0",
            STRING,
            "ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo > 0\n | ^",
            id="undeclared",
        ),
        pytest.param(
            'self.b == "x"',
            OBJECT,
            "ERROR: <input>:1:5: undefined field 'b'\n | self.b == \"x\"\n | ....^",
            id="undefined field",
        ),
        pytest.param(
            'self > "a"',
            INT,
            "ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(int, string)'\n | self > \"a\"\n | .....^",
            id="overload",
        ),
        pytest.param(
            "self.n == self.a",
            OBJECT,
            "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(int, string)'\n | self.n == self.a\n | .......^",
            id="overload of fields",
        ),
        pytest.param(
            "Foo {a: 1} == self",
            OBJECT,
            "ERROR: <input>:1:5: undeclared reference to 'Foo' (in container '')\n | Foo {a: 1} == self\n | ....^",
            id="message literal",
        ),
        pytest.param(
            "has(self)",
            STRING,
            "ERROR: <input>:1:5: invalid argument to has() macro\n | has(self)\n | ....^",
            id="has",
        ),
    ],
)
def test_a_rule_that_does_not_compile_says_where(rule, shape, error):
    assert check(rule, shape).error == error


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        pytest.param("self.all(c, true)", "bool", id="macro"),
        pytest.param("self.size()", "int", id="size"),
        pytest.param("self[0]", "string", id="item"),
    ],
)
def test_the_type_of_a_rule_is_known(rule, kind):
    assert check(rule, shape_of({"type": "array", "items": {"type": "string"}})).kind == kind


@pytest.mark.parametrize(
    ("rule", "schema", "cost"),
    [
        pytest.param("true", {"type": "string"}, 0, id="literal"),
        pytest.param("self.size() > 0", {"type": "string"}, 3, id="size"),
        pytest.param(
            "self == 'ab'", {"type": "string", "maxLength": 100}, 2, id="the shorter text is walked"
        ),
        pytest.param("self.contains('abcdefghij')", {"type": "string", "maxLength": 100}, 41, id="product"),
        pytest.param("self.matches('abcd')", {"type": "string", "maxLength": 99}, 41, id="expression"),
        pytest.param(
            "!format.dns1123Label().validate(self).hasValue()",
            {"type": "string"},
            10_066_340,
            id="unlimited text",
        ),
        pytest.param(
            "self.all(x, x > 1)",
            {"type": "array", "maxItems": 10, "items": {"type": "integer"}},
            52,
            id="loop",
        ),
        pytest.param("lists.range(1000000000).size() > 0", {"type": "integer"}, 1_000_000_013, id="new list"),
        pytest.param(
            "lists.range(self).size() > 0", {"type": "integer"}, 2**64 - 1, id="new list of any length"
        ),
        pytest.param("self.sort().size() > 0", INTEGERS, 214, id="sort"),
        pytest.param("self.distinct().size() > 0", INTEGERS, 214, id="distinct"),
        pytest.param("self.reverse().size() > 0", INTEGERS, 24, id="reverse"),
    ],
)
def test_the_cost_of_a_rule(rule, schema, cost):
    assert check(rule, shape_of(schema)).cost == cost


def test_without_a_limit_a_value_is_as_big_as_a_request():
    assert STRING.most == REQUEST - 2
    assert shape_of({"type": "array", "items": {"type": "string"}}).most == (REQUEST - 2) // 3

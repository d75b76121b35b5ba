"""Texts that expressions make long, and long texts that they walk through:
counted as the real server does (FK-274).
"""

import pytest

from fakecluster.admission.webhooks import match_conditions
from fakecluster.base import work_budget
from fakecluster.schema.cel.library import regexes
from fakecluster.schema.cel.limits import budget
from fakecluster.schema.cel.limits.turns import Turns
from fakecluster.schema.cel.requests import environment, program
from fakecluster.schema.compiled import compile_schema

VALUES = dict.fromkeys(
    ("oldObject", "request", "namespaceObject", "authorizer", "authorizer.requestResource")
)


def double(times, text="object.a"):
    return f"[{text}]" + ".map(s, s + s)" * times + "[0].size() > 0"


def evaluate(*expressions, **members):
    return match_conditions.hold(expressions, {**VALUES, "object": members}, lambda *_: None)


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("object.a + object.b == 'c'", 2),
        (double(10), 1024),
        ("object.l.all(x, x + x + x != object.a)", 4),
        ("object.a.size() > 0", 1),
    ],
)
def test_texts_grow_by_addition(expression, times):
    assert program(expression).growth.times == times


def test_literals_grow_as_well():
    assert program(double(5, "'0123456789'")).growth.literals >= 320


def test_a_doubled_text_is_not_made():
    with pytest.raises(match_conditions.ConditionsFailed, match=budget.COST_EXCEEDED):
        evaluate(double(24), a="x" * 100)


def test_a_text_that_is_doubled_a_few_times_is_made():
    assert evaluate(double(8), a="x" * 100)


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("object.a.replace('x', object.b).size() > 0", id="replace"),
        pytest.param("object.a.matches('" + "(a|b)*" * 100 + "')", id="matches"),
    ],
)
def test_what_walks_through_long_texts_costs_as_on_the_real_server(expression):
    with pytest.raises(match_conditions.ConditionsFailed, match=budget.COST_EXCEEDED):
        evaluate(expression, a="x" * 100_000, b="y" * 1_000, l=["x"] * 10)


def test_the_conditions_of_a_request_are_limited_in_all():
    loops = [f"object.l.all(x, x != '{number}')" for number in range(60)]

    with work_budget.fresh_budget(), pytest.raises(work_budget.TooMuchWork):
        evaluate(*loops, l=["x"])


@pytest.mark.parametrize("function", [regexes.find, regexes.find_all])
def test_a_search_of_a_long_text_is_limited_by_its_pattern(function):
    with pytest.raises(work_budget.TooMuchWork, match="the text is too long for its pattern"):
        function("a" * 200_000, "(a|b){0,900}c")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        pytest.param("object.l.all(x, x != 'a')", Turns(depth=1), id="all"),
        pytest.param("object.l.map(x, x).size() > 0", Turns(depth=1, making=1), id="map"),
        pytest.param("object.l.filter(x, x != 'a').size() > 0", Turns(depth=1, making=1), id="filter"),
        pytest.param("object.l.map(x, object.l.map(y, y)).size() > 0", Turns(depth=2, making=2), id="nested"),
        pytest.param("object.l.map(x, x).map(y, y).size() > 0", Turns(depth=1, making=2), id="chained"),
        pytest.param("object.l.all(x, x.size() > 0)", Turns(depth=1), id="of the item"),
        pytest.param(
            "object.l.all(x, object.a.size() > 0)", Turns(depth=1, walking=1), id="of a text outside"
        ),
        pytest.param("object.l.all(x, x == object.a)", Turns(depth=1), id="operator"),
    ],
)
def test_comprehensions_are_known(expression, expected):
    assert program(expression).turns == expected


@pytest.mark.parametrize(
    ("expression", "members"),
    [
        pytest.param("object.l.map(x, 1).size() > 0", {"l": ["x"] * 4_000}, id="map"),
        pytest.param(
            "object.l.all(x, object.a.size() > 0)", {"l": ["x"] * 2_000, "a": "x" * 100_000}, id="text"
        ),
    ],
)
def test_turns_that_copy_lists_or_walk_through_texts_are_limited(expression, members):
    with (
        work_budget.fresh_budget(),
        pytest.raises(work_budget.TooMuchWork, match="cost of expressions"),
    ):
        evaluate(expression, **members)


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("object.a.split(',').map(p, p).size() > 0", id="split"),
        pytest.param("object.a.findAll('x').map(p, p).size() > 0", id="findAll"),
        pytest.param("object.l.map(p, object.a).join('').size() > 0", id="join"),
    ],
)
def test_lists_and_texts_that_functions_make_cost(expression):
    with pytest.raises(match_conditions.ConditionsFailed, match=budget.COST_EXCEEDED):
        evaluate(expression, a="x," * 20_000, l=["x"] * 300)


def test_a_rule_of_a_schema_that_makes_a_long_list_is_limited():
    texts = {"type": "array", "maxItems": 5_000, "items": {"type": "string", "maxLength": 5}}
    rules = [{"rule": "self.map(x, x).size() >= 0"}]
    schema = compile_schema(
        {"type": "object", "properties": {"l": {**texts, "x-kubernetes-validations": rules}}}
    )

    with work_budget.fresh_budget(), pytest.raises(work_budget.TooMuchWork):
        schema.validate({"l": ["x"] * 4_000}, None)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("'a,b,c'.split(',')", ["a", "b", "c"]),
        ("'a,b,c'.split(',', 2)", ["a", "b,c"]),
        ("'a,b'.split(',', 0)", []),
        ("'a,b'.split(',', 1)", ["a,b"]),
        ("''.split(',')", [""]),
        ("'abc'.split('')", ["a", "b", "c"]),
        ("'abc'.split('', 2)", ["a", "bc"]),
        ("'abc'.split('', 3)", ["a", "b", "c"]),
        ("''.split('')", []),
        ("''.split('', 1)", []),
        ("object.l.join('-')", "x-y"),
        ("object.l.join()", "xy"),
        ("[].join('-')", ""),
    ],
)
def test_texts_are_split_and_joined_as_in_go(expression, value):
    values = {**VALUES, "object": {"l": ["x", "y"]}}

    assert program(expression).eval(environment().Activation(values)) == value

"""Texts that expressions make long, and long texts that they walk through: counted as the real server does (FK-274)."""

import pytest

from fakecluster.admission import conditions
from fakecluster.schema import request_budget
from fakecluster.schema.cel import budget, regexes
from fakecluster.schema.cel.requests import program

VALUES = dict.fromkeys(("oldObject", "request", "namespaceObject", "authorizer", "authorizer.requestResource"))  # fmt: skip


def doubled(times, text="object.a"):
    return f"[{text}]" + ".map(s, s + s)" * times + "[0].size() > 0"


def held(*expressions, **members):
    return conditions.hold(expressions, {**VALUES, "object": members}, lambda *_: None)


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("object.a + object.b == 'c'", 2),
        (doubled(10), 1024),
        ("object.l.all(x, x + x + x != object.a)", 4),
        ("object.a.size() > 0", 1),
    ],
)
def test_texts_grow_by_addition(expression, times):
    assert program(expression).growth.times == times


def test_literals_grow_as_well():
    assert program(doubled(5, "'0123456789'")).growth.literals >= 320


def test_a_doubled_text_is_not_made():
    with pytest.raises(conditions.ConditionsFailed, match=budget.EXCEEDED):
        held(doubled(24), a="x" * 100)


def test_a_text_that_is_doubled_a_few_times_is_made():
    assert held(doubled(8), a="x" * 100)


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("object.a.replace('x', object.b).size() > 0", id="replace"),
        pytest.param("object.a.matches('" + "(a|b)*" * 100 + "')", id="matches"),
    ],
)
def test_what_walks_through_long_texts_costs_as_on_the_real_server(expression):
    with pytest.raises(conditions.ConditionsFailed, match=budget.EXCEEDED):
        held(expression, a="x" * 100_000, b="y" * 1_000, l=["x"] * 10)


def test_the_conditions_of_a_request_are_limited_in_all():
    loops = [f"object.l.all(x, x != '{number}')" for number in range(60)]

    with request_budget.of_a_request(), pytest.raises(request_budget.TooMuchWork):
        held(*loops, l=["x"])


@pytest.mark.parametrize("function", [regexes.find, regexes.find_all])
def test_a_search_of_a_long_text_is_limited_by_its_pattern(function):
    with pytest.raises(request_budget.TooMuchWork, match="the text is too long for its pattern"):
        function("a" * 200_000, "(a|b){0,900}c")

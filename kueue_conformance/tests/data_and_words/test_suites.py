"""A lint over the suites: every clause is asserted, and in every scenario something has to happen (N-04)."""

import pytest

from .suites import OF_A_CONTROLLER, _name, scenarios

EVERY = scenarios()
ONLY_ANSWERS = {
    "ADM-160": "refusals of a schema: a good AdmissionCheck is taken in ADM-161",
    "ADM-161": "parameters that are taken, and a name that is not",
    "ADM-164": "what discovery says",
    "ADM-171": "refusals of a schema: a good reference is taken in ADM-180",
    "ADM-175": "one case is taken",
    "ADM-180": "some cases are taken",
}
"""Scenarios of which nothing but answers of the API server is asserted, and why somebody who refuses everything is caught."""
UNASSERTED = {
    "ADM-160": {"a"},
    "ADM-162": {"a"},
    "ADM-163": {"a"},
}
"""Clauses that are asserted nowhere, or without their letter: to be mended in the suites."""


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.id)
def test_every_declared_clause_is_asserted(one):
    assert one.declared - one.asserted == UNASSERTED.get(one.id, set())


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.id)
def test_every_asserted_clause_is_declared(one):
    letters = {letter for letter in one.asserted if len(letter) == 1}

    assert letters <= one.declared


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.id)
def test_a_scenario_says_what_it_asserts(one):
    assert one.declared or OF_A_CONTROLLER & {_name(call) for call in one.calls}


@pytest.mark.parametrize("one", [one for one in EVERY if one.declared], ids=lambda one: one.id)
def test_something_has_to_happen(one):
    assert one.waits != (one.id in ONLY_ANSWERS)
    assert one.waits or one.takes


def test_exceptions_are_scenarios():
    assert ONLY_ANSWERS.keys() | UNASSERTED.keys() <= {one.id for one in EVERY}

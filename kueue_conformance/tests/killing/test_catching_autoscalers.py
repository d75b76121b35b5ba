"""Wrong autoscalers are caught: each by the scenario named for it, at the level that it says (N-04)."""

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import AUTOSCALER

from .judging_planes import codes, judge
from .planes import autoscalers

pytestmark = pytest.mark.zoo
EVERYBODY = autoscalers()
JUDGED_BY_RULES = [one for one in EVERYBODY if one.safety]


@pytest.mark.parametrize("one", EVERYBODY, ids=[one.name for one in EVERYBODY])
def test_wrong_autoscaler_is_caught_by_the_scenario_named_for_it(one):
    assert judge(one, [one.named], wanted=one.wants) == ([one.named], [one.named])


@pytest.mark.parametrize("dialect", sorted({one.dialect for one in EVERYBODY}))
def test_the_reference_passes_what_catches_the_wrong_ones(dialect):
    """The large ones are left to `make sizes`."""
    named = sorted(
        {one.named for one in EVERYBODY if one.dialect == dialect and not inventory()[one.named].large}
    )
    assert judge(None, named, dialect=dialect) == ([], named)


@pytest.mark.parametrize("one", JUDGED_BY_RULES, ids=[one.name for one in JUDGED_BY_RULES])
def test_nothing_but_the_safety_rule_sees_what_is_wrong(one):
    assert codes(one, wanted=one.wants) == {one.safety}


def test_a_safety_rule_is_as_binding_as_the_autoscaler_says():
    levels = {one.id: one.level for one in AUTOSCALER}

    assert {one.name: levels[one.safety] for one in JUDGED_BY_RULES} == {
        one.name: one.level for one in JUDGED_BY_RULES
    }


def test_every_safety_rule_catches_something():
    assert {one.safety for one in JUDGED_BY_RULES} == {one.id for one in AUTOSCALER}


def test_a_scenario_is_as_binding_as_the_autoscaler_says():
    wrong = {
        one.name: one.level
        for one in EVERYBODY
        if not one.safety and one.level != inventory()[one.named].level
    }
    assert wrong == {}


def test_no_two_are_called_the_same():
    assert len({one.name for one in EVERYBODY}) == len(EVERYBODY)


def test_there_are_enough():
    assert len(EVERYBODY) >= 25


def test_nothing_that_does_nothing_passes():
    failed, ran = judge(
        None,
        sorted(one.named for one in EVERYBODY if one.dialect == "ca-1.36"),
        dialect="ca-1.36",
        autoscaler="none",
    )
    assert failed == ran

"""Wrong autoscalers are caught: each by the scenario named for it, at the level that it says (N-04)."""

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import AUTOSCALER

from .judging_planes import codes, judge
from .planes import autoscalers

pytestmark = pytest.mark.zoo
EVERYBODY = autoscalers()
JUDGED_BY_RULES = [mutant for mutant in EVERYBODY if mutant.safety]


@pytest.mark.parametrize("autoscaler", EVERYBODY, ids=[mutant.name for mutant in EVERYBODY])
def test_wrong_autoscaler_is_caught_by_the_scenario_named_for_it(autoscaler):
    assert judge(autoscaler, [autoscaler.named], wants_case=autoscaler.wants) == (
        [autoscaler.named],
        [autoscaler.named],
    )


@pytest.mark.parametrize("dialect", sorted({mutant.dialect for mutant in EVERYBODY}))
def test_the_reference_passes_what_catches_the_wrong_ones(dialect):
    """The large ones are left to `make sizes`."""
    named = sorted(
        {
            mutant.named
            for mutant in EVERYBODY
            if mutant.dialect == dialect and not inventory()[mutant.named].large
        }
    )
    assert judge(None, named, dialect=dialect) == ([], named)


@pytest.mark.parametrize(
    "autoscaler", JUDGED_BY_RULES, ids=[judged_by_rule.name for judged_by_rule in JUDGED_BY_RULES]
)
def test_nothing_but_the_safety_rule_sees_what_is_wrong(autoscaler):
    assert codes(autoscaler, wants_case=autoscaler.wants) == {autoscaler.safety}


def test_a_safety_rule_is_as_binding_as_the_autoscaler_says():
    levels = {mutant.id: mutant.level for mutant in AUTOSCALER}

    assert {judged_by_rule.name: levels[judged_by_rule.safety] for judged_by_rule in JUDGED_BY_RULES} == {
        judged_by_rule.name: judged_by_rule.level for judged_by_rule in JUDGED_BY_RULES
    }


def test_every_safety_rule_catches_something():
    assert {judged_by_rule.safety for judged_by_rule in JUDGED_BY_RULES} == {
        judged_by_rule.id for judged_by_rule in AUTOSCALER
    }


def test_a_scenario_is_as_binding_as_the_autoscaler_says():
    wrong = {
        mutant.name: mutant.level
        for mutant in EVERYBODY
        if not mutant.safety and mutant.level != inventory()[mutant.named].level
    }
    assert wrong == {}


def test_no_two_are_called_the_same():
    assert len({mutant.name for mutant in EVERYBODY}) == len(EVERYBODY)


def test_there_are_enough():
    assert len(EVERYBODY) >= 25


def test_nothing_that_does_nothing_passes():
    failed, ran = judge(
        None,
        sorted(mutant.named for mutant in EVERYBODY if mutant.dialect == "ca-1.36"),
        dialect="ca-1.36",
        autoscaler="none",
    )
    assert failed == ran

"""The first cause of a report is about the row that is broken, over recorded failures."""

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.results.causes import causes

from .failures import failures
from .zoo import CHECK_CONTROLLERS

RECORDED = failures()
OF_ANOTHER_ROW = {
    "DropsFieldsItDoesNotKnow": "CC-032",
    "KeepsTheFirstVerdict": "controllers#conflicts",
    "RemembersByName": "controllers#idempotent",
    "SendsItsDecisionAgain": "CC-032",
    "TiresOfAWorkload": "controllers#backs-off",
}
"""Wrong controllers that break another rule in more scenarios than the one that they are named for,
and the rule that comes first.
"""


def first_cause(name):
    return causes(RECORDED[name], inventory(), strict=False)[0]


@pytest.mark.parametrize("name", sorted(RECORDED.keys() - OF_ANOTHER_ROW))
def test_the_first_cause_is_about_the_row_that_is_broken(name):
    mutant, cause = CHECK_CONTROLLERS.one(name), first_cause(name)
    scenario = inventory()[cause.first.id]

    assert scenario.id == mutant.named or mutant.row in {cause.rule, *scenario.requirement, *scenario.shows}


@pytest.mark.parametrize(("name", "rule"), OF_ANOTHER_ROW.items(), ids=OF_ANOTHER_ROW)
def test_a_mistake_of_many_consequences_has_the_most_common_first(name, rule):
    assert first_cause(name).rule == rule


def test_three_in_four_are_about_the_row_that_is_broken():
    assert len(OF_ANOTHER_ROW) <= len(RECORDED) / 4

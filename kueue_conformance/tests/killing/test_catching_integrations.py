"""Wrong job integrations are caught: each by the scenario named for it, at the level that it says (N-04)."""

from dataclasses import replace

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import JOB_INTEGRATION

from .judging_planes import codes, judge
from .planes import INTEGRATIONS, integrations

pytestmark = pytest.mark.zoo
EVERYBODY = integrations()
SCENARIOS = sorted(name for name, record in inventory().items() if record.profile.name == "JOB-INTEGRATION")
JUDGED_BY_RULES = [mutant for mutant in EVERYBODY if mutant.safety]
ALLOWED = ("reference_impl.kueue.jobs.", "reference_impl.runtime.informer")
"""What only the integration decides by; the informer is that of both, and a wrong one looks whose it is."""


@pytest.mark.parametrize("integration", EVERYBODY, ids=[mutant.name for mutant in EVERYBODY])
def test_wrong_integration_is_caught_by_the_scenario_named_for_it(integration):
    assert judge(integration, [integration.named], wants_case=integration.wants) == (
        [integration.named],
        [integration.named],
    )


@pytest.mark.parametrize(
    "integration", JUDGED_BY_RULES, ids=[judged_by_rule.name for judged_by_rule in JUDGED_BY_RULES]
)
def test_nothing_but_the_safety_rule_sees_what_is_wrong(integration):
    assert codes(integration, wants_case=integration.wants) == {integration.safety}


def test_each_safety_rule_catches_an_integration_and_is_as_binding_as_that_says():
    levels = {rule.id: str(rule.level) for rule in JOB_INTEGRATION}

    assert {judged_by_rule.safety: judged_by_rule.level for judged_by_rule in JUDGED_BY_RULES} == levels


@pytest.mark.parametrize(
    ("name", "rule"),
    [("adds_a_label", "AC-363"), ("names_the_queue_later", "JI-005"), ("clears_labels_of_others", "JI-082")],
    ids=["AC-363", "JI-005", "JI-082"],
)
def test_recorded_stories_judge_the_integration_of_a_control_plane_by_the_same_rules(name, rule):
    mutant = next(mutant for mutant in EVERYBODY if mutant.name == name)
    kueue = replace(mutant, named="KRC-110", dialect="v0.19", case="")

    assert codes(kueue) == {rule}


def test_what_does_nothing_passes_nothing():
    idle = next(mutant for mutant in EVERYBODY if mutant.name == "does_nothing")
    must = [name for name in SCENARIOS if inventory()[name].level == "must"]

    failed, ran = judge(idle, must)

    assert failed == ran


def test_every_scenario_catches_something():
    assert sorted({mutant.named for mutant in EVERYBODY}) == SCENARIOS


def test_the_kueue_beside_it_stays_right():
    assert [
        mutant.name
        for mutant in EVERYBODY
        for override in mutant.overrides
        if not override.module.startswith(ALLOWED)
    ] == []


def test_a_scenario_is_as_binding_as_the_integration_says():
    assert {
        mutant.name: mutant.level
        for mutant in EVERYBODY
        if not mutant.safety and mutant.level != inventory()[mutant.named].level
    } == {}


def test_no_two_are_called_the_same():
    assert len({mutant.name for mutant in EVERYBODY}) == len(EVERYBODY)


def test_no_memory_is_keyed_by_the_id_of_an_object():
    """The id of an object that is gone is given to another one: a restarted integration would know what
    the former one saw, and be right by accident.
    """
    assert [
        file.name for file in sorted(INTEGRATIONS.glob("*.py")) if "id(self" in file.read_text("utf-8")
    ] == []

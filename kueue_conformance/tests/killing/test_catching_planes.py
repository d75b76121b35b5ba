"""Wrong control planes are caught: each by the scenario named for it, at the level that it says (N-04)."""

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import CONTROL_PLANE
from kueue_conformance.scenarios.dialect import default

from .judging_planes import cases_of, codes, judge
from .planes import planes

pytestmark = pytest.mark.zoo
EVERYBODY = planes()
NEWEST = default()
JUDGED_ANYHOW = ("ADMISSION", "VISIBILITY", "QUEUEING", "PROVISIONING-CHECK")
"""The profiles of which `make conformance` runs every case in the newest dialect against the reference, and
its share of the cases in the older ones.
"""
JUDGED_BY_RULES = [mutant for mutant in EVERYBODY if mutant.safety]


@pytest.mark.parametrize("plane", EVERYBODY, ids=[mutant.name for mutant in EVERYBODY])
def test_wrong_control_plane_is_caught_by_the_scenario_named_for_it(plane):
    assert judge(plane, [plane.named], wants_case=plane.wants) == ([plane.named], [plane.named])


@pytest.mark.parametrize(
    ("dialect", "profile"),
    sorted(
        {(mutant.dialect, inventory()[mutant.named].profile.name) for mutant in EVERYBODY}
        - {(NEWEST, profile) for profile in JUDGED_ANYHOW}
    ),
)
def test_the_reference_passes_what_catches_the_wrong_ones(dialect, profile):
    of_dialect = {mutant.named for mutant in EVERYBODY if mutant.dialect == dialect}
    named = sorted(name for name in of_dialect if inventory()[name].profile.name == profile)
    anyhow = {
        item.nodeid for item in cases_of(JUDGED_ANYHOW, profile=",".join(JUDGED_ANYHOW), dialect="all").items
    }

    failed, _ = judge(None, named, dialect=dialect, wants_case=lambda item: item.nodeid not in anyhow)

    assert failed == []


@pytest.mark.parametrize(
    "plane", JUDGED_BY_RULES, ids=[judged_by_rule.name for judged_by_rule in JUDGED_BY_RULES]
)
def test_nothing_but_the_safety_rule_sees_what_is_wrong(plane):
    assert codes(plane, wants_case=plane.wants) == {plane.safety}


def test_a_safety_rule_is_as_binding_as_the_plane_says():
    levels = {rule.id: rule.level for rule in CONTROL_PLANE}

    assert {judged_by_rule.name: levels[judged_by_rule.safety] for judged_by_rule in JUDGED_BY_RULES} == {
        judged_by_rule.name: judged_by_rule.level for judged_by_rule in JUDGED_BY_RULES
    }


def test_every_safety_rule_catches_somebody():
    assert {judged_by_rule.safety for judged_by_rule in JUDGED_BY_RULES} == {
        judged_by_rule.id for judged_by_rule in CONTROL_PLANE
    }


def test_a_scenario_is_as_binding_as_the_plane_says():
    wrong = {
        mutant.name: mutant.level
        for mutant in EVERYBODY
        if not mutant.safety and mutant.level != inventory()[mutant.named].level
    }
    assert wrong == {}


def test_no_two_are_called_the_same():
    assert len({mutant.name for mutant in EVERYBODY}) == len(EVERYBODY)

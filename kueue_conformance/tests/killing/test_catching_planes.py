"""Wrong control planes are caught: each by the scenario named for it, at the level that it says (N-04)."""

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import CONTROL_PLANE

from .judging_planes import cases_of, codes, judge
from .planes import planes

pytestmark = pytest.mark.zoo
EVERYBODY = planes()
NEWEST = "v0.19"
JUDGED_ANYHOW = ("ADMISSION", "VISIBILITY", "QUEUEING", "PROVISIONING-CHECK")
"""The profiles of which `make conformance` runs every case in the newest dialect against the reference, and
its share of the cases in the older ones.
"""
JUDGED_BY_RULES = [one for one in EVERYBODY if one.safety]


@pytest.mark.parametrize("plane", EVERYBODY, ids=[one.name for one in EVERYBODY])
def test_wrong_control_plane_is_caught_by_the_scenario_named_for_it(plane):
    assert judge(plane, [plane.named], wanted=plane.wants) == ([plane.named], [plane.named])


@pytest.mark.parametrize(
    ("dialect", "profile"),
    sorted(
        {(one.dialect, inventory()[one.named].profile.name) for one in EVERYBODY}
        - {(NEWEST, profile) for profile in JUDGED_ANYHOW}
    ),
)
def test_the_reference_passes_what_catches_the_wrong_ones(dialect, profile):
    of_dialect = {one.named for one in EVERYBODY if one.dialect == dialect}
    named = sorted(name for name in of_dialect if inventory()[name].profile.name == profile)
    anyhow = {
        one.nodeid for one in cases_of(JUDGED_ANYHOW, profile=",".join(JUDGED_ANYHOW), dialect="all").items
    }

    failed, _ = judge(None, named, dialect=dialect, wanted=lambda one: one.nodeid not in anyhow)

    assert failed == []


@pytest.mark.parametrize("plane", JUDGED_BY_RULES, ids=[one.name for one in JUDGED_BY_RULES])
def test_nothing_but_the_safety_rule_sees_what_is_wrong(plane):
    assert codes(plane, wanted=plane.wants) == {plane.safety}


def test_a_safety_rule_is_as_binding_as_the_plane_says():
    levels = {one.id: one.level for one in CONTROL_PLANE}

    assert {one.name: levels[one.safety] for one in JUDGED_BY_RULES} == {
        one.name: one.level for one in JUDGED_BY_RULES
    }


def test_every_safety_rule_catches_somebody():
    assert {one.safety for one in JUDGED_BY_RULES} == {one.id for one in CONTROL_PLANE}


def test_a_scenario_is_as_binding_as_the_plane_says():
    wrong = {
        one.name: one.level
        for one in EVERYBODY
        if not one.safety and one.level != inventory()[one.named].level
    }
    assert wrong == {}


def test_no_two_are_called_the_same():
    assert len({one.name for one in EVERYBODY}) == len(EVERYBODY)

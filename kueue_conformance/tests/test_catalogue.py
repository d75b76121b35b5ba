"""Requirements and scenarios know each other (N-06)."""

import pytest

from kueue_conformance.base.resources import fixtures
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.catalogue.requirement import catalogue
from kueue_conformance.scenarios.capability import PROFILES
from kueue_conformance.scenarios.outcome import Level

SCENARIOS = inventory().values()
ROWS = set((fixtures() / "rows.txt").read_text("utf-8").split())
BINDING = [
    one.id
    for one in catalogue().values()
    if one.level is Level.MUST and one.profile in ("ADMISSION", "QUEUEING")
]


@pytest.mark.parametrize("one", SCENARIOS, ids=lambda one: one.id)
def test_scenario_shows_known_requirements(one):
    assert one.requirement
    assert set(one.requirement) <= catalogue().keys()


@pytest.mark.parametrize("one", SCENARIOS, ids=lambda one: one.id)
def test_scenario_refers_to_known_rows(one):
    assert set(one.shows) <= ROWS


@pytest.mark.parametrize("requirement", BINDING)
def test_every_binding_rule_of_kueue_is_shown(requirement):
    shown = [one.id for one in SCENARIOS if requirement in one.requirement and not one.unsupported]

    assert shown


@pytest.mark.parametrize("one", catalogue().values(), ids=lambda one: one.id)
def test_requirement_names_its_profile(one):
    assert one.profile in PROFILES


def test_admission_has_enough_scenarios():
    assert len([one for one in SCENARIOS if one.profile.name == "ADMISSION"]) >= 120

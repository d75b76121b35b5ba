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
    requirement.id
    for requirement in catalogue().values()
    if requirement.level is Level.MUST and requirement.profile in ("ADMISSION", "QUEUEING")
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_scenario_shows_known_requirements(scenario):
    assert scenario.requirement
    assert set(scenario.requirement) <= catalogue().keys()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_scenario_refers_to_known_rows(scenario):
    assert set(scenario.shows) <= ROWS


@pytest.mark.parametrize("requirement", BINDING)
def test_every_binding_rule_of_kueue_is_shown(requirement):
    shown = [
        scenario.id
        for scenario in SCENARIOS
        if requirement in scenario.requirement and not scenario.unsupported
    ]

    assert shown


@pytest.mark.parametrize("requirement", catalogue().values(), ids=lambda requirement: requirement.id)
def test_requirement_names_its_profile(requirement):
    assert requirement.profile in PROFILES


def test_admission_has_enough_scenarios():
    assert len([scenario for scenario in SCENARIOS if scenario.profile.name == "ADMISSION"]) >= 120

"""Requirements and scenarios know each other (N-06)."""

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


def test_scenarios_show_known_requirements():
    unknown = {
        scenario.id: set(scenario.requirement) - catalogue().keys() or "no requirement"
        for scenario in SCENARIOS
        if not scenario.requirement or set(scenario.requirement) - catalogue().keys()
    }

    assert unknown == {}


def test_scenarios_refer_to_known_rows():
    unknown = {scenario.id: rows for scenario in SCENARIOS if (rows := set(scenario.shows) - ROWS)}

    assert unknown == {}


def test_every_binding_rule_of_kueue_is_shown():
    shown = {name for scenario in SCENARIOS if not scenario.unsupported for name in scenario.requirement}

    assert set(BINDING) - shown == set()


def test_requirements_name_their_profiles():
    profiles = {requirement.id: requirement.profile for requirement in catalogue().values()}

    assert {name: profile for name, profile in profiles.items() if profile not in PROFILES} == {}


def test_admission_has_enough_scenarios():
    assert len([scenario for scenario in SCENARIOS if scenario.profile.name == "ADMISSION"]) >= 120

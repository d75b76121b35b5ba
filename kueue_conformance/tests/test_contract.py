"""The contract's table says what scenarios and safety rules show, no more and no less (N-06)."""

import pytest

from kueue_conformance.base.resources import fixtures
from kueue_conformance.catalogue.contract import PROFILE, contract, scenarios_of_row, summary
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.catalogue.requirement import coverage
from kueue_conformance.control_planes import SCRIPTED
from kueue_conformance.rules import RULES
from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.scenarios.outcome import Level

ROWS = {row for row in (fixtures() / "rows.txt").read_text("utf-8").split() if row.startswith("CC-")}
SCENARIOS = [scenario for scenario in inventory().values() if scenario.profile.name == PROFILE]
BY_ID = {rule.id: rule for rule in RULES}
STRICTNESS = [Level.MAY, Level.SHOULD, Level.MUST]
CORE = {Capability.READY, Capability.RETRY, Capability.REJECTED}
RENEW = "python -m kueue_conformance.catalogue.contract_table brings the table up to date"


def test_every_row_of_the_contract_is_in_the_table():
    assert set(contract()) == ROWS


@pytest.mark.parametrize("row", contract().values(), ids=lambda row: row.id)
def test_a_row_names_the_scenarios_that_show_it(row):
    assert row.scenarios == scenarios_of_row(SCENARIOS, row.id), RENEW


@pytest.mark.parametrize("row", contract().values(), ids=lambda row: row.id)
def test_a_row_is_judged_where_there_is_a_rule_of_its_id(row):
    assert row.judged == (row.id in BY_ID), RENEW


@pytest.mark.parametrize("row", contract().values(), ids=lambda row: row.id)
def test_a_row_is_observed_or_it_is_said_why_not(row):
    assert row.is_observable != bool(row.unsupported), RENEW


@pytest.mark.parametrize(
    "rule", [rule_row for rule_row in RULES if rule_row.id in contract()], ids=lambda rule: rule.id
)
def test_a_rule_is_no_stricter_than_its_row(rule):
    assert STRICTNESS.index(rule.level) <= STRICTNESS.index(contract()[rule.id].level)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_scenario_is_no_stricter_than_the_rows_that_it_shows(scenario):
    levels = [contract()[row].level for row in scenario.shows if row in contract()]

    assert levels
    assert STRICTNESS.index(scenario.level) <= max(map(STRICTNESS.index, levels))


def test_core_has_enough_scenarios():
    core = [
        scenario
        for scenario in SCENARIOS
        if scenario.level is Level.MUST
        and set(scenario.capabilities) <= CORE
        and set(scenario.needs) <= {SCRIPTED}
    ]

    assert len(core) >= 40


def test_the_report_counts_what_is_observed():
    counts = coverage(inventory(), [PROFILE], {})["contract"]

    assert counts == summary()
    assert counts["rows"] == counts["observed"] + len(counts["notObserved"])


def test_a_run_of_another_profile_says_nothing_of_it():
    assert "contract" not in coverage(inventory(), ["ADMISSION"], {})

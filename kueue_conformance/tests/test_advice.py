"""`explain` says what to do about each rule, row of the contract and scenario of a check controller."""

import pytest
from click.testing import CliRunner

from kueue_conformance.catalogue.advice import advice_by_rule, advice_on
from kueue_conformance.catalogue.contract import contract
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.cli import cli
from kueue_conformance.rules import RULES

OF_CONTROLLERS = [
    scenario for scenario in inventory().values() if scenario.profile.name == "CHECK-CONTROLLER"
]


def explain(name):
    done = CliRunner().invoke(cli, ["explain", name], standalone_mode=False)
    assert done.exception is None
    return done.output


def test_every_safety_rule_has_advice_and_nothing_else_has():
    assert advice_by_rule().keys() == {rule.id for rule in RULES}


def test_advice_is_a_sentence_of_its_own():
    texts = [*advice_by_rule().values()]

    assert len({*texts}) == len(texts)
    assert [text for text in texts if not (text[0].isupper() and text.endswith("."))] == []
    wordings = {rule.id: rule.text for rule in RULES}
    assert [row for row, text in advice_by_rule().items() if wordings[row].lower() in text.lower()] == []


@pytest.mark.parametrize("name", ["F-07.6", "CC-020", "AC-285", "PR-013"])
def test_explain_says_what_to_do_about_a_rule(name):
    text = " ".join(explain(name).split())

    assert f" do {advice_by_rule()[name]}" in text


def test_explain_of_a_group_shows_each_of_its_rules():
    text = explain("F-07")

    assert [
        rule.id for rule in RULES if rule.id.startswith("F-07.") and f"{rule.id}  a check" not in text
    ] == []


def test_every_row_of_the_contract_says_what_to_do():
    assert advice_on(contract()).keys() == contract().keys()


def test_every_scenario_of_a_check_controller_says_what_to_do_or_runs():
    lacking = [
        scenario.id
        for scenario in OF_CONTROLLERS
        if any(row.startswith("CC-") for row in scenario.shows) and not advice_on(scenario.shows)
    ]

    assert lacking == []
    assert "  do        CC-064: " in explain("CHK-091")

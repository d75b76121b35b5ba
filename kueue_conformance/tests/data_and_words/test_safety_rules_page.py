"""The page of the safety rules, and `explain` (N-02)."""

import pytest
from click.testing import CliRunner

from kueue_conformance.catalogue.safety_rules import lines
from kueue_conformance.cli import cli
from kueue_conformance.rules import AUTOSCALER, CHECK_CONTROLLER, CONTROL_PLANE, JOB_INTEGRATION, RULES
from kueue_conformance.tests.checkout import ROOT


def test_the_page_lists_the_rules_that_there_are():
    page = (ROOT / "docs/safety-rules.md").read_text("utf-8")

    assert page.splitlines() == [*lines()], (
        "python -m kueue_conformance.catalogue.safety_rules > docs/safety-rules.md"
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_explain_knows_a_rule(rule):
    explanation = CliRunner().invoke(cli, ["explain", rule.id])

    assert explanation.exit_code == 0
    begin = (
        f"{rule.id}  a{'n autoscaler' if rule in AUTOSCALER else ' job' if rule in JOB_INTEGRATION else ' c'}"
    )
    assert any(line.startswith(begin) for line in explanation.output.splitlines())
    assert (
        f"{rule.text}  [{rule.level}]\n  safety rule, judged over the story of every case"
        in explanation.output
    )


def test_no_two_rules_have_an_id():
    assert (
        len({rule.id for rule in RULES})
        == len(RULES)
        == len(AUTOSCALER) + len(CHECK_CONTROLLER) + len(CONTROL_PLANE) + len(JOB_INTEGRATION)
    )

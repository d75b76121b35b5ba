"""The page of transitions of a ProvisioningRequest says what the inventory says."""

from kueue_conformance.base.resources import fixtures
from kueue_conformance.catalogue.bad_input import BAD_INPUT
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.catalogue.transitions import TRANSITIONS, lines, scenarios_by_row
from kueue_conformance.tests.checkout import ROOT


def test_the_page_is_fresh():
    page = (ROOT / "docs/autoscaler-coverage.md").read_text("utf-8")

    assert page.splitlines() == [*lines()], (
        "python -m kueue_conformance.catalogue.transitions > docs/autoscaler-coverage.md"
    )


def test_every_row_of_the_matrix_is_there():
    rows = (fixtures() / "rows.txt").read_text("utf-8").split()

    assert list(TRANSITIONS) == [row for row in rows if row.startswith("CV-")]


def test_every_row_has_a_scenario_or_says_why_not():
    assert {row for row, ids in scenarios_by_row().items() if not ids} == {
        row for row, transition in TRANSITIONS.items() if transition.unseen
    }


def test_what_is_said_of_bad_input_is_there():
    named_scenarios = {scenario_id for bad_input in BAD_INPUT for scenario_id in bad_input.scenarios.split()}
    tests = {test for bad_input in BAD_INPUT for test in bad_input.tests}

    assert named_scenarios <= {*inventory()}
    assert [
        test
        for test in tests
        for file, _, name in [test.partition(":")]
        if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ] == []

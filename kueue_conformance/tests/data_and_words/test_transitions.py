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

    assert list(TRANSITIONS) == [one for one in rows if one.startswith("CV-")]


def test_every_row_has_a_scenario_or_says_why_not():
    assert {row for row, ids in scenarios_by_row().items() if not ids} == {
        row for row, one in TRANSITIONS.items() if one.unseen
    }


def test_what_is_said_of_bad_input_is_there():
    named = {each for one in BAD_INPUT for each in one.scenarios.split()}
    tests = {each for one in BAD_INPUT for each in one.tests}

    assert named <= {*inventory()}
    assert [
        each
        for each in tests
        for file, _, name in [each.partition(":")]
        if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ] == []

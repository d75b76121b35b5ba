"""The page of transitions of a ProvisioningRequest says what the inventory says."""

from kueue_conformance.catalogue.transitions import TRANSITIONS, lines
from kueue_conformance.resources import fixtures
from kueue_conformance.tests.checkout import ROOT


def test_the_page_is_fresh():
    page = (ROOT / "docs/autoscaler-coverage.md").read_text("utf-8")

    assert page.splitlines() == [*lines()], (
        "python -m kueue_conformance.catalogue.transitions > docs/autoscaler-coverage.md"
    )


def test_every_row_of_the_matrix_is_there():
    rows = (fixtures() / "rows.txt").read_text("utf-8").split()

    assert list(TRANSITIONS) == [one for one in rows if one.startswith("CV-")]

"""The page of what changes for users between two releases of Kueue."""

from kueue_conformance.catalogue.release_changes import change_facts, document, lines, scenarios_of
from kueue_conformance.tests.checkout import ROOT


def rows():
    return [name for audience in document()["audiences"] for name in audience["rows"]]


def test_the_page_is_made_from_what_there_is():
    page = (ROOT / "docs/changes-0.20.md").read_text("utf-8")

    assert page.splitlines() == [*lines()], (
        "python -m kueue_conformance.catalogue.release_changes > docs/changes-0.20.md"
    )


def test_every_change_that_a_scenario_shows_has_an_audience_and_no_other_has():
    assert sorted(rows()) == sorted(name for name in change_facts() if scenarios_of(name))

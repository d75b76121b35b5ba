"""docs/allure.svg shows what `run --allure` writes."""

import shlex

import pytest

from ..checkout import ROOT
from .allure_results import COMMAND, PICTURE, CaseOfResults, picture, results_of_run


@pytest.mark.acceptance
@pytest.mark.timeout(300)
def test_the_picture_is_that_of_a_run(tmp_path):
    assert picture(results_of_run(tmp_path)) == PICTURE.read_text("utf-8"), (
        "run: python -m kueue_conformance.tests.drawing.allure_results"
    )


def test_the_document_shows_the_command_of_the_picture():
    assert shlex.join(COMMAND) in (ROOT / "docs/reports.md").read_text("utf-8")


def test_groups_are_shown_once():
    cases = [
        CaseOfResults(("kep-993", "CHECK-CONTROLLER", "kep-993#a"), "CHK-001 one", "x", "passed"),
        CaseOfResults(("kep-993", "CHECK-CONTROLLER", "kep-993#b"), "CHK-002 <two>", "", "failed"),
    ]

    drawn = picture(cases)

    assert [
        drawn.count(f">{text}<") for text in ("kep-993", "CHECK-CONTROLLER", "kep-993#a", "kep-993#b")
    ] == [
        1,
        1,
        1,
        1,
    ]
    assert "CHK-001 one [x]<" in drawn
    assert "CHK-002 &lt;two&gt;<" in drawn
    assert drawn.count('class="failed"') == 1

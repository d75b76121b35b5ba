"""What a run showed of the requirements: what passed in it, not what scenarios say they show (N-06)."""

import pytest

from kueue_conformance.catalogue.requirement import coverage
from kueue_conformance.report.formats import markdown
from kueue_conformance.scenarios.outcome import Outcome
from kueue_conformance.scenarios.scenario import Scenario

from .results import case, report

RULE = "kep-993#hold"
SCENARIOS = {
    name: Scenario(id=name, title="t", requirement=(RULE,), shows=()) for name in ("ADM-901", "ADM-902")
}


@pytest.mark.parametrize(
    ("outcomes", "shown", "failed", "not_run"),
    [
        pytest.param({}, 0, [], 1, id="nothing ran"),
        pytest.param({"ADM-901": Outcome.PASSED}, 1, [], 0, id="one passed"),
        pytest.param(
            {"ADM-901": Outcome.PASSED, "ADM-902": Outcome.UNSUPPORTED}, 1, [], 0, id="one is unsupported"
        ),
        pytest.param({"ADM-901": Outcome.PASSED, "ADM-902": Outcome.FAILED}, 0, [RULE], 0, id="one failed"),
        pytest.param({"ADM-901": Outcome.XFAILED}, 0, [RULE], 0, id="one failed as expected"),
        pytest.param({"ADM-901": Outcome.ERROR}, 0, [RULE], 0, id="one ended in an error"),
        pytest.param({"ADM-901": Outcome.NOTRUN}, 0, [], 1, id="one did not run"),
        pytest.param({"ADM-901": Outcome.UNSUPPORTED}, 0, [], 1, id="none can run"),
    ],
)
def test_a_requirement_is_shown_by_what_passed(outcomes, shown, failed, not_run):
    counts = coverage(SCENARIOS, ["ADMISSION"], outcomes)

    assert (counts["shown"], counts["failed"], counts["notRun"], counts["declared"]) == (
        shown,
        failed,
        not_run,
        1,
    )
    assert counts["mustShown"] == shown


def test_what_has_no_scenario_is_planned():
    assert RULE not in {
        requirement["id"] for requirement in coverage(SCENARIOS, ["ADMISSION"], {})["untested"]
    }


def test_a_run_of_one_scenario_does_not_show_the_others():
    counts = report([case("ADM-204")]).to_dict()["requirements"]

    assert 0 < counts["shown"] < counts["declared"]
    assert counts["notRun"] == counts["declared"] - counts["shown"]


def test_the_summary_says_what_failed():
    summary = markdown.render(
        report([case("ADM-204", outcome=Outcome.FAILED, code="assertion", text="ADM-204.a  x")])
    )

    assert "Requirements: 0 of " in summary
    assert "Requirements that a failed scenario stands for: kep-993#prechecked-to-suspended-retry." in summary


def test_the_summary_says_that_a_run_was_cut_off():
    assert "The run was not complete." in markdown.render(report([case("ADM-204")], complete=False))

"""The page of a run is small: stories of passed cases are in it when they were asked for."""

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.page import html
from kueue_conformance.scenarios.outcome import Outcome

from ..command_line.processes import run
from .results import TEXT, TIMELINE, case, report

PROFILES = "ADMISSION,VISIBILITY,QUEUEING,PROVISIONING-CHECK,PROVISIONING-REQUEST"
IDS = [name for name, scenario in inventory().items() if scenario.profile.name in PROFILES.split(",")]
CASES = [case(name, test=f"test_x[v0.19-{number}]", judged=True) for name in IDS for number in range(5)]
STORY = tuple({**step, "revision": number} for number, step in enumerate(TIMELINE * 40))
FAILURES = [
    case(name, outcome=Outcome.FAILED, code="assertion", text=TEXT.replace("ADM-204", name), timeline=STORY)
    for name in IDS[:10]
]
MEGABYTE = 1_000_000


def size(results):
    page = html.render(report(results, profile=PROFILES, dialect="all"))
    return len(page.encode())


def test_every_scenario_passed():
    assert size(CASES) <= 2 * MEGABYTE


def test_ten_scenarios_failed():
    assert 0 < size([*CASES, *FAILURES]) - size(CASES) <= 3 * MEGABYTE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "stories"), [((), 0), (("--stories", "all"), 1)], ids=["default", "asked for"]
)
def test_the_story_of_a_case_that_passed_and_broke_a_rule_that_is_no_must(tmp_path, words, stories):
    done = run(
        "run", "CHK-001", "--subject", "reference", "--dialect", "v0.20", "-n", "0", *words, cwd=tmp_path
    )

    page = (tmp_path / "conformance-report/report.html").read_text("utf-8")
    assert done.code == 0
    assert "broken, and no must: F-07.6" in done.out
    assert page.count("Every step, in order") == stories
    assert ("run --stories all" in page) is not bool(stories)

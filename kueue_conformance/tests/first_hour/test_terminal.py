"""What `run` shows is ours: what is judged, progress, a card for each cause, the summary; pytest's own words
are asked for.
"""

import pytest

from kueue_conformance.options import read
from kueue_conformance.report.results.expectations import NOTHING_EXPECTED
from kueue_conformance.report.writing import table
from kueue_conformance.run import Run
from kueue_conformance.scenarios.outcome import Outcome

from ..command_line.processes import run as run_process
from ..reporting.results import case
from .controllers import EARLY, judge_program

PYTESTS = (
    "=====",
    "short test summary",
    "collected ",
    "rootdir",
    "bringing up nodes",
    "deselected",
    "Traceback",
)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_good_run_is_told_in_our_words(tmp_path, workers):
    done = run_process("run", "ADM-206", "-n", workers, cwd=tmp_path)

    assert (done.code, [word for word in PYTESTS if word in done.whole]) == (0, []), done.whole
    assert "[4 cases]" in done.out
    assert "ADMISSION            success       4 cases: 4 passed  (1 scenario: 1 passed)" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-v"], ["--pytest-arg=--durations=1"]], ids=["-v", "--pytest-arg"])
def test_pytests_words_are_there_when_they_are_asked_for(tmp_path, options):
    done = run_process("run", "ADM-206", "-n", "0", *options, cwd=tmp_path)

    assert (done.code, "test session starts" in done.out, done.out.startswith("+ pytest ")) == (0, True, True)


@pytest.mark.slow
def test_one_mistake_is_one_card(tmp_path):
    done = judge_program(tmp_path, EARLY, "CHK-010", "CHK-012", "CHK-013")
    cards = [line for line in done.out.splitlines() if line.startswith(("1/", "2/"))]

    assert (done.code, len(cards), cards[0].startswith("1/1  failed CC-020 [must]  a check controller ")) == (
        1,
        1,
        True,
    ), done.out
    assert (
        "run again  kueue-conformance run CHK-010" in done.out,
        [word for word in PYTESTS if word in done.out],
    ) == (True, [])


def lines(*results):
    return table(Run(read({"select": "ADM-204"}, seed=1)), results, NOTHING_EXPECTED, complete=True)


def test_what_lacks_is_told_once():
    terminal_lines = lines(
        *(case("ADM-234", f"test_{number}", Outcome.UNSUPPORTED, code="webhooks") for number in range(3))
    )

    assert "unsupported: webhooks (3 case(s))" in terminal_lines


def test_a_rule_that_does_not_decide_is_told_all_the_same():
    broken = ({"rule": "CC-036", "text": "Retry without a message"}, {"rule": "F-07.5", "text": "no name"})
    terminal_lines = lines(*(case(name, judged=True, violations=broken) for name in ("CHK-010", "CHK-011")))

    assert [line for line in terminal_lines if "no must" in line] == [
        "broken, and no must: CC-036 [should] explains Retry and Rejected in 1 to 1024 bytes, or in the words of an autoscaler in 1 to 32768 bytes; in 2 case(s), first CHK-010: Retry without a message",
        "broken, and no must: F-07.5 [may] names itself in its User-Agent; in 2 case(s), first CHK-010: no name",
    ]

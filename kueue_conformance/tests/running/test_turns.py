"""Cases that are run several times: the distribution is told,
and what does not always end alike is flaky (H-50).
"""

import pytest
import yaml

from kueue_conformance.report.results.case import CaseResult
from kueue_conformance.report.results.repetitions import fold, lines
from kueue_conformance.scenarios.outcome import Outcome

SCENARIO = """
from pathlib import Path
from kueue_conformance import Nonconformance, scenario

@scenario("ADM-204", "title", requirement="kep-993#hold")
def test_now_and_then(kueue_dialect):
    file = Path("turns")
    file.write_text(file.read_text() + "." if file.exists() else ".")
    if {condition}:
        raise Nonconformance("ADM-204.b  not this time")
"""


def turns(pytester, condition, *words):
    pytester.makepyfile(SCENARIO.format(condition=condition))
    done = pytester.runpytest_inprocess(
        "-p", "no:randomly", "-p", "no:cacheprovider", "--kueue-report-dir=report", "--kueue-seed=5", *words
    )
    report = yaml.safe_load((pytester.path / "report/report.yaml").read_text())
    (case,) = report["scenarios"][0]["cases"]
    return done, case


@pytest.mark.parametrize(
    ("condition", "outcome", "distribution", "code"),
    [
        pytest.param(
            "len(file.read_text()) % 4 == 0",
            "flaky",
            {"passed": 3, "failed ADM-204.b": 1},
            1,
            id="now and then",
        ),
        pytest.param("False", "passed", {"passed": 4}, 0, id="never"),
        pytest.param("True", "failed", {"failed ADM-204.b": 4}, 1, id="always"),
    ],
)
def test_every_turn_counts(pytester, condition, outcome, distribution, code):
    done, case = turns(pytester, condition, "--kueue-repeat=4")

    assert (done.ret, case["outcome"], case["turns"]) == (code, outcome, distribution)
    assert case["test"] == "test_now_and_then[v0.20]"


def test_the_distribution_is_shown(pytester):
    done, case = turns(pytester, "len(file.read_text()) == 2", "--kueue-repeat=3")

    done.stdout.fnmatch_lines(["ADM-204  test_now_and_then[[]v0.20]: 2 passed · 1 failed ADM-204.b"])
    assert case["text"].endswith("\n  turns      2 passed · 1 failed ADM-204.b")


def test_one_turn_is_no_distribution(pytester):
    _, case = turns(pytester, "False")

    assert "turns" not in case


def case(outcome, text="", **fields):
    return CaseResult(
        id="ADM-204", test="t", dialect="v0.19", parameters={}, outcome=outcome, text=text, **fields
    )


def test_failures_of_several_kinds_are_no_flake():
    (folded,) = fold([case(Outcome.FAILED, "ADM-204.a x"), case(Outcome.ERROR, code="ValueError")])

    assert (folded.outcome, lines([folded])) == (
        Outcome.ERROR,
        ["ADM-204  t: 1 error ValueError · 1 failed ADM-204.a"],
    )


def test_what_a_rule_found_in_any_turn_is_kept():
    breach = {"rule": "CC-020", "text": "x"}

    (folded,) = fold(
        [case(Outcome.PASSED, judged=True), case(Outcome.FAILED, judged=True, violations=(breach,))]
    )

    assert folded.violations == (breach,)

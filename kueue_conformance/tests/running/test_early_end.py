"""`-x` with workers: at the first failure they begin no further case;
and what counts cases counts the same.
"""

import re
from xml.etree import ElementTree as ET

import pytest
import yaml

# Every case but the one that fails waits for the word to stop, so that none ends before it.
SUITE = """
import os, threading
import pytest
from kueue_conformance import scenario

@scenario("ADM-200", "title", requirement="kep-993#hold")
@pytest.mark.parametrize("number", range(40))
def test_many(kueue_dialect, number, request):
    if number == 0:
        assert False
    stop = request.config.workerinput["kueue_stop_file"]
    for _ in range(600):
        if os.path.exists(stop):
            return
        threading.Event().wait(0.1)
    raise ValueError("the word to stop has not come")
"""
WORDS = ("-p", "kueue_conformance.session.progress", "-p", "no:randomly", "-p", "no:cacheprovider")
WORKERS = 2


def judge(pytester, suite, *words):
    """Run a suite with its report."""
    pytester.makepyfile(suite)
    done = pytester.runpytest_subprocess(*WORDS, "--kueue-report-dir=report", "-qq", *words)
    report = yaml.safe_load((pytester.path / "report/report.yaml").read_text())
    return done, [case["outcome"] for scenario in report["scenarios"] for case in scenario["cases"]]


@pytest.mark.slow
def test_workers_begin_no_case_after_the_first_failure(pytester):
    done, outcomes = judge(pytester, SUITE, "-x", "-n", str(WORKERS), "--dist", "worksteal")

    assert done.ret == 1
    assert outcomes.count("failed") == 1
    # The worker that failed may have begun its next case before the word came; the other one has one, too.
    assert len(outcomes) <= 1 + WORKERS, outcomes


COUNTED = """
import pytest
from kueue_conformance import scenario

@scenario("ADM-200", "title", requirement="kep-993#hold")
@pytest.mark.parametrize("number", range(3))
def test_many(kueue_dialect, number):
    assert number

@scenario("ADM-201", "title", requirement="kep-993#hold")
def test_another(kueue_dialect):
    pass
"""


@pytest.mark.slow
def test_progress_summary_and_junit_count_cases(pytester):
    done, outcomes = judge(pytester, COUNTED, "-n", "0")
    text = done.stdout.str()
    suite = ET.parse(pytester.path / "report/junit.xml").find("testsuite")

    assert sorted(outcomes) == ["failed", "passed", "passed", "passed"]
    assert "[4 cases]" in text
    assert re.search(
        r"ADMISSION +failure +4 cases: 3 passed · 1 failed  \(2 scenarios: 1 passed · 1 failed\)", text
    )
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")

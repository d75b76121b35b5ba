"""Runs with expectations: known failures are green, what is not as expected is red (harness/H-16, H-17)."""

import pytest
import yaml

from ..expectations.written import entry, write

TEST = """\
import pytest
from kueue_conformance import Nonconformance, scenario

@scenario("ADM-023", "title", requirement="kep-993#hold", clauses={{"a": "x", "b": "y"}})
def test_it(kueue_dialect):
    {body}
"""
FAILS = 'raise Nonconformance("ADM-023.b  something")'
LATE = "2026-01-01"
ARGUMENTS = (
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "--kueue-report-dir=report",
    "--kueue-expectations=known.yaml",
)


@pytest.fixture
def judge_with(pytester, monkeypatch):
    """Run a scenario against entries; return the exit code, the case and the terminal."""
    monkeypatch.setenv("COLUMNS", "160")

    def judge_body(body, *entries):
        pytester.makepyfile(TEST.format(body=body))
        write(pytester.path / "known.yaml", *entries)
        done = pytester.runpytest_inprocess(*ARGUMENTS)
        report = yaml.safe_load((pytester.path / "report/report.yaml").read_text("utf-8"))
        return int(done.ret), report["scenarios"][0]["cases"][0]["outcome"], report, done.stdout

    return judge_body


@pytest.mark.parametrize(
    ("body", "written", "expected"),
    [
        pytest.param(FAILS, entry("ADM-023"), (0, "xfailed"), id="known"),
        pytest.param(FAILS, entry("ADM-02*", clause="b"), (0, "xfailed"), id="known by its clause"),
        pytest.param(FAILS, entry("ADM-023", clause="a"), (1, "failed"), id="another failure is not hidden"),
        pytest.param(FAILS, entry("ADM-023", when="{dialect: v0.6}"), (1, "failed"), id="known elsewhere"),
        pytest.param("pass", entry("ADM-023"), (1, "xpassed"), id="unexpected pass"),
        pytest.param(FAILS, entry("ADM-023", expires=LATE), (1, "failed"), id="expired"),
        pytest.param("pass", entry("ADM-023", expires=LATE), (1, "passed"), id="expired and passing"),
        pytest.param("pass", entry("ADM-999"), (1, "passed"), id="dead"),
        pytest.param(
            "raise ValueError('no')", entry("ADM-023", outcome="error"), (0, "xfailed"), id="known error"
        ),
        pytest.param("raise ValueError('no')", entry("ADM-023"), (3, "error"), id="an error is no failure"),
        pytest.param(FAILS, entry("ADM-023", outcome="flaky"), (0, "flaky"), id="known to be flaky"),
        pytest.param("pass", entry("ADM-023", outcome="flaky"), (0, "passed"), id="flaky, and passing"),
        pytest.param(FAILS, entry("ADM-023", outcome="skip"), (5, "excluded"), id="left out"),
    ],
)
def test_outcome_and_exit_code(judge_with, body, written, expected):
    code, outcome, *_ = judge_with(body, written)

    assert (code, outcome) == expected


@pytest.mark.parametrize(
    ("further_tests", "words", "expected"),
    [
        pytest.param("", (), (0, "success"), id="alone"),
        pytest.param("", ("--kueue-strict",), (1, "failure"), id="strictly"),
        pytest.param(
            "def test_other(): assert False", (), (1, "success"), id="beside an ordinary test that fails"
        ),
    ],
)
def test_a_failure_at_level_should_counts_when_it_is_asked_to(pytester, further_tests, words, expected):
    should = TEST.format(body=FAILS.replace("015.b", "221.a")).replace("ADM-023", "ADM-221")
    pytester.makepyfile(TEST.format(body="pass") + should.replace("test_it", "test_should") + further_tests)
    done = pytester.runpytest_inprocess(*ARGUMENTS[:-1], *words)
    report = yaml.safe_load((pytester.path / "report/report.yaml").read_text("utf-8"))

    assert (int(done.ret), report["profiles"][0]["result"]) == expected
    done.stdout.fnmatch_lines("" if words else "no must, *(--strict does): ADM-221")


def test_a_known_failure_leaves_the_profile_a_failure(judge_with):
    _, _, report, stdout = judge_with(FAILS, entry("ADM-023"))

    assert report["profiles"][0]["result"] == "failure"
    assert report["expectations"]["matched"] == [{"id": "ADM-023", "where": "known.yaml:4", "cases": 1}]
    stdout.fnmatch_lines(["*1 xfailed*"])


@pytest.mark.parametrize(
    ("body", "written", "line"),
    [
        pytest.param(
            "pass",
            entry("ADM-023"),
            "ADM-023  passes, and known.yaml:4 expects it to fail: remove this entry (r; #1)",
            id="pass",
        ),
        pytest.param(
            FAILS,
            entry("ADM-023", expires=LATE),
            "known.yaml:4: ADM-023: expired on 2026-01-01: *",
            id="expired",
        ),
        pytest.param(FAILS, entry("ADM-999"), "known.yaml:4: ADM-999: dead: *", id="dead"),
    ],
)
def test_what_must_go_is_told(judge_with, body, written, line):
    *_, stdout = judge_with(body, written)

    stdout.fnmatch_lines([line])


def test_what_is_left_out_is_in_the_report(pytester):
    pytester.makepyfile(TEST.format(body="pass"))

    done = pytester.runpytest_inprocess(
        "--kueue-report-dir=report", "--kueue-exclude=ADM-02*", "-p", "no:randomly"
    )

    report = yaml.safe_load((pytester.path / "report/report.yaml").read_text("utf-8"))
    assert (int(done.ret), report["profiles"][0]["core"]["excluded"]) == (5, ["ADM-023"])
    assert report["profiles"][0]["result"] == "partial"

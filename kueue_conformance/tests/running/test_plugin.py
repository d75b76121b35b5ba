"""The plugin in pytest: outcomes, exit codes, header,
and silence where there is no scenario (harness §10.5, §10.6, SH-25).
"""

import pytest
import yaml

HEAD = "from kueue_conformance import Nonconformance, scenario\n"
SCENARIO = '\n@scenario("{id}", "title", requirement="kep-993#hold"{arguments})\ndef test_{name}(kueue_dialect):\n    {body}\n'


@pytest.fixture
def suite(pytester, monkeypatch):
    """Write scenarios and run them in this process; the report is written to `report`."""
    monkeypatch.setenv("COLUMNS", "160")

    def suite(*bodies, arguments=("--kueue-report-dir=report", "--kueue-seed=5"), scenario_arguments=""):
        tests = [
            SCENARIO.format(
                id=f"ADM-2{number:02}", name=f"s{number}", body=body, arguments=scenario_arguments
            )
            for number, body in enumerate(bodies)
        ]
        pytester.makepyfile(HEAD + "import pytest\n" + "".join(tests))
        words = ("-p", "no:randomly", "-p", "no:cacheprovider", *arguments)
        return pytester.runpytest_inprocess(*words, no_reraise_ctrlc=True)

    return suite


def report(pytester):
    return yaml.safe_load((pytester.path / "report/report.yaml").read_text("utf-8"))


def cases(pytester):
    return [
        (case["outcome"], case.get("code", ""))
        for scenario in report(pytester)["scenarios"]
        for case in scenario["cases"]
    ]


@pytest.mark.parametrize(
    ("body", "outcome", "code", "ended"),
    [
        pytest.param("pass", "passed", "", 0, id="passes"),
        pytest.param("assert 1 == 2", "failed", "assertion", 1, id="assert"),
        pytest.param("raise Nonconformance('no', code='CC-001')", "failed", "CC-001", 1, id="nonconformance"),
        pytest.param("raise ValueError('no')", "error", "ValueError", 3, id="other exception"),
        pytest.param("pytest.skip('not today')", "error", "skip", 3, id="bare skip"),
    ],
)
def test_what_a_test_does_is_an_outcome(suite, pytester, body, outcome, code, ended):
    result = suite(body)

    assert cases(pytester) == [(outcome, code)]
    assert result.ret == ended


def test_unsupported_is_a_visible_skip_with_its_reason(suite, pytester):
    result = suite("assert False", scenario_arguments=", unsupported='v1beta1'")

    assert cases(pytester) == [("unsupported", "v1beta1")]
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["ADMISSION * 1 case: 1 unsupported  (1 scenario: 1 unsupported)"])


def test_a_failure_is_worse_than_an_error(suite):
    assert suite("assert False", "raise ValueError('no')").ret == 1


def test_an_interrupted_run_says_so(suite, pytester):
    result = suite("pass", "raise KeyboardInterrupt")

    assert (result.ret, report(pytester)["complete"]) == (2, False)


def test_a_run_that_stops_at_the_first_failure_is_not_complete(suite, pytester):
    result = suite("assert False", "pass", arguments=("--kueue-report-dir=report", "-x"))

    assert (result.ret, report(pytester)["complete"]) == (1, False)


def test_a_wrong_word_ends_with_4(suite):
    result = suite("pass", arguments=("--kueue-profile=ADMISION",))

    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: unknown profile 'ADMISION'", "  hint: did you mean 'ADMISSION'?"])


def test_nothing_selected_ends_with_5(suite):
    assert suite("pass", arguments=("--kueue-select=ADM-299",)).ret == 5


def test_the_header_says_what_was_asked_for(suite):
    result = suite("pass")

    result.stdout.fnmatch_lines(["kueue-conformance: seed=5, report-dir=report, dialect=v0.20"])


def test_a_run_that_asked_for_nothing_says_its_defaults(suite, monkeypatch):
    monkeypatch.delenv("KUEUE_CONFORMANCE_SEED", raising=False)
    result = suite("pass", arguments=())

    result.stdout.fnmatch_lines(["kueue-conformance: dialect=v0.20, seed=*"])


def test_every_selected_dialect_is_a_case(suite, pytester):
    suite("pass", arguments=("--kueue-report-dir=report", "--kueue-dialect=all"))

    dialects = [case["dialect"] for case in report(pytester)["scenarios"][0]["cases"]]
    assert dialects == ["docs-2024", "kep993", "v0.19", "v0.20", "v0.6"]


def test_allure_groups_by_document_profile_and_rule(suite, pytester):
    suite("pass", arguments=("--alluredir=allure",))

    (result,) = (pytester.path / "allure").glob("*-result.json")
    labels = {
        (label["name"], label["value"]) for label in yaml.safe_load(result.read_text("utf-8"))["labels"]
    }
    assert labels >= {
        ("epic", "kep-993"),
        ("feature", "ADMISSION"),
        ("story", "kep-993#hold"),
        ("severity", "critical"),
        ("scenarioId", "ADM-200"),
    }


def test_the_plugin_is_silent_in_a_suite_of_others(pytester, monkeypatch):
    # An option that was given, also by the environment, is printed at the head of any run.
    monkeypatch.delenv("KUEUE_CONFORMANCE_SEED", raising=False)
    pytester.makepyfile("def test_one(): pass")

    result = pytester.runpytest_inprocess("-p", "no:randomly", "-p", "no:cacheprovider")

    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("kueue-conformance:*")
    result.stdout.no_fnmatch_line("*Kueue conformance*")
    assert {path.suffix for path in pytester.path.iterdir() if path.is_file()} == {".py"}


def test_a_scenario_that_no_catalogue_has_is_told_with_the_nearest(pytester):
    pytester.makepyfile(HEAD + SCENARIO.format(id="ADM-998", name="own", body="pass", arguments=""))

    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--kueue-seed=5")

    result.stdout.fnmatch_lines(
        [
            "error: *test_a_scenario_that_no_catalogue_has_is_told_with_the_nearest.py: unknown scenario 'ADM-998'",
            "*hint: did you mean 'ADM-*'[?]",
            "*a test of your own needs no @scenario*",
        ]
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED

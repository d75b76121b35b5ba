"""What comes of cases: the worst decides, only binding scenarios make a verdict (harness §10.5)."""

import pytest

from kueue_conformance.scenarios.outcome import Outcome, verdict, worst

PASSED, UNSUPPORTED, EXCLUDED, DISABLED, PROVISIONAL, NOTRUN, XPASSED, FLAKY, XFAILED, FAILED, ERROR = Outcome


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param([], NOTRUN, id="nothing"),
        pytest.param([PASSED], PASSED, id="passed"),
        pytest.param([UNSUPPORTED, UNSUPPORTED], UNSUPPORTED, id="all unsupported"),
        pytest.param([PASSED, UNSUPPORTED], PASSED, id="one passed, one unsupported"),
        pytest.param([PASSED, UNSUPPORTED, FAILED], FAILED, id="one failed"),
        pytest.param([FAILED, ERROR, PASSED], ERROR, id="one error"),
        pytest.param([PASSED, NOTRUN], NOTRUN, id="one not run"),
        pytest.param([XPASSED, XFAILED], XFAILED, id="one still fails as expected"),
        pytest.param([XFAILED, FAILED], FAILED, id="one fails otherwise than expected"),
    ],
)
def test_the_worst_case_decides(outcomes, expected):
    assert worst(outcomes) is expected


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param([PASSED, PASSED], "success", id="all passed"),
        pytest.param([PASSED, FAILED, ERROR], "failure", id="a failure before an error"),
        pytest.param([PASSED, ERROR], "undetermined", id="an error"),
        pytest.param([PASSED, EXCLUDED], "partial", id="one excluded"),
        pytest.param([PASSED, NOTRUN], "partial", id="one not run"),
        pytest.param([PASSED, FLAKY], "partial", id="one flaky"),
        pytest.param([PASSED, DISABLED], "partial", id="one disabled"),
        pytest.param([PASSED, XFAILED], "failure", id="one fails as expected"),
        pytest.param([PASSED, XPASSED], "success", id="one passes although a failure was expected"),
        pytest.param([], "partial", id="nothing bound"),
    ],
)
def test_a_verdict_needs_every_binding_scenario(outcomes, expected):
    assert verdict(outcomes) == expected

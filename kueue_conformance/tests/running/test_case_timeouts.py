"""A case that waits on a busy machine is not ended as one that hangs."""

import pytest

SCENARIO = """
import pytest
from kueue_conformance import scenario

@scenario("ADM-204", "title", requirement="kep-993#hold")
def test_case(request):
    print("seconds", request.node.get_closest_marker("timeout").args[0])

{mark}
@scenario("ADM-205", "title", requirement="kep-993#hold")
def test_long_case(request):
    print("seconds", request.node.get_closest_marker("timeout").args[0])

@pytest.mark.timeout(7)
def test_of_another(request):
    print("seconds", request.node.get_closest_marker("timeout").args[0])
"""


@pytest.fixture
def timeouts(pytester, monkeypatch):
    """Returns the time-outs of two scenarios and of an ordinary test, in seconds."""

    def run_cases(*words, real):
        monkeypatch.setattr("kueue_conformance.run.components.RunComponents.in_real_time", real)
        pytester.makepyfile(SCENARIO.format(mark="@pytest.mark.timeout(600)"))
        done = pytester.runpytest_inprocess(
            "-s",
            "-o",
            "timeout=120",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:randomly",
            "--kueue-report-dir=",
            *words,
        )
        return [float(line.split("seconds")[1]) for line in done.outlines if "seconds " in line]

    return run_cases


def test_real_time_gives_a_case_as_much_as_its_waits_may_take(timeouts):
    assert timeouts(real=True) == [600, 3000, 7]


def test_the_scale_of_waits_is_that_of_cases(timeouts):
    assert timeouts("--kueue-timeout-scale=2", real=True) == [1200, 6000, 7]


ENDED = """
import pytest
from kueue_conformance import scenario

@scenario("ADM-204", "title", requirement="kep-993#hold")
def test_case():
    pytest.fail("{problem}")
"""


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        ("Timeout (>600.0s) from pytest-timeout.", "error: undetermined: the case was ended after 600 s*"),
        ("of another reason", "*Failed: of another reason*"),
    ],
)
def test_a_case_that_took_too_long_is_undetermined(pytester, problem, line):
    pytester.makepyfile(ENDED.format(problem=problem))

    done = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--kueue-report-dir=")

    done.stdout.fnmatch_lines([line])


WAITING = """
import pytest
from kueue_conformance import scenario, within
from kueue_conformance.history.fact import Fact

@scenario("ADM-204", "title", requirement="kep-993#hold")
def test_case(kueue_cluster):
    def answered():
        if looks:
            pytest.fail("Timeout (>600.0s) from pytest-timeout.")
        looks.append(1)
        return Fact(False, "1000 Workloads are answered", "7 of 1000")

    looks = []
    within("react", answered)
"""


def test_a_case_that_took_too_long_says_what_it_waited_for(pytester):
    pytester.makepyfile(WAITING)

    done = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--kueue-report-dir=")

    done.stdout.fnmatch_lines(
        [
            "error: undetermined: the case was ended after 600 s*",
            "  expected   1000 Workloads are answered (within 10 s, budget 'react')",
            "  observed   7 of 1000",
            "  run again  kueue-conformance run ADM-204 *",
        ]
    )

"""The Python test that `explore` writes for a finding fails on the program with the same cause, and passes on
the right one.
"""

from dataclasses import replace

import pytest

from kueue_conformance.exploration.check_controllers import perturbations
from kueue_conformance.exploration.check_controllers.acts import Act
from kueue_conformance.exploration.check_controllers.story import PLAIN, Story
from kueue_conformance.exploration.findings import Finding, Identity
from kueue_conformance.exploration.job_integrations.acts import Act as JobAct
from kueue_conformance.exploration.job_integrations.story import Story as JobStory
from kueue_conformance.exploration.perturbation import Perturbation
from kueue_conformance.report.story.finding_test import finding_test
from kueue_conformance.tests.checkout import ROOT

from ..killing.judging import CLASSES
from ..killing.mutants import NAME, ZOO
from .test_integration_runs import EVICTED
from .test_plane_runs import HELD

QUIET = ["-p", "no:cacheprovider", "-q", "--kueue-report-dir="]
INTEGRATION = f"--kueue-subject-file={ROOT}/kueue_conformance/data/job_integration/subject.yaml"
PLANE = "--kueue-control-plane=reference"
UNUSABLE = Story(
    acts=tuple(map(Act.of, ["drop-check c1", "create-check c1 Missing"])),
    workloads=1,
    foreign_checks=(PLAIN,),
)
LOST = Story(acts=tuple(map(Act.of, ["submit w1", "decide w1 Ready", "settle"])), workloads=1)


DROPPED = Story(
    acts=tuple(map(Act.of, ["submit w1", "decide w1 Retry", "settle", "requeue w1", "settle"])),
    workloads=1,
)


def finding(story, perturbation=None, **identity):
    return Finding(
        story=story,
        perturbation=perturbation,
        seed=7,
        identity=Identity(dialect="v0.20", **identity),
        cause="end-state",
        text="",
    )


INSTALLED = """
import pytest

from kueue_conformance.tests.killing.planes import integrations, planes


@pytest.fixture(autouse=True)
def wrong_program():
    mutant = next(mutant for mutant in {mutants}() if mutant.name == "{name}")
    with mutant.install():
        yield
"""


def play(pytester, written, *options):
    pytester.makepyfile(**{"0001_test": finding_test(written, "0001_test.py")})
    return pytester.runpytest_inprocess(*QUIET, "0001_test.py", "--kueue-dialect=v0.20", *options)


def options_of(controller):
    return [
        f"--kueue-subject={CLASSES}{controller}.serve",
        f"--kueue-subject-file={ZOO / 'wrong.yaml'}",
        f"--kueue-controller-name={NAME}",
    ]


@pytest.mark.parametrize(
    ("controller", "written"),
    [
        ("activity:IsActiveFirst", finding(UNUSABLE)),
        ("restarts:SkipsWhatWasThere", finding(LOST, Perturbation(perturbations.DOWN, 2))),
    ],
    ids=["without a perturbation", "with one"],
)
def test_it_tells_a_wrong_controller_from_the_right_one(pytester, controller, written):
    wrong = play(pytester, written, *options_of(controller))
    right = play(pytester, written, *options_of("right:CheckController"))

    wrong.assert_outcomes(failed=1)
    wrong.stdout.fnmatch_lines(["E*Nonconformance: end-state", "*expected*"])
    right.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("known", "outcome"), [((), {"failed": 1}), (("CC-033",), {"passed": 1})], ids=["judged", "known"]
)
def test_it_leaves_out_what_the_exploration_left_out(pytester, known, outcome):
    done = play(pytester, finding(DROPPED, known_breaches=known), *options_of("verdicts:DropsTheRetryCount"))

    done.assert_outcomes(**outcome)


@pytest.mark.parametrize(
    ("written", "options", "mutants", "wrong", "cause"),
    [
        (finding(EVICTED), INTEGRATION, "integrations", "keeps_node_selectors", "model:restored"),
        (
            finding(HELD, control_plane="reference"),
            PLANE,
            "planes",
            "reserves_through_a_held_local_queue",
            "model:hold",
        ),
    ],
    ids=["integration", "control plane"],
)
def test_it_tells_a_wrong_program_from_the_reference(pytester, written, options, mutants, wrong, cause):
    right = play(pytester, written, options)
    pytester.makeconftest(INSTALLED.format(mutants=mutants, name=wrong))
    failed = play(pytester, written, options)

    right.assert_outcomes(passed=1)
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines([f"E*Nonconformance: {cause}"])


def test_it_says_what_it_is_and_how_to_run_it():
    written = replace(finding(UNUSABLE, Perturbation(perturbations.WATCH_CUT, 2)), failed=2, runs=3)

    lines = finding_test(written, "explored/0001_test.py").splitlines()

    assert lines[0] == '"""A story of `explore` that breaks end-state (flaky, 2 of 3, seed 7).'
    assert "At act 2, create-check Missing: its watches were cut before this." in "\n".join(lines)
    assert any(line.startswith("    python -m pytest explored/0001_test.py --kueue-sub") for line in lines)
    assert '        perturbation="watches-cut at 2",' in lines
    assert f'        foreign_checks=["{PLAIN}"],' in lines
    assert '            "drop-check",' in lines


STORY = {"acts": ["submit j1"], "integration_checks": 0, "flavors": 1, "drawn_names": False}
WORDS = {"acts": ["submit w1"], "workloads": 1, "checks": 1, "foreign_checks": [], "namesakes": False}
WORDS = {**WORDS, "pod_sets": False, "drawn_names": False}


@pytest.mark.parametrize(
    ("fields", "options", "message"),
    [
        (WORDS, [PLANE], "the story is one of a check controller, and none is named"),
        (STORY, [PLANE], "the story is one of a job integration, and none is named"),
        ({"acts": ["queue q1"], "workload": 1}, [PLANE], "knows no workload of a story of a control plane"),
        ({"acts": ["fly q1"]}, [PLANE], "'fly q1' is no act"),
        ({"acts": ["queue q1"], "known": ["Q-125"]}, [PLANE], "known is 'Q-125', which is no safety rule"),
        ({"acts": ["submit w1"], "workloads": 1}, [PLANE], "lacks checks, drawn-names"),
        ({"acts": ["queue q1"], "perturbation": "watches-cut at 9"}, [PLANE], "is behind the last act, 1"),
        ({"acts": ["queue q1"]}, ["--kueue-control-plane=scripted"], "runs a control plane in this process"),
    ],
)
def test_a_wrong_call_is_refused_with_a_next_step(pytester, fields, options, message):
    pytester.makepyfile(f"def test_story(play_story):\n    play_story(**{fields!r})\n")

    done = pytester.runpytest_inprocess(*QUIET, "--tb=short", *options)

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([f"E*{message.replace('[', '[[]')}*"])


def test_every_finding_of_a_job_integration_is_a_test_of_its_fields():
    drawn = JobStory(acts=(JobAct.of("submit j1"),), checks=2, flavors=2, drawn_names=True)

    text = finding_test(finding(drawn), "0001_test.py")

    assert "        integration_checks=2,\n        flavors=2,\n        drawn_names=True,\n" in text

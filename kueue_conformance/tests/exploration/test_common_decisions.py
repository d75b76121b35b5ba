"""`explore` where the outside system decides about every Workload at once: a ConfigMap, or an alert."""

from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import yaml

from kueue_conformance.cli.subject_roles import controller_program
from kueue_conformance.exploration.check_controllers.acts import Act
from kueue_conformance.exploration.check_controllers.drawing_limits import DrawingLimits
from kueue_conformance.exploration.check_controllers.story import Story
from kueue_conformance.exploration.exploration import Exploration
from kueue_conformance.exploration.findings import read_finding, write_finding
from kueue_conformance.options import read
from kueue_conformance.report.story.finding_test import finding_test
from kueue_conformance.run import Run

from ..drivers.test_switches import DRIVERS as PROGRAM_DRIVERS
from ..drivers.test_switches import kueue_conformance
from ..drivers.test_switches import write_subject_file as write_program_subject_file
from ..killing.judging import CLASSES
from .measuring import explore_program

SWITCH = Path(__file__).parents[1] / "drivers/switch.yaml"
HERE = "kueue_conformance.tests.exploration.switched_controllers"
BY_CONFIGMAP = {
    state: {"apply": "switch.yaml", "undo": False} for state in ("ready", "retry", "rejected", "pending")
}
BY_ALERT = {
    "ready": {"python": f"{HERE}:resolve", "scope": "global", "undo": False},
    "pending": {"python": f"{HERE}:fire", "scope": "global", "undo": False},
    "trouble": {"python": f"{HERE}:fail", "scope": "global"},
    "recovery": {"python": f"{HERE}:recover"},
}
RIGHT = [
    pytest.param("kueue_conformance.tests.drivers.switched:Switched", BY_CONFIGMAP, id="ConfigMap"),
    pytest.param(f"{HERE}:Alerted", BY_ALERT, id="alert", marks=pytest.mark.acceptance),
    pytest.param(f"{HERE}:TakesReadyBack", BY_ALERT, id="alert, followed back"),
]


LATER = ("decide-all Ready", "settle", "submit w1", "settle")
BACK = ("submit w1", *LATER[:2], "decide-all Pending", "settle", "recreate w1", "settle")


def write_subject_file(folder, controller, drivers):
    """Write the subject file of a controller in this process, and its switch; return its path."""
    (folder / "switch.yaml").write_bytes(SWITCH.read_bytes())
    file = folder / "subject.yaml"
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "connect": f"python:{controller}.serve",
        "controllerName": "example.com/budget",
        "effects": {"apiVersion": "v1", "kind": "ConfigMap", "by": "owner"},
        "drivers": drivers,
    }
    file.write_text(yaml.safe_dump(subject))
    return file


def settings_of(folder, controller, drivers):
    file = write_subject_file(folder, controller, drivers)
    return read({"profile": "CHECK-CONTROLLER", "subject-file": str(file)}, seed=1)


def program(run):
    return controller_program(run, {})


@contextmanager
def begun_program(folder, controller, drivers):
    """Run a block with a controller as `explore` has it."""
    run = Run(settings_of(folder, controller, drivers), announce=lambda _: None)
    run.begin()
    with closing(run):
        yield program(run)


def play(folder, controller, drivers, *lines):
    """Run a story on a controller once."""
    with begun_program(folder, controller, drivers) as explored:
        return explored.run(Story(acts=tuple(map(Act.of, lines)), workloads=1), None, patient=False)


@pytest.mark.slow
@pytest.mark.parametrize(("controller", "drivers"), RIGHT)
def test_a_controller_that_follows_its_switch_breaks_nothing(tmp_path, controller, drivers):
    settings = settings_of(tmp_path, controller, drivers)

    outcome = explore_program(settings, program, 1, lambda runs: runs >= 18)

    assert (outcome.is_found, outcome.text) == (False, "NOT FOUND")
    assert outcome.runs >= 18


# The first stories that show it: others are about something else.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("controller", "drivers", "seed"),
    [
        ("ForgetsLaterWorkloads", BY_CONFIGMAP, 2),
        ("KnowsTheFirstState", BY_CONFIGMAP, 2),
        ("StaysOpen", BY_CONFIGMAP, 7),
        ("AnswersEachOnce", BY_ALERT, 7),
        ("RejectsWhileItFires", BY_ALERT, 2),
        ("RejectsInAnOutage", BY_ALERT, 10),
        ("AdmitsInAnOutage", BY_ALERT, 4),
    ],
)
def test_a_controller_that_does_not_is_found(tmp_path, controller, drivers, seed):
    settings = settings_of(tmp_path, f"{HERE}:{controller}", drivers)

    outcome = explore_program(settings, program, seed, lambda runs: runs >= 10)

    assert outcome.is_found
    assert outcome.text.startswith("end-state")


@pytest.mark.parametrize(
    ("controller", "lines", "observed"),
    [
        ("ForgetsLaterWorkloads", LATER, "it is Pending"),
        ("StaysOpen", BACK, "it is Ready"),
        ("KnowsTheFirstState", ("submit w1", "settle", *LATER[:2]), "it is Pending"),
    ],
)
def test_what_it_does_wrong_is_told(tmp_path, controller, lines, observed):
    wrong = play(tmp_path, f"{HERE}:{controller}", BY_CONFIGMAP, *lines)
    right = play(tmp_path, "kueue_conformance.tests.drivers.switched:Switched", BY_CONFIGMAP, *lines)

    assert observed in wrong.breach.text
    assert (right.breach, right.undetermined) == (None, "")


def test_the_switch_is_turned_again_behind_an_outage(tmp_path):
    result = play(tmp_path, f"{HERE}:Alerted", BY_ALERT, *LATER, "fail-all", "decide-all Ready", "requeue w1")

    assert (result.breach, result.undetermined) == (None, "")


def test_a_finding_is_made_shorter_and_its_test_fails_until_it_is_mended(tmp_path, pytester):
    with begun_program(tmp_path, f"{HERE}:ForgetsLaterWorkloads", BY_CONFIGMAP) as explored:
        exploration = Exploration(program=explored, seed=2, is_over=lambda: exploration.coverage.runs > 0)
        (finding,) = exploration.findings()
    finding = read_finding(write_finding(finding, tmp_path))
    (tmp_path / "0001_test.py").write_text(finding_test(finding, "0001_test.py"))
    words = ["-p", "no:cacheprovider", "--kueue-report-dir=", f"{tmp_path / '0001_test.py'}"]
    subject = f"--kueue-subject-file={tmp_path / 'subject.yaml'}"

    failed = pytester.runpytest_inprocess(*words, subject)
    write_subject_file(tmp_path, "kueue_conformance.tests.drivers.switched:Switched", BY_CONFIGMAP)
    passed = pytester.runpytest_inprocess(*words, subject)

    assert len(finding.story.acts) <= 3, finding.story.acts
    assert finding.rate == "3 of 3"
    failed.assert_outcomes(failed=1)
    passed.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("controller", "drivers", "lines", "reason"),
    [
        (
            "kueue_conformance.tests.drivers.switched:Switched",
            BY_CONFIGMAP,
            ("submit w1", "decide w1 Ready"),
            "the story decides about each Workload by itself, and a driver of the subject file about all",
        ),
        (
            f"{CLASSES.removeprefix('python:')}right:CheckController",
            {},
            LATER,
            "the story decides about all Workloads, and the drivers of the subject file about each by itself",
        ),
        (
            "kueue_conformance.tests.drivers.switched:LeftAtReady",
            {"ready": BY_CONFIGMAP["ready"], "pending": False},
            ("submit w1", "decide-all Ready"),
            "the story begins undecided, and the subject's outside system has always decided",
        ),
    ],
    ids=["each", "all", "undecided"],
)
def test_a_story_for_another_outside_system_says_nothing(tmp_path, controller, drivers, lines, reason):
    result = play(tmp_path, controller, drivers, *lines)

    assert (result.breach, result.undetermined) == (None, f"undetermined: {reason}")


@pytest.mark.parametrize(
    ("driver", "contents"),
    [
        ({"run": ["true", "on"]}, set()),
        ({"run": ["true", "on", "${message}"]}, {"message"}),
        ({"run": ["sh", "-c", 'echo "$KUEUE_CONFORMANCE_MESSAGE" > switch']}, {"message"}),
        (BY_ALERT["ready"], {"message"}),
        ({**BY_ALERT["ready"], "python": f"{HERE}:fire"}, set()),
        (BY_CONFIGMAP["ready"], set()),
    ],
)
def test_no_text_is_drawn_that_a_driver_is_only_offered(tmp_path, driver, contents):
    subject = settings_of(tmp_path, f"{HERE}:Alerted", {"ready": driver, "pending": False}).subject

    assert DrawingLimits.of(subject, waits_really=False).contents == contents


@pytest.mark.acceptance
@pytest.mark.timeout(300)
@pytest.mark.parametrize("driver", PROGRAM_DRIVERS)
def test_a_program_behind_a_switch_is_explored(tmp_path, driver):
    file = write_program_subject_file(tmp_path, driver, PROGRAM_DRIVERS[driver])

    done = kueue_conformance(
        "explore", "--subject-file", file, "--runs", "6", "--seed", "5", "--out", tmp_path / "out"
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 finding(s); seed 5" in done.stdout

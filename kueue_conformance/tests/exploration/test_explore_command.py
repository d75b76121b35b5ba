"""`explore` finds a fault of a real program, writes it, and plays it again; and says what it cannot do."""

import os
import shutil
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import yaml

from kueue_conformance.exploration.check_controllers.acts import Act as ControllerAct
from kueue_conformance.exploration.check_controllers.acts import Verb
from kueue_conformance.exploration.check_controllers.drawing import draw_story
from kueue_conformance.exploration.check_controllers.drawing_limits import DrawingLimits
from kueue_conformance.exploration.check_controllers.model import after, new_world
from kueue_conformance.exploration.check_controllers.story import Story as ControllerStory
from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.story import Story as PlaneStory
from kueue_conformance.exploration.control_planes.story_run import StoryRunner
from kueue_conformance.exploration.findings import Finding, Identity, read_finding, write_finding
from kueue_conformance.exploration.story import END_STATE
from kueue_conformance.options import read
from kueue_conformance.report.story.kubectl_script import kubectl_script
from kueue_conformance.run import Run

from ..first_hour.controllers import EXAMPLE, NAME
from ..first_hour.test_typical_bugs import IGNORED_RESET
from ..killing.judging import CLASSES
from ..killing.mutants import ZOO
from ..killing.planes import planes
from .test_plane_runs import HELD

LIMITS = DrawingLimits(verbs=frozenset(Verb) - {Verb.BREAK_CHECK, Verb.MEND_CHECK}, waits_really=True)
"""That of a controller without a subject file."""


def explore(*words, **environment):
    command = [sys.executable, "-m", "kueue_conformance", "explore", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}, timeout=600
    )


def asks_twice(seed):
    """Tell whether a story asks for an answer again behind one that was given, of the same Workload."""
    story, reset = draw_story(seed, LIMITS), set()
    world = new_world(story.workloads, story.checks)
    for act in story.acts:
        if act.verb is Verb.REQUEUE and is_answered(world, act.workload):
            reset.add(act.workload)
        elif act.verb in (Verb.SUBMIT, Verb.CREATE, Verb.RECREATE):
            reset.discard(act.workload)
        elif act.verb.endswith("-check"):
            reset.clear()
        world = after(world, act)
        if act.verb is Verb.SETTLE and any(is_answered(world, number) for number in reset):
            return True
    return False


def is_answered(world, workload):
    """Tell whether the entry of a Workload has a verdict, whatever the controller is slow with."""
    verdicts = world.workloads[workload - 1].entries[0].verdicts
    return not {verdict.state for verdict in verdicts} & {"", "Pending"}


@pytest.mark.acceptance
@pytest.mark.timeout(600)
def test_a_fault_is_found_written_and_played_again(tmp_path):
    program = tmp_path / "subject.py"
    program.write_text(IGNORED_RESET)
    # The shortest such story: what is made shorter costs a play for each piece.
    seed = min(filter(asks_twice, range(600)), key=lambda number: len(draw_story(number, LIMITS).acts))
    subject = ["--subject", f"process:{sys.executable} {program}", "--controller-name", NAME]

    limits = ["--runs", "1", "--seed", f"{seed}", "--shrink", "0"]
    done = explore(*subject, *limits, "--out", f"{tmp_path / 'out'}", PYTHONPATH=f"{EXAMPLE}")
    file = tmp_path / "out/0001.yaml"

    assert done.returncode == 1, done.stdout + done.stderr
    finding = read_finding(file)
    assert (finding.cause, finding.perturbation) == (END_STATE, None)
    assert finding.story == draw_story(seed, LIMITS)
    assert "expected" in done.stdout
    assert f"{file}" in done.stdout

    again = explore(*subject, "--replay", f"{file}", PYTHONPATH=f"{EXAMPLE}")
    right = explore("--subject", "reference", "--replay", f"{file}")

    assert again.returncode == 1, again.stdout + again.stderr
    assert again.stdout.startswith("end-state  (")
    assert right.returncode == 0, right.stdout + right.stderr
    assert right.stdout.startswith("end-state: not seen in ")


@pytest.mark.acceptance
@pytest.mark.timeout(300)
def test_the_script_of_a_finding_plays_it_on_a_served_cluster(tmp_path):
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not on PATH: install it to run the script of a finding")
    script, kubeconfig = tmp_path / "0001.sh", tmp_path / "kubeconfig"
    script.write_text(kubectl_script(changes_of(HELD)), "utf-8")
    bin_folder = Path(sys.executable).parent
    environment = {**os.environ, "KUBECONFIG": f"{kubeconfig}", "HOME": f"{tmp_path}"}

    with running(bin_folder / "fakecluster", "serve", "--kubeconfig", kubeconfig):
        wait(f"[ -s {kubeconfig} ]", environment)
        with running(bin_folder / "kueue-reference", "--kubeconfig", kubeconfig, "--install"):
            wait("kubectl get workloads --all-namespaces", environment)
            done = subprocess.run(
                ["sh", f"{script}"], env=environment, capture_output=True, text=True, check=False, timeout=200
            )

    assert done.returncode == 0, done.stderr
    (workload,) = yaml.safe_load(done.stdout[done.stdout.index("apiVersion:") :])["items"]
    # The reference is right: a held LocalQueue lets nothing get quota.
    assert workload["metadata"]["name"] == "workload-1"
    assert "admission" not in workload.get("status", {})


def changes_of(story):
    """Return what is written when a story is run on the reference."""
    run = Run(read({"profile": "ADMISSION"}, seed=1), announce=lambda _: None)
    run.begin()
    plane = next(plane for plane in planes() if plane.name == "reserves_through_a_held_local_queue")
    with closing(run):
        return StoryRunner(run, run.settings.dialects[0], plane.install).run(story).changes


@contextmanager
def running(*command):
    """Run a program meanwhile."""
    with subprocess.Popen(
        [*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def wait(condition, environment):
    """Wait until a command of the shell succeeds."""
    command = ["sh", "-c", f"until {condition}; do sleep 1; done"]
    subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)


def test_a_control_plane_is_explored_by_its_name(tmp_path):
    done = explore(
        "--control-plane", "reference", "--runs", "1", "--seed", "7", "--out", f"{tmp_path / 'out'}"
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[1] == "1 stories, 1 runs, 0 undetermined"
    assert "0 finding(s); seed 7" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "judges a check controller, and no subject is given"),
        (
            ["--subject", "external:", "--controller-name", NAME],
            "one that is started by hand (external:) cannot be",
        ),
        (["--subject", "reference", "--for", "soon"], "--for is 'soon', expected a time"),
        (["--subject", "reference", "--control-plane", "reference"], "explore plays Kueue itself"),
        (["--subject", "reference", "--against", "reference@v0.18"], "--against compares control planes"),
        (["--control-plane", "reference", "--against", "reference@x"], "unknown dialect"),
        (["--control-plane", "reference", "--known", "AC-380"], "--known is for check controllers"),
        (["--subject", "reference", "--known", "AC-380"], "--known is 'AC-380', which is no safety rule"),
    ],
)
def test_what_it_cannot_do_is_said_with_a_next_step(words, message, tmp_path):
    done = explore(*words, "--out", f"{tmp_path}")

    assert done.returncode == 4, done.stdout
    assert message in done.stderr
    assert "hint: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("known", "code", "output"),
    [((), 1, "CC-033  (3 of 3, seed 1)"), (("CC-033",), 0, "CC-033: not seen in 3 runs")],
    ids=["judged", "known"],
)
def test_a_finding_is_run_again_without_the_rules_that_were_left_out(tmp_path, known, code, output):
    lines = ["submit w1", "decide w1 Retry", "settle", "requeue w1", "settle"]
    finding = Finding(
        story=ControllerStory(acts=tuple(map(ControllerAct.of, lines)), workloads=1),
        perturbation=None,
        seed=1,
        identity=Identity(dialect="v0.20", known_breaches=known),
        cause="CC-033",
        text="",
    )
    subject = [
        "--subject",
        f"{CLASSES}verdicts:DropsTheRetryCount.serve",
        "--subject-file",
        f"{ZOO / 'wrong.yaml'}",
    ]

    done = explore(*subject, "--replay", f"{write_finding(finding, tmp_path)}")

    assert (done.returncode, done.stderr) == (code, "")
    assert output in done.stdout


def test_a_finding_of_a_control_plane_says_what_it_is_run_on(tmp_path):
    finding = Finding(
        story=PlaneStory(acts=(Act.of("flavor f1"), Act.of("queue q1 quota=f1:4"))),
        perturbation=None,
        seed=1,
        identity=Identity(dialect="docs-2024", control_plane="reference"),
        cause="model:hold",
        text="",
    )

    done = explore("--replay", f"{write_finding(finding, tmp_path)}")

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("model:hold: not seen in 3 runs")


def test_a_finding_of_another_version_is_refused(tmp_path):
    file = tmp_path / "0001.yaml"
    file.write_text("exploration: 1\n")

    done = explore("--replay", f"{file}")

    assert done.returncode == 4
    assert "is no finding of version 2: `exploration` is 1" in done.stderr
    assert "Traceback" not in done.stderr

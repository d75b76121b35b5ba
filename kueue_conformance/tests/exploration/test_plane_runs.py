"""Stories on the reference: it bears them and every perturbation; wrong control planes are found."""

from contextlib import closing, nullcontext
from dataclasses import replace

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli.exploration_run import ExploreOptions, Limit
from kueue_conformance.cli.explore_control_plane import explore_control_plane
from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.differential import DifferentialRunner
from kueue_conformance.exploration.control_planes.drawing.drawn_story import draw_story
from kueue_conformance.exploration.control_planes.story import Story
from kueue_conformance.exploration.control_planes.story_run import StoryRunner
from kueue_conformance.exploration.findings import Finding, Identity, read_finding, write_finding
from kueue_conformance.exploration.interruptions import KINDS
from kueue_conformance.exploration.perturbation import Perturbation
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.planes import planes


@pytest.fixture(scope="module")
def run():
    run = Run(read({"profile": "ADMISSION"}, seed=1), announce=lambda _: None)
    run.begin()
    with closing(run):
        yield run


def runner(run, wrong=""):
    plane = next((plane for plane in planes() if plane.name == wrong), None)
    return StoryRunner(run, run.settings.dialects[0], plane.install if plane else nullcontext)


def story(*lines):
    return Story(acts=tuple(map(Act.of, lines)))


QUEUE = ["flavor f1", "check k1", "queue q1 quota=f1:4 checks=k1", "local l1 of=q1", "settle"]
ADMITTED = story(*QUEUE, "submit w1 to=l1 form=job pods=2x1", "settle", "approve", "settle")
SUBMISSION = 6


def test_the_reference_bears_drawn_stories(run):
    reference = runner(run)

    results = {seed: reference.run(draw_story(seed)) for seed in range(1, 6)}

    assert {seed: result for seed, result in results.items() if result.breach or result.undetermined} == {}


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_reference_bears_every_perturbation(run, kind):
    reference = runner(run)

    result = reference.run(ADMITTED, Perturbation(kind, SUBMISSION))

    assert (result.breach, result.undetermined, result.was_met) == (None, "", True)


def test_the_oldest_release_bears_a_time_limit_and_a_preemption():
    oldest = Run(read({"profile": "ADMISSION", "dialect": "v0.6"}, seed=1), announce=lambda _: None)
    oldest.begin()
    acts = story(
        "flavor f1",
        "cohort c1 quota=f1:4",
        "queue q1 quota=f1:2 cohort=c1 within=LowerPriority",
        "local l1 of=q1",
        "submit w1 to=l1 form=job pods=1x2 limit=60",
        "settle",
        "submit w2 to=l1 pods=1x2 priority=5",
        "settle",
    )
    with closing(oldest):
        end = runner(oldest).run_once(acts, None)

    assert (end.result.breach, end.result.undetermined) == (None, "")
    assert end.rests[0]["Job w1"]["suspend"] is False, "its Workload is not made again and again"
    assert end.rests[-1]["Workload w2"]["Admitted"] == ("True", "Admitted")


def test_a_run_is_the_same_each_time(run):
    first, second = (runner(run).run_once(ADMITTED, None) for _ in range(2))

    assert first == second
    assert first.result.writes[SUBMISSION] > 3, "a Workload is made, gets quota, and lists its check"
    assert first.rests[-1]["Workload w1"]["Admitted"] == ("True", "Admitted")
    assert first.rests[-1]["Job w1"]["suspend"] is False


def test_what_cannot_be_done_is_left_undone(run):
    end = runner(run).run_once(
        story(
            "queue q1", "queue q1", "local l1 of=q1", "submit w1 to=l1", "finish w1", "delete q1", "stop q1"
        ),
        None,
    )

    assert end.outcomes == [
        *("done q1", "HTTP 409", "done l1", "done w1"),
        *("nothing to do", "done q1", "HTTP 404"),
    ]


def test_what_cannot_be_done_on_a_workload_is_done_on_another_one(run):
    end = runner(run).run_once(
        story(
            "flavor f1",
            "queue q1 quota=f1:4",
            "local l1 of=q1",
            "submit w1 to=l1 pods=1x9",
            "submit w2 to=l1 pods=1x1",
            "settle",
            "finish w1",
            "finish w1",
        ),
        None,
    )

    assert end.outcomes[-2:] == ["done w2", "nothing to do"]


def test_a_verdict_is_given_on_a_check_that_the_workload_lists(run):
    end = runner(run).run_once(
        story(
            *("flavor f1", "check k1", "check k2", "queue q1 quota=f1:4 checks=k2", "local l1 of=q1"),
            *("submit w1 to=l1 pods=1x1", "settle", "activate w1", "answer w1 check=k1 state=Ready"),
        ),
        None,
    )

    assert end.outcomes[-2:] == ["nothing to do", "done w1"]
    assert end.rests[-1]["Workload w1"]["Admitted"][0] == "True"


def test_all_checks_ask_for_a_retry_at_once(run):
    end = runner(run).run_once(
        story(
            *("flavor f1", "check k1", "check k2", "queue q1 quota=f1:4 checks=k1,k2", "local l1 of=q1"),
            *("submit w1 to=l1 pods=1x1", "settle"),
            *("answer w1 check=k2 state=Retry delay=30 others=yes", "settle"),
        ),
        None,
    )

    assert end.result.breach is None
    shown = end.rests[1]["Workload w1"]
    assert [shown["check k1"], shown["check k2"]] == [("Pending", 1), ("Pending", 1)]


def test_what_waits_has_quota_when_its_overhead_becomes_less(run):
    end = runner(run).run_once(
        story(
            *("runtime r1 cpu=3", "flavor f1", "queue q1 quota=f1:2", "local l1 of=q1"),
            *("submit w1 to=l1 pods=1x1 runtime=r1", "settle", "set-runtime r1 cpu=1", "settle"),
        ),
        None,
    )

    assert end.result.breach is None
    assert [rest["Workload w1"]["queue"] for rest in end.rests] == ["", "q1", "q1"]


def test_a_request_for_capacity_that_was_deleted_is_made_again(run):
    story_of_request = story(
        *("configure feature=provisioning", "flavor f1", "config g1", "check k1 config=g1"),
        *(
            "queue q1 quota=f1:4 checks=k1",
            "local l1 of=q1",
            "submit w1 to=l1 pods=1x1 parameter=a",
            "settle",
        ),
        *("drop-request w1", "settle"),
    )

    assert runner(run).run_once(story_of_request, None).outcomes[-1] == "done w1"
    assert runner(run).run(story_of_request).breach is None
    breach = runner(run, "overlooks_a_deleted_request").run(story_of_request).breach
    assert breach is not None
    assert breach.cause == "model:provisioning-requests"


def test_the_parameters_of_a_job_are_those_of_its_requests(run):
    of_job = story(
        *("configure feature=provisioning", "flavor f1", "config g1", "check k1 config=g1"),
        *("queue q1 quota=f1:4 checks=k1", "local l1 of=q1", "settle"),
        *("submit w1 to=l1 form=job pods=1x1 parameter=a", "settle"),
    )

    assert runner(run).run(of_job).breach is None
    breach = runner(run, "keeps_gates_but_no_parameters").run(of_job).breach
    assert breach is not None
    assert breach.cause == "model:provisioning-content"


def test_an_older_copy_may_reserve_quota_beside_a_move(run):
    """Kueue's apply of an admission does not say which copy it has read (AC-370)."""
    lines = (
        *("flavor f1", "queue q1 quota=f1:3", "local l1 of=q1"),
        *("submit w1 to=l1 form=job pods=3x1", "settle", "submit w2 to=l1 form=job pods=3x1", "settle"),
        *("move w2 to=l2", "deactivate w1", "settle"),
    )

    assert runner(run).run(story(*lines)).breach is None


HELD = story(
    "flavor f1",
    "queue q1 quota=f1:4",
    "local l1 of=q1",
    "stop l1 policy=Hold",
    "settle",
    "submit w1 to=l1",
    "settle",
)


def test_a_wrong_control_plane_breaks_a_rule_or_the_model(run):
    result = runner(run, "reserves_through_a_held_local_queue").run(HELD)

    assert result.breach is not None
    assert result.breach.cause == "model:hold"


def test_a_wrong_control_plane_differs_from_the_right_one(run):
    right, wrong = runner(run), runner(run, "reserves_through_a_held_local_queue")
    compared = DifferentialRunner(judged=wrong, other=right, name="the reference").run(HELD)

    assert compared.breach is not None
    assert DifferentialRunner(judged=runner(run), other=right, name="the reference").run(HELD).breach is None


def one_run(out):
    return ExploreOptions(limit=Limit(0, 1), out=out, tries=0)


def test_an_exploration_of_a_control_plane_writes_findings_that_can_be_run_again(tmp_path, capsys):
    settings = read({"profile": "ADMISSION"}, seed=1)
    plane = next(plane for plane in planes() if plane.name == "reserves_through_a_held_local_queue")
    file = write_finding(
        Finding(
            story=HELD,
            perturbation=None,
            seed=1,
            identity=Identity(dialect=settings.dialects[0].name, control_plane="reference"),
            cause="model:hold",
            text="",
        ),
        tmp_path,
    )

    with plane.install():
        wrong = explore_control_plane(settings, "", replace(one_run(tmp_path), file=file))
    right = explore_control_plane(settings, "", replace(one_run(tmp_path), file=file))

    assert (wrong, right) == (1, 0)
    assert "model:hold  (3 of 3, seed 1)" in capsys.readouterr().out


def test_what_is_found_can_be_done_by_hand(tmp_path, capsys):
    settings = read({"profile": "ADMISSION", "dialect": "v0.19", "seed": "14"}, seed=14)
    plane = next(plane for plane in planes() if plane.name == "prints_messages_of_checks_as_templates")

    with plane.install():
        explore_control_plane(settings, "", one_run(tmp_path))

    script = tmp_path / "0001.sh"
    out = capsys.readouterr().out
    assert f"by hand    sh {script}" in out
    assert f"test       python -m pytest {tmp_path}/0001_test.py" in out
    compile((tmp_path / "0001_test.py").read_text("utf-8"), "0001_test.py", "exec")
    written = [line.split()[:2] for line in script.read_text().splitlines() if line.startswith("kubectl")]
    assert ["kubectl", "create"] in written
    assert ["kubectl", "patch"] in written, "verdicts of the check controller"
    assert not (tmp_path / "0002.sh").exists()


def test_two_dialects_are_compared(tmp_path, capsys):
    settings = read({"profile": "ADMISSION"}, seed=1)

    code = explore_control_plane(settings, "reference@v0.18", one_run(tmp_path))

    assert code == 1
    assert "differs:" in capsys.readouterr().out
    assert not [*tmp_path.glob("*_test.py")], "a test has one program"
    assert [read_finding(file).identity.against for file in sorted(tmp_path.glob("*.yaml"))] == [
        "reference@v0.18"
    ]


@pytest.mark.parametrize(
    ("words", "against", "message"),
    [
        ({"control-plane": "reference:deployed"}, "", "runs a control plane in this process"),
        ({"control-plane": "upstream:x", "backend": "envtest"}, "", "is compared with the reference"),
        (
            {"control-plane": "upstream:x", "backend": "envtest"},
            "upstream:y",
            "is compared with the reference",
        ),
        ({}, "upstream", "--backend is fake"),
        ({}, "scripted", "expected the reference or a real Kueue"),
        ({}, "reference", "is the control plane that is explored"),
        ({}, "reference@v9", "dialect"),
    ],
)
def test_what_cannot_be_explored_is_said_with_a_next_step(words, against, message, tmp_path):
    settings = read({"profile": "ADMISSION", **words}, seed=1)

    with pytest.raises(UsageError, match=message) as refusal:
        explore_control_plane(settings, against, one_run(tmp_path))

    assert refusal.value.hint

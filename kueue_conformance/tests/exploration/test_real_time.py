"""The reference on virtual time beside a control plane in real time, on an API server of its own."""

from contextlib import ExitStack, closing, nullcontext

import pytest

from fakecluster.envtest.install import install
from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.differential import DifferentialRunner
from kueue_conformance.exploration.control_planes.drawing.drawn_story import draw_story
from kueue_conformance.exploration.control_planes.end_states import StoryEnd, Timing, compare
from kueue_conformance.exploration.control_planes.real_time import adapt_to_real_time
from kueue_conformance.exploration.control_planes.story import Story
from kueue_conformance.exploration.control_planes.story_run import StoryRunner
from kueue_conformance.exploration.story import RunResult
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.planes import planes


def story(*lines):
    return Story(acts=tuple(map(Act.of, lines)))


def played(*lines):
    return [str(act) for act in adapt_to_real_time(story(*lines)).acts]


def test_everything_is_at_rest_behind_each_act():
    assert played(
        "flavor f1", "queue q1 quota=f1:4", "local l1 of=q1", "submit w1 to=l1 pods=1x1", "finish w1"
    ) == [
        "configure feature=webhooks",
        "flavor f1",
        "queue q1 quota=f1:4",
        "local l1 of=q1",
        "submit w1 to=l1 pods=1x1",
        "settle",
        "finish w1",
        "settle",
    ]


def test_what_takes_longer_than_a_rest_is_left_out():
    acts = played("flavor f1", "submit w1 pods=1x1 limit=60", "wait seconds=90", "restart")

    assert acts[2:] == ["submit w1 pods=1x1", "settle"]


def test_one_check_alone_is_kueues_own():
    # Of two that cannot make their requests either is told of first (PA-156).
    acts = played("config g1", "check k1 config=g1", "check k2 config=g1", "check k3")

    assert acts[2:] == ["check k1 config=g1", "check k2", "check k3"]


@pytest.mark.parametrize("seed", range(1, 30))
def test_a_story_in_real_time_stays_as_it_is(seed):
    once = adapt_to_real_time(draw_story(seed))

    assert adapt_to_real_time(once) == once


def end(*rests, outcomes=()):
    return StoryEnd(RunResult(), rests, outcomes)


def test_times_and_numbers_of_events_are_not_compared():
    virtual = {"Workload w1": {"time spent": 30, "queue": "q1"}, "Events w1": {"Pending": 2}}
    real = {"Workload w1": {"time spent": 7, "queue": "q1"}, "Events w1": {"Pending": 1}}

    assert compare(end(virtual), end(real), "in real time", Timing.REAL) is None
    assert compare(end(virtual), end(real), "in the other").cause == "differs:Events.Pending"


def test_an_act_that_is_answered_otherwise_differs():
    breach = compare(
        end(outcomes=["done w1", "done w2"]), end(outcomes=["done w1", "HTTP 403"]), "in the other"
    )

    assert breach.cause == "differs:Act.outcome"
    assert "Act 2: outcome is HTTP 403" in breach.text


HELD = adapt_to_real_time(
    story(
        "flavor f1",
        "queue q1 quota=f1:4",
        "local l1 of=q1",
        "stop l1 policy=Hold",
        "submit w1 to=l1 pods=1x1",
        "stop l1 policy=None",
    )
)


@pytest.fixture
def start_run(tmp_path, monkeypatch):
    """Returns a run that has begun, with these options; each ends with the test."""
    install(tmp_path)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path))
    with ExitStack() as stack:

        def start(**options):
            run = stack.enter_context(closing(Run(read(options, seed=1), announce=lambda _: None)))
            run.begin()
            return run

        yield start


@pytest.mark.parametrize(
    ("wrong", "is_found"),
    [("", False), ("reserves_through_a_held_local_queue", True)],
    ids=["right", "wrong"],
)
def test_a_control_plane_is_compared_with_one_in_real_time(start_run, wrong, is_found):
    plane = next((plane for plane in planes() if plane.name == wrong), None)
    virtual = start_run(profile="ADMISSION")
    real = start_run(
        **{
            "profile": "ADMISSION",
            "backend": "envtest",
            "control-plane": "reference",
            "allow-fake-assets": "1",
        }
    )
    dialect = virtual.settings.dialects[0]
    judged = StoryRunner(virtual, dialect, plane.install if plane else nullcontext)
    beside = DifferentialRunner(
        judged=judged, other=StoryRunner(real, dialect), name="real time", timing=Timing.REAL
    )

    result = beside.run(HELD)

    assert (result.breach is not None, result.undetermined) == (is_found, "")

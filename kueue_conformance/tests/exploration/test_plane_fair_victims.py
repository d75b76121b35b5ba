"""The statement about victims of fair sharing: wrong control planes break it, no right one."""

from contextlib import closing, nullcontext

import pytest

from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.story import Story
from kueue_conformance.exploration.control_planes.story_run import StoryRunner
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.planes import planes


@pytest.fixture(scope="module")
def run():
    run = Run(read({"profile": "ADMISSION", "dialect": "v0.19"}, seed=1), announce=lambda _: None)
    run.begin()
    with closing(run):
        yield run


def result(run, lines, wrong=""):
    """Return what becomes of a story."""
    plane = next(plane for plane in planes() if plane.name == wrong) if wrong else None
    runner = StoryRunner(run, run.settings.dialects[0], plane.install if plane else nullcontext)
    return runner.run_once(Story(acts=tuple(map(Act.of, lines))), None).result


def two_queues(quota, first="", second=""):
    """Return acts that create two ClusterQueues without quota in one Cohort."""
    return [
        *("configure feature=fair-sharing", "flavor f1", f"cohort c1 quota=f1:{quota}"),
        f"queue q1 quota=f1:0 cohort=c1 reclaim=Any {first}".strip(),
        f"queue q2 quota=f1:0 cohort=c1 reclaim=Any {second}".strip(),
        *("local l1 of=q1", "local l2 of=q2", "settle"),
    ]


EQUALS = [*two_queues(4), "submit w1 to=l1 pods=1x3", "settle", "submit w2 to=l2 pods=1x3", "settle"]
BY_SHARES = [*two_queues(4), "submit w1 to=l1 pods=1x4", "settle", "submit w2 to=l2 pods=1x3", "settle"]
WEIGHTS = [
    *two_queues(4, second="weight=500m"),
    *("submit w1 to=l1 pods=1x4", "settle", "submit w2 to=l2 pods=1x3", "settle"),
]
SIDES = [
    *("configure feature=fair-sharing", "flavor f1", "cohort c1 quota=f1:6", "cohort c2 parent=c1"),
    *("queue q1 quota=f1:0 cohort=c1 reclaim=Any", "queue q2 quota=f1:0 cohort=c2 reclaim=Any"),
    *("queue q3 quota=f1:0 cohort=c2", "local l1 of=q1", "local l2 of=q2", "local l3 of=q3", "settle"),
    *("submit w1 to=l1 pods=1x3", "settle", "submit w2 to=l3 pods=1x2", "settle"),
    *("submit w3 to=l2 pods=1x2", "settle"),
]
PARTIAL = [
    *("configure feature=fair-sharing", "flavor f1", "cohort c1 quota=f1:2"),
    "queue q1 quota=f1:2 cohort=c1 weight=500m reclaim=LowerPriority",
    *("queue q2 quota=f1:0 cohort=c1", "local l1 of=q1", "local l2 of=q2", "settle"),
    *("submit w1 to=l2 pods=1x3 priority=1", "settle", "submit w2 to=l1 pods=2x2 min=1 priority=5", "settle"),
]


@pytest.mark.parametrize(
    ("wrong", "lines"),
    [
        # Each of the two takes from the other, without end.
        ("takes_from_equals", EQUALS),
        ("compares_queues_and_not_sides", SIDES),
    ],
    ids=["takes_from_equals", "compares_queues_and_not_sides"],
)
def test_a_wrong_control_plane_breaks_the_statement(run, wrong, lines):
    right = result(run, lines)
    assert (right.breach, right.undetermined) == (None, "")
    breach = result(run, lines, wrong).breach
    assert breach is not None
    assert breach.cause == "model:fair-victims"


@pytest.mark.parametrize("lines", [BY_SHARES, WEIGHTS], ids=["by shares", "by weights"])
def test_what_shares_allow_or_forbid_is_no_finding(run, lines):
    right = result(run, lines)
    assert (right.breach, right.undetermined) == (None, "")


def test_preemption_without_end_that_shares_allow_is_undetermined(run):
    right = result(run, PARTIAL)
    assert right.breach is None
    assert "nothing comes to rest" in right.undetermined


def test_what_waits_in_a_cohort_that_a_queue_has_left_is_no_finding(run):
    lines = [
        *(
            "flavor f1",
            "cohort c1 quota=f1:4",
            "queue q1 quota=f1:0 cohort=c1",
            "queue q2 quota=f1:0 cohort=c1",
        ),
        *("local l1 of=q1", "local l2 of=q2", "settle", "submit w1 to=l2 pods=1x2", "settle"),
        *("submit w2 to=l1 pods=1x3", "settle", "set-cohort q2", "settle"),
    ]
    assert result(run, lines).breach is None

"""Statements about victims, amounts, delays and requests: wrong control planes break them, no right one."""

from contextlib import closing, nullcontext

import pytest

from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.story import Story
from kueue_conformance.exploration.control_planes.story_run import StoryRunner
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.planes import planes


def begun():
    run = Run(read({"profile": "ADMISSION", "dialect": "v0.19"}, seed=1), announce=lambda _: None)
    run.begin()
    return run


@pytest.fixture(scope="module")
def run():
    with closing(begun()) as run:
        yield run


def breach(run, lines, wrong=""):
    """Return the cause of what breaks in a story, empty for nothing."""
    plane = next(plane for plane in planes() if plane.name == wrong) if wrong else None
    runner = StoryRunner(run, run.settings.dialects[0], plane.install if plane else nullcontext)
    found = runner.run_once(Story(acts=tuple(map(Act.of, lines))), None).result.breach
    return found.cause if found else ""


ONE_QUEUE = ["flavor f1", "queue q1 quota=f1:2 within=LowerPriority", "local l1 of=q1", "settle"]
OF_ONE_AGE = [
    *ONE_QUEUE,
    *("submit w1 to=l1 pods=1x1", "settle", "submit w2 to=l1 pods=1x1", "settle"),
    *("submit w3 to=l1 pods=1x1 priority=5", "settle"),
]
RECLAIM = [
    *("flavor f1", "cohort c1"),
    "queue q1 quota=f1:2 cohort=c1 within=LowerPriority reclaim=Any",
    *("queue q2 quota=f1:1 cohort=c1", "local l1 of=q1", "local l2 of=q2", "settle"),
    *("submit w1 to=l1 pods=1x1", "settle", "submit w2 to=l2 pods=1x2", "settle"),
    *("submit w3 to=l1 pods=1x1 priority=5", "settle"),
]
NOT_NEEDED = [
    *("flavor f1", "queue q1 quota=f1:4 within=LowerPriority", "local l1 of=q1", "settle"),
    *("submit w1 to=l1 pods=1x3 priority=1", "settle", "submit w2 to=l1 pods=1x1", "settle"),
    *("submit w3 to=l1 pods=1x3 priority=5", "settle"),
]
TWO_PODS = [
    "flavor f1",
    "queue q1 quota=f1:9",
    "local l1 of=q1",
    "settle",
    "submit w1 to=l1 pods=2x3",
    "settle",
]
NEXT_FLAVOR = [
    *("flavor f1", "flavor f2", "cohort c1", "queue q2 quota=f1:4 cohort=c1"),
    "queue q1 quota=f1:1,f2:4 cohort=c1 borrowing=TryNextFlavor",
    *("local l1 of=q1", "settle", "submit w1 to=l1 pods=1x2", "settle"),
]
DELAYED = [
    *("flavor f1", "check k1", "queue q1 quota=f1:4 checks=k1", "local l1 of=q1", "settle"),
    *("submit w1 to=l1 pods=1x1", "settle", "answer w1 check=k1 state=Retry delay=90", "settle"),
]
NOT_READY = [
    *("configure feature=short-recovery", "flavor f1", "queue q1 quota=f1:4", "local l1 of=q1", "settle"),
    *("submit w1 to=l1 pods=1x1", "settle", "pods w1 active=1 ready=yes", "settle"),
    *("pods w1 active=1 ready=no", "settle", "wait seconds=90", "settle"),
]
REQUESTS = ["configure feature=webhooks", "request of=Workload-podSets-19", "request of=accepted-1", "settle"]
CASES = [
    ("evicts_the_oldest_first", OF_ONE_AGE, "model:victims"),
    ("evicts_its_own_first", RECLAIM, "model:victims"),
    ("fills_nothing_back", NOT_NEEDED, "model:victims"),
    ("tells_amounts_of_one_pod", TWO_PODS, "model:amounts"),
    ("never_looks_for_a_flavor_without_borrowing", NEXT_FLAVOR, "model:first-flavor"),
    ("waits_a_minute_less", DELAYED, "model:requeue-time"),
    ("waits_for_half_the_base", NOT_READY, "model:delays"),
]


@pytest.mark.parametrize(("wrong", "lines", "cause"), CASES, ids=[case[0] for case in CASES])
def test_a_wrong_control_plane_breaks_the_statement(run, wrong, lines, cause):
    assert breach(run, lines) == ""
    assert breach(run, lines, wrong) == cause


def test_a_request_that_the_definitions_refuse_is_not_taken(run):
    assert breach(run, REQUESTS) == ""
    # What a cluster is prepared with is prepared once in a run.
    with closing(begun()) as other:
        assert breach(other, REQUESTS, "takes_a_pod_set_too_many") == "model:boundaries"


NESTED = [
    *("flavor f1", "cohort c1 quota=f1:0", "cohort c2 quota=f1:0 parent=c1", "queue q2 quota=f1:0 cohort=c1"),
    "queue q1 quota=f1:4 cohort=c2 within=LowerPriority",
    *("local l1 of=q1", "settle", "submit w1 to=l1 pods=1x3 priority=1", "settle"),
    *("submit w2 to=l1 pods=1x1", "settle", "submit w3 to=l1 pods=1x3 priority=5", "settle"),
]
FAIR = ["configure feature=fair-sharing", *NESTED]


@pytest.mark.parametrize(
    ("wrong", "lines"),
    [("fills_nothing_back", NESTED), ("puts_no_fair_victim_back", FAIR)],
    ids=["cohorts of two levels", "fair sharing"],
)
def test_a_victim_that_is_not_needed_is_told(run, wrong, lines):
    assert breach(run, lines) == ""
    assert breach(run, lines, wrong) == "model:victims"

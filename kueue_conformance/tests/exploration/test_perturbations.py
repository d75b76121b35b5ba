"""Every perturbation is brought about on a real program: a right one bears it, a wrong one is found by it."""

import sys
from contextlib import closing
from dataclasses import replace

import pytest

from kueue_conformance.cli.subject_roles import controller_program
from kueue_conformance.exploration.check_controllers import perturbations as kinds
from kueue_conformance.exploration.check_controllers.acts import Act
from kueue_conformance.exploration.check_controllers.story import PLAIN, Story
from kueue_conformance.exploration.check_controllers.story_run import StoryRunner
from kueue_conformance.exploration.perturbation import Perturbation
from kueue_conformance.options import read
from kueue_conformance.run import Run
from kueue_conformance.scenarios.capability import Capability

from ..first_hour.controllers import EXAMPLE, NAME
from ..first_hour.test_typical_bugs import DROPPED_CONFLICT
from ..killing.judging import CLASSES
from .strength import explore, settings_of


def story(*lines):
    return Story(acts=tuple(map(Act.of, lines)), workloads=1, foreign_checks=(PLAIN,))


STORY = story("submit w1", "settle", "decide w1 Ready", "settle", "requeue w1", "settle")
DECISION, REQUEUE = 3, 5
OF_A_CHECK = story("submit w1", "settle", "drop-check c1", "settle", "create-check c1", "settle")
CREATION = 5
OF_WORK = story("submit w1", "settle", "finish w1", "settle")
BEGINNING, END = 1, 3
REPLICAS = "python:kueue_conformance.tests.exploration.succeeding_replicas:"
RIGHT = f"{CLASSES}right:CheckController"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def story_runner(program):
    settings = read(
        {
            "profile": "CHECK-CONTROLLER",
            "subject": f"process:{sys.executable} {program}",
            "controller-name": NAME,
        },
        seed=1,
    )
    run = Run(settings, announce=lambda _: None)
    run.begin()
    return run, StoryRunner(run, settings.dialects[0], settings.seed)


def case_of(kind):
    """Return a story and a perturbation where it shows most: a restart, and a late answer, when a verdict was
    given.
    """
    if kind in kinds.OF_CHECKS:
        return OF_A_CHECK, Perturbation(kind, CREATION)
    if kind in kinds.OF_WORK:
        return OF_WORK, Perturbation(kind, END if kind is kinds.END_OF_WORK_REFUSED else BEGINNING)
    is_late = kind.restarts or kind is kinds.LATE_DECISION
    return STORY, Perturbation(kind, REQUEUE if is_late else DECISION)


@pytest.mark.acceptance
def test_a_right_controller_bears_every_one():
    run, runner = story_runner(EXAMPLE / "controller.py")
    with closing(run):
        alone = runner.run(STORY)
        # What takes a while in real time is borne on virtual time below.
        in_time = set(kinds.KINDS) - kinds.DELAYING - set(kinds.OF_WORK)
        disturbed = {kind: runner.run(*case_of(kind)) for kind in in_time}

    assert (alone.breach, alone.undetermined) == (None, "")
    # A verdict is written behind the decision, and another one behind the requeue.
    assert sum(alone.writes[DECISION - 1 : REQUEUE - 1]) >= 1
    assert sum(alone.writes[REQUEUE - 1 :]) >= 1
    assert {kind: result.breach for kind, result in disturbed.items() if result.breach} == {}
    assert [kind for kind, result in disturbed.items() if not result.was_met] == []


@pytest.mark.acceptance
def test_a_controller_that_drops_a_refused_verdict_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLE))
    program = tmp_path / "subject.py"
    program.write_text(DROPPED_CONFLICT)
    run, runner = story_runner(program)
    with closing(run):
        result = runner.run(STORY, Perturbation(kinds.CONFLICT, DECISION), patient=False)

    assert result.breach is not None
    assert "Pending" in result.breach.text


def test_the_right_controller_of_the_zoo_bears_every_one():
    settings = settings_of("right:CheckController")
    run = Run(settings, announce=lambda _: None)
    run.begin()
    with closing(run):
        runner = StoryRunner(run, settings.dialects[0], settings.seed)
        disturbed = {kind: runner.run(*case_of(kind)) for kind in kinds.KINDS}

    assert {kind: result.breach for kind, result in disturbed.items() if result.breach} == {}
    assert [kind for kind, result in disturbed.items() if not result.was_met] == []


def test_the_right_controller_of_the_zoo_breaks_nothing():
    outcome = explore("right:CheckController", 1, lambda runs: runs >= 15)

    assert (outcome.is_found, outcome.text) == (False, "NOT FOUND")
    assert outcome.runs >= 15


# The first stories that show it: others are about something else.
@pytest.mark.parametrize(
    ("controller", "seed"),
    [
        ("verdicts:AnswersOnce", 2),
        ("timing:AnswersAfterTheQuotaIsLost", 10),
        ("timing:DeniesBeforeReservation", 1),
    ],
)
def test_a_wrong_controller_of_the_zoo_is_found_untold(controller, seed):
    assert explore(controller, seed, lambda runs: runs >= 60)[0]


@pytest.mark.parametrize(
    ("controller", "is_broken"), [("restarts:NeverTakesOver", True), ("right:CheckController", False)]
)
def test_a_replica_that_waits_for_a_dead_leader_is_found(controller, is_broken):
    run = Run(settings_of(controller), announce=lambda _: None)
    run.begin()
    with closing(run):
        runner = StoryRunner(run, run.settings.dialects[0], run.settings.seed)
        result = runner.run(STORY, Perturbation(kinds.LEADER_KILLED, REQUEUE), patient=False)

    assert (result.breach is not None) == is_broken
    assert not is_broken or "it is Pending" in result.breach.text


EVICTED = story("submit w1", "settle", "evict w1", "decide w1 Ready", "settle")
EVICTION = 3


@pytest.mark.parametrize(
    ("controller", "is_broken"), [(f"{REPLICAS}TrustsItsCopyAsASuccessor", True), (RIGHT, False)]
)
def test_a_successor_that_leads_by_what_it_has_read_before_is_found(controller, is_broken):
    settings = settings_of("right:CheckController")
    subject = replace(settings.subject, connect=f"{controller}.serve")
    run = Run(replace(settings, subject=subject), announce=lambda _: None)
    run.begin()
    with closing(run):
        runner = StoryRunner(run, settings.dialects[0], settings.seed)
        by_kind = {
            kind: runner.run(EVICTED, Perturbation(kind, EVICTION) if kind else None)
            for kind in (None, kinds.FROZEN, kinds.LEADER_KILLED, kinds.STALE_SUCCESSOR)
        }

    broken = [kind for kind, result in by_kind.items() if result.breach]
    assert broken == ([kinds.STALE_SUCCESSOR] if is_broken else [])
    assert not is_broken or "it is Ready" in by_kind[kinds.STALE_SUCCESSOR].breach.text


@pytest.mark.parametrize(
    ("capabilities", "is_planned"),
    [(None, False), ({Capability.READY}, False), ({Capability.READY, Capability.LEADER_ELECTION}, True)],
    ids=["nothing is declared", "others are", "it is"],
)
def test_a_leader_is_killed_where_leader_election_is_declared(capabilities, is_planned):
    settings = settings_of("right:CheckController")
    declared = None if capabilities is None else frozenset(capabilities)
    subject = replace(settings.subject, capabilities=declared)
    with closing(Run(replace(settings, subject=subject), announce=lambda _: None)) as run:
        program = controller_program(run, {})

    planned = program.plan(STORY, [1] * len(STORY.acts), 1, 1000)
    drawn = {perturbation.kind for perturbation in planned}
    assert drawn & {*kinds.OF_LEADERS} == ({*kinds.OF_LEADERS} if is_planned else set())
    assert all((kind.name not in program.vocabulary.impossible) == is_planned for kind in kinds.OF_LEADERS)


def run_on(controller, *lines, workloads=1):
    run = Run(settings_of(controller), announce=lambda _: None)
    run.begin()
    with closing(run):
        acts = tuple(map(Act.of, lines))
        runner = StoryRunner(run, run.settings.dialects[0], run.settings.seed)
        return runner.run(Story(acts=acts, workloads=workloads), patient=False).breach


@pytest.mark.parametrize(
    ("controller", "lines", "workloads", "text"),
    [
        ("activity:IsActiveFirst", ["drop-check c1", "create-check c1 Missing"], 1, "was Active"),
        ("lifecycle:FreesItsChecks", ["mark-check c1 InUse", "settle", "drop-check c1"], 1, "is gone"),
        (
            "lifecycle:EndsWorkOfEverybody",
            ["submit w1", "submit w2", "settle", "finish w1"],
            2,
            "is the one that was begun",
        ),
        ("timing:AsksBeforeReservation", ["create w1", "list w1"], 1, "before it has quota"),
    ],
)
def test_what_the_model_says_tells_a_wrong_one_from_the_right_one(controller, lines, workloads, text):
    assert text in run_on(controller, *lines, workloads=workloads).text
    assert run_on("right:CheckController", *lines, workloads=workloads) is None


def test_a_controller_that_pauses_after_trouble_is_waited_for():
    lines = ["submit w1", "trouble w1 Nonsense", "settle", "idle", "decide w1 Ready", "settle"]

    assert run_on("right:CheckController", *lines) is None


def test_marks_that_come_and_go_are_borne():
    lines = ["mark-check c1", "unmark-check c1", "mark-check c1", "settle", "unmark-check c1"]

    assert run_on("right:CheckController", *lines) is None

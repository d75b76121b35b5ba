"""Findings: planned perturbations, shorter stories, rates, files."""

import random
import re
from contextlib import closing
from dataclasses import replace

import pytest
import yaml

from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli.subject_roles import controller_program
from kueue_conformance.exploration.check_controllers import perturbations as kinds
from kueue_conformance.exploration.check_controllers.acts import SETTLE, Act, Verb
from kueue_conformance.exploration.check_controllers.drawing import draw_story
from kueue_conformance.exploration.check_controllers.drawing_limits import DrawingLimits
from kueue_conformance.exploration.check_controllers.model import are_legal
from kueue_conformance.exploration.check_controllers.story import PLAIN, Story
from kueue_conformance.exploration.exploration import Exploration, ExploredProgram, repeat
from kueue_conformance.exploration.findings import Finding, Identity, read_finding, write_finding
from kueue_conformance.exploration.judgement import outcome_of_errors
from kueue_conformance.exploration.perturbation import Perturbation
from kueue_conformance.exploration.shrinking import shrink
from kueue_conformance.exploration.story import END_STATE, Breach, RunResult
from kueue_conformance.run import Run

from .strength import settings_of

LINES = [
    "submit w1",
    "submit w2",
    "decide w2 Rejected",
    "settle",
    "decide w1 Ready",
    "settle",
    "requeue w1",
    "annotate w2",
    "settle",
]
STORY = Story(acts=tuple(map(Act.of, LINES)), workloads=2, foreign_checks=(PLAIN,))
FINDING = Finding(
    story=STORY,
    perturbation=Perturbation(kinds.CONFLICT, 5),
    seed=7,
    identity=Identity(dialect="v0.20"),
    cause=END_STATE,
    text="  expected   Ready\n  observed   Pending",
    failed=2,
    runs=3,
)
BREACH = RunResult(breach=Breach(cause=END_STATE, text="  observed   it is Pending"))


def forgets_after_a_requeue(story, perturbation, **_):
    """Return what a controller shows that answers once per Workload."""
    answered, forgotten = set(), False
    for act in story.acts:
        if act.verb is Verb.DECIDE:
            answered.add(act.workload)
        forgotten |= act.verb is Verb.REQUEUE and act.workload in answered
    return BREACH if forgotten else RunResult(writes=(1,) * len(story.acts))


def loses_a_conflict(story, perturbation, **_):
    """Return what a controller shows that drops a verdict which was refused with 409."""
    broken = perturbation is not None and perturbation.kind is kinds.CONFLICT
    return BREACH if broken else RunResult(writes=(1,) * len(story.acts))


def explore(run, runs=40, allowed=kinds.KINDS):
    program = ExploredProgram(
        run=run,
        draw=lambda seed: draw_story(seed, DrawingLimits()),
        plan=lambda story, writes, seed, number: kinds.plan(story.acts, writes, seed, number, allowed),
        identity=Identity(dialect="v0.20"),
    )
    exploration = Exploration(program=program, seed=1, is_over=lambda: exploration.coverage.runs >= runs)
    return list(exploration.findings()), exploration


def test_a_right_controller_has_no_finding():
    findings, exploration = explore(lambda story, perturbation, **_: RunResult(writes=(1,) * len(story.acts)))

    assert findings == []
    assert exploration.coverage.runs == 40
    assert sum(exploration.coverage.perturbations.values()) > 20


def test_a_finding_is_as_short_as_it_can_be_and_comes_once():
    findings, exploration = explore(forgets_after_a_requeue, runs=200)

    assert [finding.cause for finding in findings] == [END_STATE]
    story = findings[0].story
    # A third of it: pairs such as cancel and reserve stay, since neither is legal without the other.
    assert len(story.acts) <= 8
    assert Verb.REQUEUE in {act.verb for act in story.acts}
    assert len({act.workload for act in story.acts if act != SETTLE}) == 1
    assert findings[0].perturbation is None
    assert findings[0].rate == "3 of 3"
    [seeds] = exploration.causes.values()
    assert seeds[0] == findings[0].seed
    assert len(seeds) > 1


def test_one_perturbation_is_part_of_a_finding_where_it_is_needed():
    findings, _ = explore(loses_a_conflict, runs=200)

    assert [finding.perturbation.kind for finding in findings] == [kinds.CONFLICT]
    # Nothing but the act at which it begins is left, with what has to come before that.
    assert len(findings[0].story.acts) <= 3


def test_what_did_not_meet_its_write_is_no_finding():
    unmet = replace(BREACH, was_met=False)
    findings, exploration = explore(
        lambda story, perturbation, **_: unmet if perturbation else RunResult(writes=(1,) * len(story.acts))
    )

    assert findings == []
    assert exploration.coverage.unmet.total() > 0


def test_a_controller_that_cannot_be_restarted_is_not_killed():
    _, exploration = explore(
        lambda story, *_, **__: RunResult(writes=(1,) * len(story.acts)),
        runs=300,
        allowed=[kind for kind in kinds.KINDS if not kind.restarts],
    )

    assert set(exploration.coverage.perturbations) == {kind.name for kind in kinds.KINDS if not kind.restarts}


def test_a_race_is_told_with_its_rate():
    draw = random.Random(3)

    now = repeat(FINDING, lambda *_, **__: BREACH if draw.random() < 0.5 else RunResult(), times=20)

    assert 0 < now.failed < 20
    assert now.rate == f"flaky, {now.failed} of 20"


@pytest.mark.parametrize(("known", "cause"), [((), "CC-033"), (("CC-033",), "")])
def test_a_breach_that_is_known_is_no_finding(known, cause):
    run = Run(
        replace(settings_of("verdicts:DropsTheRetryCount"), known_breaches=known),
        announce=lambda _: None,
    )
    run.begin()
    lines = ["submit w1", "decide w1 Retry", "settle", "requeue w1", "settle"]
    story = Story(acts=tuple(map(Act.of, lines)), workloads=1)
    with closing(run):
        result = controller_program(run, {}).run(story, None)

    assert (result.breach.cause if result.breach else "", result.undetermined) == (cause, "")


def test_what_one_race_decides_makes_no_story_shorter():
    runs = iter([True, False] * 50)

    shortest, perturbation = shrink((STORY, None), lambda *_: False, 20)

    assert (shortest, perturbation) == (STORY, None)
    program = ExploredProgram(
        run=lambda *_, **__: BREACH if next(runs) else RunResult(),
        draw=lambda seed: draw_story(seed, DrawingLimits(states=["Ready"])),
        plan=lambda *_: (),
        identity=Identity(dialect="v0.20"),
    )
    exploration = Exploration(program=program, seed=1, is_over=lambda: exploration.coverage.runs > 0)
    (finding,) = exploration.findings()
    assert (finding.failed, finding.runs) in {(1, 3), (2, 3)}


def test_what_is_undetermined_does_not_count():
    runs = iter([BREACH, RunResult(undetermined="the machine is busy"), BREACH])

    assert repeat(FINDING, lambda *_, **__: next(runs)).rate == "2 of 2"


def test_what_the_cluster_refuses_to_play_is_undetermined():
    with outcome_of_errors(None) as outcomes:
        pytest.skip("unsupported: the server refuses invalid parameters")

    assert [outcome.undetermined for outcome in outcomes] == [
        "unsupported: the server refuses invalid parameters"
    ]


def test_perturbations_of_a_write_are_planned_where_one_was_sent():
    writes = [0, 0, 0, 1, 0, 0, 0, 0, 0]

    of_verdicts = [kind for kind in kinds.KINDS if kind not in kinds.OF_WORK]

    plans = [kinds.plan(STORY.acts, writes, seed, 1000, of_verdicts) for seed in range(1, 4)]
    planned = plans[0]

    met = {perturbation.kind: perturbation.act for perturbation in planned if perturbation.kind.meets_request}
    # An answer may be on its way wherever the Workload is open and was decided on.
    assert met.pop(kinds.LATE_DECISION) in {7, 8}
    assert set(met.values()) == {3}
    assert {perturbation.act for plan in plans for perturbation in plan} == {1, 2, 3, 5, 7, 8}
    assert len(set(planned)) == len(planned)


def test_perturbations_of_outside_work_are_planned_where_it_begins_or_ends():
    planned = kinds.plan(STORY.acts, [0] * 9, 1, 1000, kinds.OF_WORK)

    assert {perturbation.kind for perturbation in planned} == set(kinds.OF_WORK)
    assert {perturbation.act for perturbation in planned} <= {1, 2, 7}


def test_a_shorter_story_is_legal_and_keeps_the_act_of_its_perturbation():
    tried = []

    def keep(story, perturbation):
        tried.append((story, perturbation))
        return False

    shrink((STORY, FINDING.perturbation), keep, 100)

    assert all(are_legal(story.acts, story.workloads, story.checks) for story, _ in tried)
    assert {str(story.acts[at.act - 1]) for story, at in tried if at} == {"decide w1 Ready"}


def test_every_kind_says_what_happened_and_what_to_look_for():
    assert [kind for kind in kinds.KINDS if not (kind.meaning and kind.advice)] == []
    assert len({kind.name for kind in kinds.KINDS}) == len(kinds.KINDS)


def test_a_finding_is_read_as_it_was_written(tmp_path):
    assert read_finding(write_finding(FINDING, tmp_path)) == FINDING
    assert [file.name for file in tmp_path.iterdir()] == ["0001.yaml"]


def test_findings_of_an_earlier_run_stay(tmp_path):
    files = [write_finding(replace(FINDING, seed=seed), tmp_path) for seed in (1, 2)]

    assert [(file.name, read_finding(file).seed) for file in files] == [("0001.yaml", 1), ("0002.yaml", 2)]


def test_its_lines_mark_the_act_and_say_what_to_look_for():
    lines = FINDING.lines()

    assert lines[0] == "end-state  (flaky, 2 of 3, seed 7)"
    assert "   5  decide w1 Ready   <- the next verdict was refused with 409" in lines
    assert any(line.startswith("  look for   a controller that is right decides again") for line in lines)
    assert "  observed   Pending" in lines


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"exploration": 1}, "is no finding of version 2: `exploration` is 1"),
        ({"known": "CC-035"}, "known is 'CC-035', expected a list of safety rules"),
        ({"acts": ["fly w1"]}, "'fly w1' is no act"),
        ({"acts": ["evict w1"]}, "cannot follow one another"),
        ({"perturbation": "thunder at 1"}, "is no perturbation"),
        ({"perturbation": "watches-cut at 99"}, "is behind the last act, 9"),
        ({"perturbation": "watches-cut at 4"}, "is at a wait"),
        ({"acts": ["submit w1", "decide w1 Maybe"]}, "`decide` has the word Maybe"),
        ({"acts": ["submit w1", "evict w1 Ready"]}, "`evict` has the word Ready"),
        ({"acts": ["submit"]}, "it names a Workload or a check too many, or lacks one"),
        ({"acts": ["submit w1", "evict w1 message=1"]}, "a verdict alone says more"),
        ({"acts": ["submit w1", "decide w1 Ready smell=1"]}, "is nothing that a verdict says"),
        ({"acts": ["submit w1", "decide w1 Ready long=99"]}, "is nothing that a verdict says"),
        ({"foreign-checks": ["a-ghost"]}, "foreign-checks is ['a-ghost']"),
        ({"checks": 3}, "and checks 3"),
        ({"acts": "submit w1"}, "acts is no list"),
        ({"seed": "seven"}, "seed is no number"),
        ({"workloads": "many"}, "workloads is 'many'"),
        ({"text": None, "acts": None}, "lacks"),
    ],
)
def test_a_file_that_is_no_finding_is_refused(tmp_path, changes, message):
    document = {**FINDING.as_document(), **changes}
    file = tmp_path / "finding.yaml"
    file.write_text(yaml.safe_dump({key: value for key, value in document.items() if value is not None}))

    with pytest.raises(UsageError, match=re.escape(message)):
        read_finding(file)


def test_a_file_that_is_no_yaml_is_refused(tmp_path):
    file = tmp_path / "finding.yaml"
    file.write_text("{")

    with pytest.raises(UsageError, match="cannot be read"):
        read_finding(file)

"""Stories of jobs on the reference's integration: it bears them and every interruption; wrong ones are
found.
"""

from contextlib import closing, nullcontext
from functools import partial

import pytest
from click.testing import CliRunner

from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli import cli
from kueue_conformance.exploration.findings import Finding, Identity, read_finding, write_finding
from kueue_conformance.exploration.interruptions import FROZEN, KILLED, KINDS, plan
from kueue_conformance.exploration.job_integrations.acts import Act, Verb
from kueue_conformance.exploration.job_integrations.drawing import draw_story, is_excluded
from kueue_conformance.exploration.job_integrations.story import Story
from kueue_conformance.exploration.job_integrations.story_run import StoryRunner
from kueue_conformance.exploration.perturbation import Perturbation
from kueue_conformance.options import read
from kueue_conformance.run import Run
from kueue_conformance.tests.checkout import ROOT

from ..killing.planes import integrations

INTEGRATION = f"{ROOT}/kueue_conformance/data/job_integration/subject.yaml"
EXAMPLE = f"{ROOT}/examples/job_integrations/python/subject.yaml"
MANY = 400


@pytest.fixture(scope="module")
def run():
    run = Run(read({"profile": "JOB-INTEGRATION"}, seed=1), announce=lambda _: None)
    run.begin()
    with closing(run):
        yield run


def runner(run, wrong=""):
    integration = next((mutant for mutant in integrations() if mutant.name == wrong), None)
    install = integration.install if integration else nullcontext
    return StoryRunner(run, run.settings.dialects[0], 1, install)


def story(*lines, **fields):
    return Story(acts=tuple(map(Act.of, lines)), **fields)


STARTED = [
    "submit j1 pods=2",
    "settle",
    "answer j1 state=Ready update=labels",
    "settle",
    "begin j1",
    "settle",
]
EVICTED = story(*STARTED, "deactivate j1", "settle", "activate j1", "settle", checks=1)
EVICTION = 7


def test_the_reference_bears_drawn_stories(run):
    reference, broken = runner(run), {}
    for seed in range(1, 6):
        drawn = draw_story(seed)
        alone = reference.run(drawn)
        chosen = plan(drawn.acts, alone.writes, seed, 1, partial(is_excluded, drawn))
        for perturbation in (None, *chosen):
            result = reference.run(drawn, perturbation) if perturbation else alone
            if result.breach or result.undetermined:
                broken[seed, perturbation] = result

    assert broken == {}


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_reference_bears_every_interruption(run, kind):
    result = runner(run).run(EVICTED, Perturbation(kind, EVICTION))

    assert (result.breach, result.undetermined, result.was_met) == (None, "", True)


def test_writes_are_counted_behind_the_act_that_they_follow(run):
    result = runner(run).run(EVICTED)

    # What it does of itself comes in the wait, on a clock that stands still while an act is carried out.
    assert len(result.writes) == len(EVICTED.acts)
    assert sum(result.writes[EVICTION - 1 : EVICTION + 1]) >= 3, "it stops, restores and releases"


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        ("frees_quota_while_pods_end", "JI-032"),
        ("keeps_node_selectors", "model:restored"),
        ("forgets_labels_of_checks", "model:pods"),
        ("keeps_what_never_ran", "model:release"),
        ("gives_up_at_a_conflict", ""),
    ],
)
def test_a_wrong_integration_is_told_from_the_right_one(run, wrong, cause):
    breach = runner(run, wrong).run(EVICTED).breach

    assert (breach.cause if breach else "") == cause


def test_what_cannot_be_done_is_left_undone(run):
    undone = story("begin j1", "answer j1 state=Ready", "count j2 pods=9", "submit j1", "drop j2", "end j1")

    assert runner(run).run(undone).breach is None


def test_stories_have_every_act_and_are_the_same_each_time():
    stories = [*map(draw_story, range(MANY))]

    assert stories == [*map(draw_story, range(MANY))]
    assert {act.verb for drawn in stories for act in drawn.acts} == set(Verb)
    assert all(Act.of(str(act)) == act for drawn in stories for act in drawn.acts)


@pytest.mark.parametrize(
    ("kind", "act", "excluded"),
    [(FROZEN, 1, False), (FROZEN, 3, True), (FROZEN, 4, True), (KILLED, 4, False), (FROZEN, 6, False)],
    ids=["settles-before", "goes-away-later", "goes-away", "killed", "is-gone"],
)
def test_silent_watches_are_left_out_where_a_job_goes_away(kind, act, excluded):
    acts = story("submit j1", "settle", "suspend j1", "delete j1", "settle", "submit j1")

    assert is_excluded(acts, Perturbation(kind, act)) == excluded


def finding(drawn):
    return Finding(
        story=drawn,
        perturbation=Perturbation(KILLED, EVICTION, 2),
        seed=7,
        identity=Identity(dialect="v0.20"),
        cause="model:release",
        text="  expected   no quota",
    )


def test_a_finding_is_read_as_it_was_written(tmp_path):
    written = finding(EVICTED)

    assert read_finding(write_finding(written, tmp_path)) == written
    assert "a job integration that is right reads its state anew" in "\n".join(written.lines())


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("integration-checks", 9, "integration-checks is 9"),
        ("flavors", 0, "flavors 0"),
        ("acts", [], "has no acts"),
        ("acts", ["sumbit j1"], "is no act"),
        ("acts", ["submit w1"], "is no object of `submit`"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_a_next_step(tmp_path, field, value, message):
    document = {**finding(EVICTED).as_document(), field: value}

    with pytest.raises(UsageError, match=message) as refusal:
        Finding.of(document, tmp_path / "0001.yaml")

    assert refusal.value.hint


def test_a_shorter_story_begins_with_a_job():
    assert story("submit j1", "delete j1").without({1}) is None
    assert story("submit j1", "delete j1").without({2}) == story("submit j1")
    assert story("submit j1 runs=yes to=q2", checks=1) != next(story("submit j1", checks=1).simplify())


def explore(*words):
    return CliRunner().invoke(cli, ["explore", *words])


def test_an_integration_is_explored_by_its_subject_file(tmp_path):
    done = explore("--subject-file", INTEGRATION, "--runs", "1", "--seed", "3", "--out", f"{tmp_path}")

    assert done.exit_code == 0, done.output
    assert "1 stories, 1 runs, 0 undetermined" in done.output
    assert "0 finding(s); seed 3" in done.output


def test_a_finding_is_run_again(tmp_path):
    file = write_finding(finding(EVICTED), tmp_path)

    done = explore("--subject-file", INTEGRATION, "--replay", f"{file}")

    assert done.exit_code == 0, done.output
    assert "model:release: not seen in 3 runs" in done.output


@pytest.mark.parametrize(
    ("file", "words", "message"),
    [
        (INTEGRATION, ["--subject", "external:"], "started by hand (external:) cannot be"),
        (EXAMPLE, ["--control-plane", "scripted"], "explored beside a Kueue that works"),
    ],
    ids=["started-by-hand", "no-kueue"],
)
def test_what_cannot_be_explored_is_said_with_a_next_step(file, words, message, tmp_path):
    done = explore("--subject-file", file, *words, "--runs", "1", "--out", f"{tmp_path}")

    assert isinstance(done.exception, UsageError)
    assert message in str(done.exception)
    assert done.exception.hint

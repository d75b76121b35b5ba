"""Stories of a control plane: acts, drawing, shorter stories, files."""

import re

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.exploration.control_planes.acts import OPTIONS, Act, Verb
from kueue_conformance.exploration.control_planes.drawing.drawn_story import draw_story
from kueue_conformance.exploration.control_planes.drawing.emphasis_table import EMPHASES
from kueue_conformance.exploration.control_planes.perturbation_choice import choose
from kueue_conformance.exploration.control_planes.story import Story
from kueue_conformance.exploration.findings import Finding, Identity, read_finding, write_finding
from kueue_conformance.exploration.interruptions import KILLED, KINDS, plan
from kueue_conformance.exploration.perturbation import Perturbation
from kueue_conformance.exploration.shrinking import shrink
from kueue_conformance.exploration.story import END_STATE

LINES = [
    "flavor f1",
    "queue q1 quota=f1:4 strategy=StrictFIFO",
    "queue q2 quota=f1:4",
    "local l1 of=q1",
    "submit w1 to=l1 pods=2x1",
    "settle",
    "submit w2 to=l1 pods=1x1 priority=5",
    "settle",
]
STORY = Story(acts=tuple(map(Act.of, LINES)))


@pytest.mark.parametrize("seed", range(30))
def test_a_drawn_story_is_the_same_for_its_seed_and_is_read_as_it_is_written(seed):
    story = draw_story(seed)

    assert draw_story(seed) == story
    assert tuple(Act.of(str(act)) for act in story.acts) == story.acts
    assert story.without(()) == story


def test_every_act_and_every_option_is_drawn():
    acts = [act for seed in range(400) for act in draw_story(seed).acts]

    assert {act.verb for act in acts} == set(Verb)
    drawn = {(act.verb, option) for act in acts for option, _ in act.options}
    assert {(verb, option) for verb, options in OPTIONS.items() for option in options} == drawn


def test_a_story_sends_each_request_at_the_limits_of_the_api_once():
    stories = [draw_story(seed) for seed in range(len(EMPHASES))]
    sent = [[act.option("of") for act in drawn.acts if act.verb is Verb.REQUEST] for drawn in stories]

    assert len(max(sent, key=len)) >= 30
    assert all(len({*names}) == len(names) for names in sent)


def test_a_queue_is_resumed_where_it_was_stopped():
    for seed in range(100):
        stopped = set()
        for act in draw_story(seed).acts:
            if act.verb is Verb.STOP:
                assert act.option("policy") != "None" or act.name in stopped
                stopped.add(act.name)


def test_what_is_about_an_object_goes_with_its_creation():
    assert STORY.without({5}) is not None
    assert STORY.without({2}) is not None, "a LocalQueue may name a ClusterQueue that does not exist"
    assert Story(acts=(*STORY.acts, Act.of("stop q1 policy=Hold"))).without({2}) is None


def test_a_finding_is_made_shorter_and_simpler():
    shortest, perturbation = shrink(
        (STORY, Perturbation(KILLED, 7, 2)),
        lambda story, at: at is not None and "submit w2" in str(story.acts[at.act - 1]),
        100,
    )

    assert [str(act) for act in shortest.acts] == ["submit w2 to=l1 pods=1x1"]
    assert perturbation == Perturbation(KILLED, 1, 2)


def test_a_finding_is_read_as_it_was_written(tmp_path):
    finding = Finding(
        story=STORY,
        perturbation=Perturbation(KILLED, 5, 3),
        seed=7,
        identity=Identity(dialect="v0.20", control_plane="reference", against="reference@v0.18"),
        cause=END_STATE,
        text="  expected   Ready",
    )

    assert read_finding(write_finding(finding, tmp_path)) == finding
    assert "   5  submit w1 to=l1 pods=2x1   <- it was killed before this request" in "\n".join(
        finding.lines()
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fly w1", "'fly w1' is no act"),
        ("submit q1 to=l1", "'q1' is no object of `submit`"),
        ("submit", "'' is no object of `submit`"),
        ("submit w1 to=l1 speed=9", "'speed' is no option of `submit`"),
        ("settle w1", "'w1' is no option of `settle`"),
        ("stop w1 policy=Hold", "'w1' is no object of `stop`"),
    ],
)
def test_a_line_that_is_no_act_is_refused(line, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        Act.of(line)


@pytest.mark.parametrize(
    ("acts", "message"), [([], "has no acts"), (["finish w1"], "no act before it creates")]
)
def test_a_file_whose_acts_cannot_be_run_is_refused(tmp_path, acts, message):
    with pytest.raises(UsageError, match=message):
        Story.of({"acts": acts}, tmp_path)


def test_perturbations_that_meet_a_request_are_planned_where_there_were_some():
    writes = [0, 0, 0, 0, 1, 2, 0, 0]

    planned = [item for seed in range(200) for item in plan(STORY.acts, writes, seed, len(KINDS))]

    assert {item.kind for item in planned} == set(KINDS)
    assert {(item.act, item.request) for item in planned if item.kind.meets_request} == {
        (5, 1),
        (5, 2),
        (5, 3),
    }
    assert {item.act for item in planned} == {1, 2, 3, 4, 5, 7}


def test_every_third_story_of_each_emphasis_is_interrupted():
    writes = [1] * len(STORY.acts)
    seeds = range(6 * len(EMPHASES))
    interrupted = [bool(choose(STORY, writes, seed, 1)) for seed in seeds]

    for emphasis in range(len(EMPHASES)):
        assert interrupted[emphasis :: len(EMPHASES)].count(True) == 2


def test_nothing_begins_at_a_wait_or_a_restart():
    story = Story(acts=(*STORY.acts, Act.of("restart")))

    planned = [item.act for seed in range(100) for item in plan(story.acts, [1] * 9, seed, len(KINDS))]

    assert {6, 8, 9}.isdisjoint(planned)
    assert [number for number in range(1, 10) if story.is_wait(number)] == [6, 8, 9]

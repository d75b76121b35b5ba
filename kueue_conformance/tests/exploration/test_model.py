"""The model of a check controller's entry: what is legal, and which states are allowed."""

import pytest

from kueue_conformance.exploration.check_controllers.acts import Act, Verb
from kueue_conformance.exploration.check_controllers.drawing import draw_story
from kueue_conformance.exploration.check_controllers.model import are_legal, model_of

STATES = ("Ready", "Retry", "Rejected")


def acts(text):
    return tuple(Act.of(line.strip()) for line in text.split(","))


@pytest.mark.parametrize(
    ("text", "states"),
    [
        pytest.param("submit w1", {"Pending"}, id="nothing is decided"),
        pytest.param("submit w1, decide w1 Ready", {"Pending", "Ready"}, id="it may be slow"),
        pytest.param("submit w1, decide w1 Ready, settle", {"Ready"}, id="it had time"),
        pytest.param("submit w1, decide w1 Ready, settle, evict w1", {"Pending"}, id="an eviction resets"),
        pytest.param(
            "submit w1, decide w1 Ready, settle, evict w1, settle", {"Pending"}, id="evicted: no answer"
        ),
        pytest.param(
            "submit w1, decide w1 Ready, settle, requeue w1, settle", {"Ready"}, id="answered again"
        ),
        pytest.param(
            "submit w1, decide w1 Retry, settle, cancel w1, settle", {"Retry"}, id="canceled: it stays"
        ),
        pytest.param("submit w1, cancel w1, decide w1 Ready, settle", {"Pending"}, id="no quota: no answer"),
        pytest.param(
            "submit w1, decide w1 Ready, finish w1, settle",
            {"Pending", "Ready"},
            id="finished before or behind",
        ),
        pytest.param(
            "submit w1, decide w1 Ready, settle, overwrite w1, settle",
            {"Ready"},
            id="put back by an older copy",
        ),
        pytest.param("submit w1, unlist w1, settle", {""}, id="no entry"),
        pytest.param(
            "submit w1, decide w1 Ready, settle, unlist w1, list w1, settle", {"Ready"}, id="listed again"
        ),
        pytest.param(
            "submit w1, decide w1 Ready, settle, recreate w1, settle", {"Ready"}, id="another of its name"
        ),
        pytest.param("submit w1, delete w1, settle", {""}, id="deleted"),
        pytest.param(
            "submit w1, decide w1 Retry, settle, evict w1, settle, decide w1 Ready, release w1, reserve w1, settle",
            {"Ready"},
            id="decided otherwise for the next attempt",
        ),
    ],
)
def test_states_that_are_allowed(text, states):
    assert are_legal(acts(text), 1)
    assert model_of(acts(text), 1)[0].states == states


@pytest.mark.parametrize(
    "text",
    [
        "decide w1 Ready",
        "submit w1, submit w1",
        "submit w1, decide w1 Ready, decide w1 Retry",
        "submit w1, decide w1 Ready, cancel w1, decide w1 Retry",
        "submit w1, release w1",
        "submit w1, reserve w1",
        "submit w1, admit w1",
        "submit w1, finish w1, evict w1",
        "submit w2",
    ],
)
def test_acts_that_cannot_follow_one_another(text):
    assert not are_legal(acts(text), 1)


@pytest.mark.parametrize("seed", range(50))
def test_a_drawn_story_is_legal_and_the_same_for_its_seed(seed):
    story = draw_story(seed, STATES)

    assert are_legal(story.acts, story.workloads)
    assert story == draw_story(seed, STATES)


def test_every_act_is_drawn():
    drawn = {act.verb for seed in range(60) for act in draw_story(seed, STATES).acts}

    assert drawn == set(Verb)


def test_what_is_decided_is_what_the_subject_can_be_brought_to():
    drawn = {act.state for seed in range(60) for act in draw_story(seed, ["Retry"]).acts}

    assert drawn == {"", "Retry"}

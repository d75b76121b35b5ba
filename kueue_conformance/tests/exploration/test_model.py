"""The model of a check controller's entry: what is legal, and which states are allowed."""

import pytest

from kueue_conformance.exploration.check_controllers.acts import FOR_ALL, Act, Verb
from kueue_conformance.exploration.check_controllers.content import LONG_TEXTS, Content
from kueue_conformance.exploration.check_controllers.drawing import draw_story
from kueue_conformance.exploration.check_controllers.drawing_limits import DrawingLimits
from kueue_conformance.exploration.check_controllers.entry_model import Verdict
from kueue_conformance.exploration.check_controllers.mismatches import says
from kueue_conformance.exploration.check_controllers.model import are_legal, worlds_of

TEXT = Content(message=7).text
POD_SETS = ["main", "workers", "fixed"]
CHANGES = Content(updates=5).changes(POD_SETS)


def acts(text):
    return tuple(Act.of(line.strip()) for line in text.split(","))


def world_of(text, workloads=1, checks=1):
    """Return what is allowed behind the acts of a text."""
    return worlds_of(acts(text), workloads, checks)[-1]


def workload_of(text):
    """Return what is allowed of the only Workload behind the acts of a text."""
    return world_of(text).workloads[0]


def check_of(text):
    """Return what is allowed of the only check behind the acts of a text."""
    return world_of(text).checks[0]


def states_of(world, workload=1, check=1):
    return {verdict.state for verdict in world.workloads[workload - 1].entries[check - 1].verdicts}


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
        pytest.param("create w1, decide w1 Ready, settle", {""}, id="not listed yet"),
        pytest.param("create w1, list w1, decide w1 Ready, settle", {"Pending"}, id="no quota yet"),
        pytest.param("create w1, reserve w1, list w1, decide w1 Ready, settle", {"Ready"}, id="listed later"),
        pytest.param(
            "submit w1, decide w1 Retry, settle, decide w1 Ready, settle",
            {"Retry"},
            id="a denial is for Kueue to end",
        ),
        pytest.param(
            "submit w1, decide w1 Ready, settle, decide w1 Retry, settle",
            {"Ready", "Retry"},
            id="a Ready may be taken back",
        ),
        pytest.param("submit w1, trouble w1 Error, settle", {"Pending"}, id="an error is no verdict"),
        pytest.param(
            "submit w1, trouble w1 Error, settle, decide w1 Ready, settle", {"Ready"}, id="asked again"
        ),
        pytest.param(
            "submit w1, deactivate w1, decide w1 Ready, settle", {"Pending"}, id="deactivated: no answer"
        ),
        pytest.param(
            "break-check c1 Missing, submit w1, decide w1 Ready, settle",
            {"Pending", "Ready"},
            id="not usable",
        ),
        pytest.param(
            "break-check c1 Missing, submit w1, decide w1 Ready, settle, mend-check c1, settle",
            {"Ready"},
            id="usable again",
        ),
        pytest.param(
            "submit w1, drop-check c1, settle, decide w1 Ready, settle", {"Pending"}, id="its check is gone"
        ),
        pytest.param(
            "submit w1, drop-check c1, decide w1 Ready, settle",
            {"Pending", "Ready"},
            id="its check goes while it decides",
        ),
        pytest.param(
            "submit w1, decide w1 Ready updates=1 mistake=1, settle",
            {"Pending", "Ready", "Retry", "Rejected"},
            id="what must not be passed on",
        ),
        pytest.param("submit w1, decide-all Ready, settle", {"Ready"}, id="a switch"),
        pytest.param("decide-all Ready, settle, submit w1, settle", {"Ready"}, id="a switch turned before"),
        pytest.param(
            "submit w1, decide-all Ready, settle, decide-all Pending, settle",
            {"Pending", "Ready"},
            id="a switch turned back: a Ready may be taken back",
        ),
        pytest.param(
            "decide-all Ready, settle, decide-all Pending, settle, submit w1, settle",
            {"Pending"},
            id="a switch turned back before",
        ),
        pytest.param(
            "decide-all Ready, settle, decide-all Pending, submit w1, settle",
            {"Pending", "Ready"},
            id="a switch turned back, of which the controller may learn late",
        ),
        pytest.param(
            "submit w1, decide-all Ready, settle, decide-all Pending, settle, requeue w1, settle",
            {"Pending"},
            id="a switch turned back before the next attempt",
        ),
        pytest.param(
            "submit w1, decide-all Ready, settle, admit w1, decide-all Retry, settle",
            {"Ready", "Retry"},
            id="a switch turned for an admitted Workload",
        ),
        pytest.param("submit w1, fail-all, settle", {"Pending"}, id="an outage is no verdict"),
        pytest.param(
            "decide-all Ready, settle, fail-all, settle, submit w1, settle",
            {"Pending", "Ready"},
            id="an outage, before which the controller knew the switch",
        ),
        pytest.param(
            "submit w1, decide-all Ready, fail-all, settle, decide-all Ready, settle",
            {"Ready"},
            id="an outage that ends",
        ),
        pytest.param(
            "submit w1, decide-all Retry, settle, decide-all Pending, settle",
            {"Retry"},
            id="a switch turned back: a denial stays",
        ),
    ],
)
def test_states_that_are_allowed(text, states):
    assert are_legal(acts(text), 1)
    assert states_of(world_of(text)) == states


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
        "submit w1, decide w1 c2 Ready",
        "submit w1, deactivate w1, requeue w1",
        "submit w1, evict w1 Deactivated",
        "submit w1, idle",
        "mend-check c1",
        "take-check c1",
        "drop-check c1, touch-check c1",
        "decide-all Pending",
        "fail-all, fail-all",
        "decide-all Ready, decide-all Ready",
        "decide-all Retry, decide-all Pending, decide-all Pending",
    ],
)
def test_acts_that_cannot_follow_one_another(text):
    assert not are_legal(acts(text), 1)


@pytest.mark.parametrize("seed", range(50))
def test_a_drawn_story_is_legal_and_the_same_for_its_seed(seed):
    story = draw_story(seed, DrawingLimits())

    assert are_legal(story.acts, story.workloads, story.checks)
    assert story == draw_story(seed, DrawingLimits())


def test_every_act_is_drawn():
    drawn = {act.verb for seed in range(150) for act in draw_story(seed, DrawingLimits()).acts}

    assert drawn == set(Verb) - FOR_ALL


@pytest.mark.parametrize("can_be_left_open", [True, False])
def test_a_switch_is_turned_to_all_that_it_can_be_turned_to(can_be_left_open):
    limits = DrawingLimits(states=["Ready", "Retry"], decides_for_all=True, can_be_left_open=can_be_left_open)
    stories = [draw_story(seed, limits) for seed in range(60)]
    turns = {act.word for story in stories for act in story.acts if act.verb is Verb.DECIDE_ALL}
    drawn = {act.verb for story in stories for act in story.acts}

    assert turns == {"Ready", "Retry", *(["Pending"] if can_be_left_open else [])}
    assert drawn & {*FOR_ALL, Verb.DECIDE, Verb.TROUBLE} == FOR_ALL
    assert can_be_left_open or {story.acts[0].verb for story in stories} == {Verb.DECIDE_ALL}
    assert all(are_legal(story.acts, story.workloads, story.checks) for story in stories)


def test_what_is_decided_is_what_the_subject_can_be_brought_to():
    stories = [draw_story(seed, DrawingLimits(states=["Retry"])) for seed in range(60)]
    drawn = {act.word for story in stories for act in story.acts if act.verb is Verb.DECIDE}

    assert drawn == {"Retry"}


def test_what_a_subject_file_does_not_declare_is_not_drawn():
    limits = DrawingLimits(
        contents=frozenset(), verbs=frozenset(Verb) - {Verb.TROUBLE}, has_many_checks=False, has_own_pods=True
    )
    stories = [draw_story(seed, limits) for seed in range(60)]

    assert {act.content for story in stories for act in story.acts} == {Content()}
    assert Verb.TROUBLE not in {act.verb for story in stories for act in story.acts}
    assert {(story.checks, story.pod_sets) for story in stories} == {(1, False)}


@pytest.mark.parametrize(
    ("entry", "verdict", "is_said"),
    [
        ({"state": "Ready", "message": "x"}, Verdict("Ready"), True),
        ({"state": "Retry", "message": "x"}, Verdict("Ready"), False),
        (None, Verdict("Ready"), False),
        (None, Verdict(""), True),
        ({"state": "Ready", "message": TEXT}, Verdict("Ready", Content(message=7)), True),
        ({"state": "Ready", "message": TEXT.splitlines()[0]}, Verdict("Ready", Content(message=7)), False),
        ({"state": "Ready", "message": LONG_TEXTS[1][:300]}, Verdict("Ready", Content(long=1)), True),
        ({"state": "Ready", "message": "long"}, Verdict("Ready", Content(long=1)), False),
        ({"state": "Retry", "requeueAfterSeconds": 90}, Verdict("Retry", Content(after=90)), True),
        ({"state": "Retry", "requeueAfterSeconds": 60}, Verdict("Retry", Content(after=90)), False),
        ({"state": "Ready", "podSetUpdates": CHANGES}, Verdict("Ready", Content(updates=5)), True),
        ({"state": "Ready", "podSetUpdates": CHANGES[:1]}, Verdict("Ready", Content(updates=5)), False),
        ({"state": "Ready", "podSetUpdates": CHANGES}, Verdict("Ready"), False),
        ({"state": "Ready"}, Verdict("Ready", Content(updates=5)), False),
    ],
)
def test_what_an_entry_says_of_a_verdict(entry, verdict, is_said):
    assert says(entry, verdict, POD_SETS) == is_said


def test_a_ready_whose_reasons_move_keeps_what_it_changes_of_pods():
    lines = (
        "submit w1, decide w1 Ready message=1 updates=1, settle, decide w1 Ready message=2 updates=2, settle"
    )
    entry = workload_of(lines).entries[0]

    assert {verdict.content for verdict in entry.verdicts} == {
        Content(message=1, updates=1),
        Content(message=2, updates=1),
    }


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("create w1, settle", [0]),
        ("submit w1, settle", [1]),
        ("submit w1, decide w1 Ready, settle", [0, 1]),
        ("submit w1, cancel w1, settle", [0, 1]),
        ("submit w1, evict w1, settle", [0, 1]),
        ("submit w1, evict w1, release w1, settle", [0]),
        ("submit w1, finish w1, settle", [0]),
        ("submit w1, unlist w1, settle", [0]),
        ("submit w1, delete w1, settle", [0]),
    ],
)
def test_outside_work_that_may_be_there(text, amounts):
    assert list(workload_of(text).outside_work) == amounts


def test_no_outside_work_has_to_be_there_for_a_ready_that_is_taken_back():
    world = world_of("submit w1, decide-all Ready, settle, decide-all Pending, settle, settle")

    assert list(world.workloads[0].outside_work) == [0, 1]
    assert not world.workloads[0].keeps_work


def test_a_switch_decides_on_every_workload_and_check():
    world = world_of("submit w1, decide-all Ready message=3, settle, submit w2, settle", 2, 2)

    assert {entry.verdicts for workload in world.workloads for entry in workload.entries} == {
        frozenset({Verdict("Ready", Content(message=3))})
    }


def test_checks_are_decided_one_by_one():
    world = world_of("submit w1, decide w1 c2 Ready, settle", checks=2)

    assert (states_of(world), states_of(world, check=2)) == ({"Pending"}, {"Ready"})


@pytest.mark.parametrize(
    ("text", "is_steady"),
    [
        ("settle, settle", True),
        ("settle, touch-check c1, settle", True),
        ("settle", False),
        ("settle, settle, break-check c1 Missing, mend-check c1, settle", False),
        ("settle, settle, drop-check c1, create-check c1, settle", False),
        ("break-check c1 Deleted, settle, settle", True),
    ],
)
def test_what_a_check_says_stays_between_two_waits(text, is_steady):
    assert check_of(text).is_steady == is_steady


def test_a_check_without_parameters_may_be_active_or_not():
    statuses = [
        check_of(text).active
        for text in ("settle", "break-check c1 Missing", "break-check c1 Unset", "drop-check c1")
    ]

    assert statuses == ["True", "False", "", ""]


@pytest.mark.parametrize(
    ("text", "was_usable"),
    [
        ("drop-check c1, create-check c1 Missing, settle", False),
        ("drop-check c1, create-check c1 Missing, mend-check c1", True),
        ("drop-check c1, create-check c1", True),
        ("break-check c1 Invalid, settle", True),
    ],
)
def test_a_check_that_is_created_with_wrong_parameters_was_never_active(text, was_usable):
    assert check_of(text).was_usable == was_usable


def test_a_finalizer_keeps_a_check_until_it_is_taken_away():
    used = check_of("mark-check c1 InUse, drop-check c1")
    free = check_of("mark-check c1 InUse, drop-check c1, unmark-check c1")

    assert (used.is_held, free.is_held) == (True, False)
    assert not are_legal(acts("mark-check c1 InUse, drop-check c1, create-check c1"), 1)


@pytest.mark.parametrize(
    ("text", "keeps_work"),
    [
        ("submit w1, settle, settle", True),
        ("submit w1, settle, annotate w1, settle", True),
        ("submit w1, settle", False),
        ("submit w1, settle, requeue w1, settle", False),
        ("submit w1, settle, decide w1 Ready, settle", False),
        ("submit w1, settle, cancel w1, settle, reserve w1, settle", False),
    ],
)
def test_outside_work_goes_on_while_nothing_ends_it(text, keeps_work):
    assert workload_of(text).keeps_work == keeps_work


@pytest.mark.parametrize(
    ("text", "has_predecessor"),
    [
        ("create w1", False),
        ("submit w1, delete w1, create w1", True),
        ("submit w1, recreate w1", True),
        ("create w1, delete w1, create w1, delete w1, create w1", True),
    ],
)
def test_a_question_may_be_about_another_workload_of_the_name(text, has_predecessor):
    assert workload_of(text).has_predecessor == has_predecessor


def test_trouble_with_one_entry_may_delay_the_other():
    world = world_of("submit w1, trouble w1 Error, decide w1 c2 Ready, settle", checks=2)

    assert states_of(world, check=2) == {"Pending", "Ready"}


def test_a_change_of_a_check_is_one_for_every_workload():
    world = world_of("submit w1, submit w2, decide w2 Ready, give-check c1, settle", 2)

    assert states_of(world, 1) == {"Pending"}
    assert states_of(world, 2) == {"Pending", "Ready"}
    assert world.checks[0].active == ""

"""The way through the states: permitted or not, in words and as arrows (harness/N-12)."""

import pytest

from kueue_conformance.history.story import SUBJECT
from kueue_conformance.report.page.paths import paths, permitted_transitions
from kueue_conformance.states import ENTRY, WORKLOAD, Machine, state_of, ways
from kueue_conformance.states.machines import CONTROLLER, KUEUE

from .stories import CHANGES, CREATED, PENDING, READY, change


def step(state, actor="kueue", *, broke=(), **entries):
    return {
        "revision": 1,
        "actor": actor,
        "name": "w",
        "kind": "Workload",
        "state": state,
        "entries": entries,
        "broke": broke,
    }


GOOD = (
    step("Suspended", "user"),
    step("Prechecked"),
    step("Prechecked", a="Pending"),
    step("Prechecked", "subject", a="Ready"),
    step("Admitted", a="Ready"),
)


def words(*timeline):
    return {path.title: (path.words, path.wrong) for path in paths(timeline)}


def test_a_workload_and_each_of_its_entries_has_a_way():
    assert words(*GOOD) == {
        "Workload w": ("none → Suspended → Prechecked → Admitted", False),
        "check a of w": ("none → Pending → Ready", False),
    }


@pytest.mark.parametrize(
    ("further_steps", "path_words"),
    [
        pytest.param(
            [step("Admitted", "subject", a="Retry")],
            ("none → Pending → Ready → Retry", False),
            id="withdrawn",
        ),
        pytest.param(
            [step("Evicted", a="Pending")],
            ("none → Pending → Ready → Pending", False),
            id="taken back by Kueue",
        ),
        pytest.param([step("Admitted")], ("none → Pending → Ready → none", False), id="not listed any more"),
        pytest.param(
            [step("Admitted", "subject")],
            ("none → Pending → Ready → none", True),
            id="removed by the subject",
        ),
        pytest.param(
            [step("Admitted", "subject", a="Yes")],
            ("none → Pending → Ready → Yes", True),
            id="a state that is none",
        ),
        pytest.param(
            [step("Admitted", "subject", broke=["CC-021"], a="Retry")],
            ("none → Pending → Ready → Retry", True),
            id="against a rule",
        ),
    ],
)
def test_steps_that_are_not_permitted(further_steps, path_words):
    assert words(*GOOD, *further_steps)["check a of w"] == path_words


def test_what_went_wrong_is_shown_first():
    assert [path.title for path in paths((*GOOD, step("Admitted", "subject")))] == [
        "check a of w",
        "Workload w",
    ]


def many(*names):
    return tuple({**step("Suspended", "user"), "name": name} for name in names)


def test_what_the_failure_names_is_among_those_that_are_drawn():
    story = many(*"abcdefghi", "workload-7")

    (first, *_), rest = paths(story, failure="workload-7 is admitted"), paths(story)

    assert (first.title, first.failing, len(rest)) == ("Workload workload-7", True, 6)
    assert [path.title for path in rest if path.failing or "workload-7" in path.title] == []


def test_an_entry_is_what_failed_when_its_workload_and_its_check_are_named():
    (_, entry), (_, other) = paths(GOOD, failure="a of w: Ready"), paths(GOOD, failure="w waits")

    assert (entry.title, entry.failing, other.failing) == ("check a of w", True, False)


def test_canaries_come_last_unless_the_failure_names_one():
    story = many("canary-1", "workload-1")

    assert [path.title for path in paths(story)] == ["Workload workload-1", "Workload canary-1"]
    assert paths(story, failure="canary-1")[0].title == "Workload canary-1"


def test_every_state_is_drawn():
    (workload, entry) = paths(GOOD)

    assert [node.name for node in workload.nodes] == list(WORKLOAD.states)
    assert [node.name for node in entry.nodes] == list(ENTRY.states)


@pytest.mark.parametrize(("number", "machine"), [(0, WORKLOAD), (1, ENTRY)], ids=["Workload", "entry"])
def test_every_permitted_way_is_drawn_once_for_a_page(number, machine):
    drawn = permitted_transitions()[number]

    assert (drawn.name, len(drawn.edges)) == (
        machine.name,
        len({(transition.start, transition.end) for transition in machine.transitions}),
    )


def test_the_way_that_was_taken_is_told_from_the_others():
    (_, entry) = paths(GOOD)

    assert [edge.tip for edge in entry.edges if edge.sort == "taken"] == [
        "rv 1 kueue: none → Pending",
        "rv 1 subject: Pending → Ready",
    ]
    assert [node.sort for node in entry.nodes] == ["seen", "seen", "last", "", ""]


@pytest.mark.parametrize("machine", [WORKLOAD, ENTRY], ids=["Workload", "entry"])
def test_a_machine_leads_from_state_to_state(machine: Machine):
    assert {
        state for transition in machine.transitions for state in (transition.start, transition.end)
    } == set(machine.states)
    assert {transition.by for transition in machine.transitions} <= {KUEUE, CONTROLLER, "user"}


@pytest.mark.parametrize(
    ("true", "active", "state"),
    [
        ([], None, "Suspended"),
        ([], False, "Rejected"),
        (["QuotaReserved"], None, "Prechecked"),
        (["QuotaReserved", "Admitted"], None, "Admitted"),
        (["QuotaReserved", "Admitted", "Evicted"], None, "Evicted"),
        (["Evicted"], None, "Suspended"),
        (["Finished", "QuotaReserved"], None, "Finished"),
    ],
)
def test_state_of_a_workload(true, active, state):
    conditions = [{"type": condition_type, "status": "True"} for condition_type in true]

    assert (
        state_of({"spec": {} if active is None else {"active": active}, "status": {"conditions": conditions}})
        == state
    )


def test_the_terminal_is_told_the_way_in_words():
    assert ways(CHANGES) == [
        "Workload w: none → Suspended → Prechecked → Admitted",
        "check check of w: none → Pending → Ready",
    ]


def test_a_wrong_step_is_told_first():
    back = change(9, SUBJECT, READY, PENDING)
    gone = change(10, SUBJECT, PENDING, CREATED)

    assert ways((*CHANGES[1:4], back, gone))[0] == "check check of w: none → Pending → Ready → Pending ⇏ none"

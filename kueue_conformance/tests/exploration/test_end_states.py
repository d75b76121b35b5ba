"""Two runs of a story are compared: at each rest, or at their ends."""

import pytest

from kueue_conformance.exploration.control_planes.end_states import (
    StoryEnd,
    compare,
    compare_ends,
    differences,
    have_competed,
)
from kueue_conformance.exploration.story import RunResult

ADMITTED = {
    "Workload w1": {"queue": "q1", "assignments": [], "Admitted": ("True", "Admitted"), "requeues": 1},
    "Events w1": {"Admitted": 1},
}
WAITING = {
    "Workload w1": {"queue": "q1", "assignments": [], "Admitted": ("False", "NoReservation"), "requeues": 1},
    "Events w1": {},
}


def end(*rests):
    return StoryEnd(RunResult(), rests, ())


def test_equal_states_do_not_differ():
    assert compare(end(WAITING, ADMITTED), end(WAITING, ADMITTED), "in the other") is None


def test_the_first_rest_that_differs_is_shown():
    breach = compare(end(ADMITTED, WAITING), end(ADMITTED, ADMITTED), "in the other")

    assert breach.cause == "differs:Events.Admitted"
    assert "Workload w1: Admitted is ('False', 'NoReservation') (in the other, rest 2)" in breach.text
    assert "Workload w1: Admitted is ('True', 'Admitted')" in breach.text


def test_what_is_there_in_one_run_alone_differs():
    assert {item.object_name for item in differences(ADMITTED, {})} == {"Workload w1", "Events w1"}


def test_fields_and_kinds_that_may_differ_are_left_out():
    again = {"Workload w1": {**ADMITTED["Workload w1"], "requeues": 2}, "Events w1": {"Admitted": 2}}

    assert compare_ends(end(ADMITTED), end(again), "alone", {"requeues", "Events"}) is None
    assert compare_ends(end(ADMITTED), end(again), "alone", {"Events"}).cause == "differs:Workload.requeues"


def test_ends_alone_are_compared_where_the_moment_decides():
    assert compare_ends(end(WAITING, ADMITTED), end(ADMITTED, ADMITTED), "alone", ()) is None


def workloads(**quota):
    return {
        f"Workload {name}": {"queue": flavor and "q1", "assignments": flavor and [flavor], "active": True}
        for name, flavor in quota.items()
    }


def test_it_is_open_whether_a_workload_gives_way_before_quota_comes_free():
    before = workloads(w1="f1")
    after = {name: {**fields, "Preempted": ("False", "Preempted")} for name, fields in before.items()}

    assert compare_ends(end(before), end(after), "alone", ()) is None


@pytest.mark.parametrize(
    ("alone", "disturbed", "is_open"),
    [
        ({"w1": "f1", "w2": ""}, {"w1": "", "w2": "f1"}, True),
        ({"w1": "f1", "w2": "f2"}, {"w1": "f2", "w2": "f1"}, True),
        ({"w1": "f1"}, {"w1": "f2"}, True),
        ({"w1": "f1", "w2": ""}, {"w1": "", "w2": ""}, False),
        ({"w1": "f1", "w2": "f1"}, {"w1": "f1", "w2": ""}, False),
        ({"w1": "f1"}, {"w1": "f1"}, False),
    ],
)
def test_it_is_open_which_of_equal_workloads_has_quota(alone, disturbed, is_open):
    before, after = workloads(**alone), workloads(**disturbed)

    assert have_competed(end(before), end(after)) is is_open
    assert have_competed(end(before, before), end(after, before)) is is_open, "also when it has ended"
    breach = compare_ends(end(before), end(after), "alone", ())
    assert (breach is None) is (is_open or alone == disturbed)


def test_runs_in_which_other_acts_were_possible_are_not_compared():
    finished = StoryEnd(RunResult(), (ADMITTED,), ("done",))
    waiting = StoryEnd(RunResult(), (WAITING,), ("nothing to do",))

    assert compare_ends(finished, waiting, "alone", ()) is None

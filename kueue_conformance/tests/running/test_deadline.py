"""A wait in real time does not count what a busy machine gave to other programs (harness/H-36)."""

from itertools import count

import pytest

from kueue_conformance.backends.deadline import Deadline
from kueue_conformance.base.slowdown import measure_slowdown


def turns(seconds, instants, slowdown=1.0):
    """Return how many turns a wait has, whose turns end at these instants, and whether it ends early."""
    clock = iter([0.0, *instants])
    deadline = Deadline(seconds, lambda: next(clock), lambda: slowdown)
    count = next(number for number in range(1, len(instants) + 1) if not deadline.end_turn())
    return count, deadline.is_early()


@pytest.mark.parametrize(
    ("instants", "slowdown", "expected"),
    [
        pytest.param([0.8, 1.6, 2.4], 1.0, (3, False), id="an idle machine: a second is a second"),
        pytest.param([3.0, 3.8, 4.6], 1.0, (3, False), id="a stall of three seconds counts one"),
        pytest.param([0.9, 1.8, 2.7, 3.6, 4.5], 2.0, (5, False), id="slowed down to a half"),
        pytest.param([0.9, 1.8, 2.7, 3.6, 4.5], 1.1, (3, False), id="a little slower"),
        pytest.param([10.1, 10.2], 1.0, (1, False), id="five times the time is the most"),
        pytest.param([1.0, 1.9, 2.8, 10.1], 20.0, (4, True), id="too busy to decide"),
    ],
)
def test_only_the_time_of_this_process_counts(instants, slowdown, expected):
    assert turns(2.0, instants, slowdown) == expected


def test_a_wait_of_no_seconds_ends_with_its_first_turn():
    assert turns(0.0, [0.1]) == (1, False)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        pytest.param(1.0, 1.0, id="alone"),
        pytest.param(0.25, 4.0, id="a quarter of a core"),
        pytest.param(0.0, 0.25 / 1e-6, id="no core at all: the trial ends nevertheless"),
    ],
)
def test_other_programs_of_the_machine_slow_a_process_down(monkeypatch, share, expected):
    instants = count(0, 1)
    seconds = [0.0]

    def read_thread_time():
        seconds[0] = next(instants) * 0.0001
        return seconds[0] * share

    monkeypatch.setattr("time.thread_time", read_thread_time)
    monkeypatch.setattr("time.perf_counter", lambda: seconds[0])

    assert measure_slowdown() == pytest.approx(expected, rel=0.1)


def test_the_slowest_of_three_trials_counts(monkeypatch):
    trials = iter([1.0, 4.0, 2.0])
    monkeypatch.setattr("kueue_conformance.base.slowdown._measure_once", lambda: next(trials))

    assert measure_slowdown() == 4.0

"""A wait in real time does not count what a busy machine gave to other programs (harness/H-36)."""

import pytest

from kueue_conformance.backends.deadline import Deadline


def turns(seconds, instants):
    """Return how many turns a wait has, whose turns end at these instants."""
    clock = iter([0.0, *instants])
    deadline = Deadline(seconds, lambda: next(clock))
    return next(number for number in range(1, len(instants) + 1) if not deadline.end_turn())


@pytest.mark.parametrize(
    ("instants", "count"),
    [
        pytest.param([0.8, 1.6, 2.4], 3, id="an idle machine: a second is a second"),
        pytest.param([3.0, 3.8, 4.6], 3, id="a stall of three seconds counts one"),
        pytest.param([6.1, 6.2], 1, id="three times the time is the most"),
    ],
)
def test_only_the_time_of_this_process_counts(instants, count):
    assert turns(2.0, instants) == count


def test_a_wait_of_no_seconds_ends_with_its_first_turn():
    assert turns(0.0, [0.1]) == 1

"""A wait in real time does not count what a busy machine gave to other programs (harness/H-36)."""

import pytest

from kueue_conformance.backends.deadline import Deadline
from kueue_conformance.base.machine_load import recent_tasks_per_core, tasks_per_core


def turns(seconds, instants, load=1.0):
    """Return how many turns a wait has, whose turns end at these instants, and whether it ends early."""
    clock = iter([0.0, *instants])
    deadline = Deadline(seconds, lambda: next(clock), lambda: load)
    count = next(number for number in range(1, len(instants) + 1) if not deadline.end_turn())
    return count, deadline.is_early()


@pytest.mark.parametrize(
    ("instants", "load", "expected"),
    [
        pytest.param([0.8, 1.6, 2.4], 1.0, (3, False), id="an idle machine: a second is a second"),
        pytest.param([3.0, 3.8, 4.6], 1.0, (3, False), id="a stall of three seconds counts one"),
        pytest.param(
            [0.8, 1.6, 2.4, 3.2, 4.0, 4.8], 2.0, (6, False), id="of two tasks on a core each has half"
        ),
        pytest.param([10.1, 10.2], 1.0, (1, True), id="five times the time is the most"),
        pytest.param([1.0, 5.0, 10.1], 20.0, (3, True), id="too busy to decide"),
    ],
)
def test_only_the_time_of_this_process_counts(instants, load, expected):
    assert turns(2.0, instants, load) == expected


def test_a_wait_of_no_seconds_ends_with_its_first_turn():
    assert turns(0.0, [0.1]) == (1, False)


@pytest.mark.parametrize(
    ("text", "cores", "tasks"),
    [
        pytest.param("14.68 6.20 3.56 22/503 17\n", 2, 11.0, id="tasks that run, for each core"),
        pytest.param("0.01 0.00 0.00 1/503 17\n", 4, 1.0, id="an idle machine"),
        pytest.param("odd\n", 2, 1.0, id="another format"),
    ],
)
def test_load_is_counted_in_tasks_for_each_core(tmp_path, text, cores, tasks):
    file = tmp_path / "loadavg"
    file.write_text(text)

    assert tasks_per_core(file, cores) == tasks


def test_a_system_that_does_not_tell_counts_as_idle(tmp_path):
    assert tasks_per_core(tmp_path / "missing") == 1.0


def test_the_load_of_the_last_minute_counts_where_it_is_higher(monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (1e6, 0.0, 0.0))

    assert recent_tasks_per_core() > 1000

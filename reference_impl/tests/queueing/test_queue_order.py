"""Positions of pending Workloads equal those of a list that is sorted for each query (VIS-520…524)."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.kueue.queueing.queue_order import FEW, QueueOrder

from .standings import LOCAL_QUEUES, is_in_order, standing, standings

STEPS = st.lists(st.tuples(standings(st.booleans()), st.booleans()), max_size=40)


@given(STEPS, st.integers(0, 8), st.integers(0, 8))
def test_pages_agree_with_a_full_sort(steps, offset, limit):
    line, waiting = QueueOrder(), []
    for newcomer, leaves in steps:
        line.add(newcomer)
        waiting.append(newcomer)
        if leaves:
            line.remove(waiting.pop(len(waiting) // 2))

    is_in_order(line, sorted(waiting), offset, limit)


@given(STEPS)
def test_every_change_is_a_generation(steps):
    line = QueueOrder()
    for newcomer, _ in steps:
        before = line.generation
        line.add(newcomer)
        assert line.generation > before


def test_what_leaves_makes_another_generation_too() -> None:
    line, first = QueueOrder(7), standing(True, 0, 1.0, "a", "ns/a")
    line.add(first)
    added = line.generation

    line.remove(first)

    assert 7 < added < line.generation
    assert (len(line), line.first(), line.length("ns/a"), line._of) == (0, None, 0, {})


def test_what_is_not_there_does_not_leave() -> None:
    line = QueueOrder()
    for uid in ("a", "b"):
        line.add(standing(True, 0, 1.0, uid, "ns/a"))

    with pytest.raises(ValueError, match="not in list"):
        line.remove(standing(True, 0, 1.0, "c", "ns/a"))


@pytest.mark.parametrize("shown", [FEW, FEW + 1])
def test_positions_of_few_and_of_many_are_the_same_vis_523(shown: int) -> None:
    line = QueueOrder()
    for at in range(2 * shown):
        line.add(standing(True, 0, float(at), f"w{at:04}", LOCAL_QUEUES[at % 2]))

    page = [*line.page_of("ns/b", 0, shown)]

    assert [row[1:] for row in page] == [(2 * at + 1, at) for at in range(shown)]


@pytest.mark.parametrize("size", [3, 4 * FEW])
@pytest.mark.parametrize("offset", [0, 1])
def test_a_page_that_is_read_late_is_of_its_moment_vis_530(size, offset):
    line = QueueOrder()
    standings = [standing(True, 0, float(at), f"w{at:04}", LOCAL_QUEUES[at % 3]) for at in range(size)]
    for newcomer in standings:
        line.add(newcomer)

    def pages():
        return line.page(offset, size), line.page_of("ns/a", offset, size)

    expected = [list(page) for page in pages()]
    late = pages()
    begun = [list(islice(standing, 1)) for standing in late]
    for newcomer in standings[::2]:
        line.remove(newcomer)
    line.add(standing(False, -9, 0.0, "new", "ns/a"))

    assert [[*first, *rest] for first, rest in zip(begun, late, strict=True)] == expected

"""What LocalQueues have used comes before the sticky one and
before priority (Q-021, VIS-512, VIS-963, VIS-964, VIS-967).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.usage_order import UsageOrder, tiers_of

from .standings import LOCAL_QUEUES, is_in_order, standing, standings
from .test_pending_queue import NOW, names, pending

FIGURES = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(LOCAL_QUEUES, st.sampled_from((0.0, 0.5, float("inf"))))
)
"""Usage by LocalQueue; that of one may not be known."""
STEPS = st.lists(st.tuples(standings(st.just(True)), st.booleans(), FIGURES), max_size=40)


class Usage:
    """Tells figures that a test sets, and counts how often it is asked."""

    def __init__(self, figures=()):
        self.figures = dict(figures)
        self.asked = 0

    def __call__(self, local_queue):
        self.asked += 1
        return self.figures[local_queue]


def by_usage(waiting, figures):
    """Sort all that wait: by usage where all of it is known, then the sticky one, then by rank."""
    has_figures = all(standing.pending.local_queue in figures for standing in waiting)
    return sorted(
        waiting,
        key=lambda standing: (figures[standing.pending.local_queue] if has_figures else 0.0, standing[:4]),
    )


@given(STEPS, st.none() | standings(st.just(False)), st.integers(0, 8), st.integers(0, 8))
def test_pages_agree_with_a_full_sort_vis_967(steps, sticky, offset, limit):
    usage = Usage()
    line, waiting = UsageOrder(usage), []
    if sticky is not None:
        line.add(sticky)
        waiting.append(sticky)
    for newcomer, leaves, figures in steps:
        line.add(newcomer)
        waiting.append(newcomer)
        if leaves:
            line.remove(waiting.pop(len(waiting) // 2))
        usage.figures = figures
        is_in_order(line, by_usage(waiting, figures), offset, limit)


@given(STEPS, FIGURES)
def test_what_moves_is_another_generation(steps, figures):
    usage = Usage(figures)
    line = UsageOrder(usage)
    for newcomer, _, _ in steps:
        line.add(newcomer)
    for _, _, later in steps:
        before, generation = [*line.page(0, len(line))], line.generation
        usage.figures = later
        assert line.generation == generation or before
        assert line.generation > generation or [*line.page(0, len(line))] == before


def test_usage_is_asked_once_for_each_answer_vis_512():
    usage = Usage(dict.fromkeys(LOCAL_QUEUES, 0.0))
    line = UsageOrder(usage)
    for at in range(30):
        line.add(standing(True, 0, float(at), f"w{at:02}", LOCAL_QUEUES[at % 3]))

    page = line.page(5, 10)
    usage.figures["ns/a"] = 9.0

    assert [standing.in_cluster_queue for standing in page] == [*range(5, 15)]
    assert usage.asked == len(LOCAL_QUEUES)


TIERS = {"ns/a": 0.5, "ns/b": 0.5, "other/a": 9.0}


def make_tiers(*also):
    """Two LocalQueues that used as much, and one that used more; all of it was read before `also` came."""
    line = UsageOrder(Usage(TIERS))
    for uid, since, name in (
        ("a1", 1.0, "ns/a"),
        ("b2", 2.0, "ns/b"),
        ("o0", 0.0, "other/a"),
        ("o3", 3.0, "other/a"),
    ):
        line.add(standing(True, 0, since, uid, name))
    uids(line)
    for newcomer in also:
        line.add(newcomer)
    return line


def uids(line, offset=0, limit=9):
    return [standing.workload.uid for standing in line.page(offset, limit)]


def test_what_used_as_much_is_one_line_vis_964():
    line = make_tiers()

    assert (uids(line), line.first().uid) == (["a1", "b2", "o0", "o3"], "a1")
    assert [uids(line, offset, 2) for offset in range(5)] == [
        ["a1", "b2"],
        ["b2", "o0"],
        ["o0", "o3"],
        ["o3"],
        [],
    ]


@pytest.mark.parametrize(
    ("since", "name", "expected"),
    [
        (0.5, "ns/b", ["new", "a1", "b2", "o0", "o3"]),
        (1.5, "ns/a", ["a1", "new", "b2", "o0", "o3"]),
        (1.5, "other/a", ["a1", "b2", "o0", "new", "o3"]),
    ],
)
def test_what_comes_later_stands_among_those_that_used_as_much_vis_964(since, name, expected):
    new = standing(True, 0, since, "new", name)
    line = make_tiers(new)

    assert (uids(line), line.place(new).in_cluster_queue) == (expected, expected.index("new"))
    line.remove(new)
    assert uids(line) == ["a1", "b2", "o0", "o3"]


def test_positions_in_a_local_queue_that_used_more_count_those_before_vis_964():
    assert [standing[1:] for standing in make_tiers().page_of("other/a", 0, 9)] == [(2, 0), (3, 1)]
    assert [standing[1:] for standing in make_tiers().page(1, 3)] == [(1, 0), (2, 0), (3, 1)]


def test_local_queues_are_sorted_by_usage_and_then_by_name():
    used = {"c": 1.0, "a": 2.0, "b": 1.0}

    assert tiers_of(used, used.__getitem__) == (("b", "c"), ("a",))
    assert tiers_of([*used, "unknown"], used.__getitem__) == (("a", "b", "c", "unknown"),)
    assert tiers_of([], used.__getitem__) == ()


class TestClusterQueue:
    def queue(self, figures):
        queue = ClusterQueue()
        for newcomer in (
            pending("a", priority=9, queue="a"),
            pending("b", queue="b"),
            pending("c", queue="b"),
        ):
            queue.push(newcomer, NOW)
        queue.order_by(Usage(figures))
        return queue

    def test_the_one_that_used_least_is_tried_first_q_021(self):
        queue = self.queue({"ns/a": 2.0, "ns/b": 1.0})

        assert names(queue) == ["b", "c", "a"]
        assert [queue.pop().workload.name for _ in range(3)] == ["b", "c", "a"]
        assert names(queue) == ["b", "c", "a"]

    def test_priority_counts_where_one_is_not_known_vis_512(self):
        queue = self.queue({"ns/a": 2.0})

        assert names(queue) == ["a", "b", "c"]
        assert queue.head().workload.name == "a"

    def test_usage_may_be_counted_no_more(self):
        queue = self.queue({"ns/a": 2.0, "ns/b": 1.0})
        before = queue.order.generation

        queue.order_by(None)

        assert names(queue) == ["a", "b", "c"]
        assert queue.order.generation > before

"""What LocalQueues have used comes before the sticky one and before priority (Q-021, VIS-512, VIS-963,
VIS-964, VIS-967).
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.queueing.cluster_queue import ClusterQueue
from reference_impl.queueing.usage_order import UsageLine

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
    known = all(one.pending.local_queue in figures for one in waiting)
    return sorted(waiting, key=lambda one: (figures[one.pending.local_queue] if known else 0.0, one[:4]))


@given(STEPS, st.none() | standings(st.just(False)), st.integers(0, 8), st.integers(0, 8))
def test_pages_agree_with_a_full_sort_vis_967(steps, sticky, offset, limit):
    usage = Usage()
    line, waiting = UsageLine(usage), []
    if sticky is not None:
        line.add(sticky)
        waiting.append(sticky)
    for each, leaves, figures in steps:
        line.add(each)
        waiting.append(each)
        if leaves:
            line.remove(waiting.pop(len(waiting) // 2))
        usage.figures = figures
        is_in_order(line, by_usage(waiting, figures), offset, limit)


@given(STEPS, FIGURES)
def test_what_moves_is_another_generation(steps, figures):
    usage = Usage(figures)
    line = UsageLine(usage)
    for each, _, _ in steps:
        line.add(each)
    for _, _, then in steps:
        before, generation = [*line.page(0, len(line))], line.generation
        usage.figures = then
        assert line.generation == generation or before
        assert line.generation > generation or [*line.page(0, len(line))] == before


def test_usage_is_asked_once_for_each_answer_vis_512():
    usage = Usage(dict.fromkeys(LOCAL_QUEUES, 0.0))
    line = UsageLine(usage)
    for at in range(30):
        line.add(standing(True, 0, float(at), f"w{at:02}", LOCAL_QUEUES[at % 3]))

    page = line.page(5, 10)
    usage.figures["ns/a"] = 9.0

    assert [one.in_cluster_queue for one in page] == [*range(5, 15)]
    assert usage.asked == len(LOCAL_QUEUES)


class TestClusterQueue:
    def queue(self, figures):
        queue = ClusterQueue()
        for each in (pending("a", priority=9, queue="a"), pending("b", queue="b"), pending("c", queue="b")):
            queue.push(each, NOW)
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
        before = queue.line.generation

        queue.order_by(None)

        assert names(queue) == ["a", "b", "c"]
        assert queue.line.generation > before

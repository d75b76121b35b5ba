"""The shortcuts change nothing but the number of attempts (P-051), and the books stay balanced (P-052)."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .queue_side import Cluster, group

STEADY = settings(
    derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
NAMES = ("a", "b", "c")
QUEUES = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(["StrictFIFO", "BestEffortFIFO"]), st.booleans()),
    min_size=3,
    max_size=3,
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(NAMES), st.integers(1, 5), st.integers(0, 2)),
        st.tuples(st.just("remove"), st.integers(0, 9)),
    ),
    max_size=14,
)


def cluster_of(queues):
    cluster = Cluster().flavors()
    for name, (cores, strategy, joined) in zip(NAMES, queues, strict=True):
        cohort = {"cohortName": "all"} if joined else {}
        cluster.queue(name, group("cpu", default=[cores]), queueingStrategy=strategy, **cohort)
    return cluster


def play(cluster, steps, settle):
    for number, step in enumerate(steps):
        if step[0] == "add":
            _, queue, cores, priority = step
            cluster.cpu(f"w{number}", cores, queue=queue, priority=priority)
        elif f"ns/w{step[1]}" in cluster.objects:
            cluster.remove(f"w{step[1]}")
        settle(cluster.wake())
    return cluster


def carefully(cluster):
    """Look at every head again and again until no Workload gets quota any more."""
    for queue in cluster.queue_manager.queues.cluster_queues.values():
        queue.block = lambda version: None
    while "reserved" in cluster.run().values() or any(
        cluster_queue.head() is not None
        and cluster_queue.strategy == "BestEffortFIFO"
        and _fresh(cluster_queue)
        for cluster_queue in cluster.queue_manager.queues.cluster_queues.values()
    ):
        pass


def _fresh(queue):
    return queue.entries[queue.head().key].evaluated is None


def names_with_quota(cluster):
    return sorted(workload.name for workload in cluster.objects.values() if workload.has_quota_reservation)


@STEADY
@given(QUEUES, STEPS)
def test_blocked_heads_need_no_other_look_p_051(queues, steps):
    quick = play(cluster_of(queues), steps, Cluster.run_all)
    careful = play(cluster_of(queues), steps, carefully)

    assert names_with_quota(quick) == names_with_quota(careful)


@STEADY
@given(QUEUES, STEPS)
def test_everybody_is_in_one_place_and_counted_once_p_052(queues, steps):
    cluster = play(cluster_of(queues), steps, Cluster.run_all)
    waiting = {
        key
        for cluster_queue in cluster.queue_manager.queues.cluster_queues.values()
        for key in cluster_queue.entries
    }
    holding = set(cluster.queue_manager.ledger.holdings)

    assert waiting.isdisjoint(holding)
    assert waiting | holding == set(cluster.objects)


@STEADY
@given(QUEUES, STEPS)
def test_usage_is_the_sum_of_the_admissions_p_052(queues, steps):
    cluster = play(cluster_of(queues), steps, Cluster.run_all)
    ledger = cluster.queue_manager.ledger
    counted = {name: sum(node.usage.values()) for name, node in ledger.cohort_trees.queues.items()}

    assert counted == {
        name: sum(sum(holder.usage.values()) for holder in ledger.holders(name)) for name in NAMES
    }

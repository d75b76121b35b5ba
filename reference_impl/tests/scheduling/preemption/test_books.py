"""Whatever is preempted and released in whatever order, quota is never given twice (P-052)."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl.kueue.quota.tree import available

from ..queue_side import CORRECTED, Cluster, group
from .arenas import pair, policies

STEADY = settings(derandomize=True, deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
CPU = pair("cpu")
NAMES = ("a", "b", "c")
POLICIES = (
    policies("LowerPriority", "Any"),
    policies("LowerOrNewerEqualPriority", "LowerPriority"),
    policies("LowerPriority", "Any", "LowerPriority"),
    policies(),
)
QUEUES = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.sampled_from(["StrictFIFO", "BestEffortFIFO"]),
        st.booleans(),
        st.sampled_from(POLICIES),
    ),
    min_size=3,
    max_size=3,
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(NAMES), st.integers(1, 5), st.integers(0, 3)),
        st.tuples(st.just("remove"), st.integers(0, 9), st.just(0), st.just(0)),
        st.tuples(st.just("release"), st.integers(0, 3), st.just(0), st.just(0)),
    ),
    min_size=4,
    max_size=16,
)


def cluster_of(queues: list[Any]) -> Cluster:
    cluster = Cluster(follows=CORRECTED).flavors()
    for name, (cores, strategy, joined, preemption) in zip(NAMES, queues, strict=True):
        cohort = {"cohortName": "all"} if joined else {}
        quota = group("cpu", default=[cores])
        cluster.queue(name, quota, queueingStrategy=strategy, preemption=preemption, **cohort)
    return cluster


def evicted_names(cluster: Cluster) -> list[str]:
    return [
        workload.name
        for workload in cluster.objects.values()
        if workload.is_evicted and workload.has_counted_quota
    ]


def take(cluster: Cluster, number: int, step: tuple[Any, ...]) -> None:
    kind, target, cores, priority = step
    if kind == "add":
        cluster.cpu(f"w{number}", cores, queue=target, priority=priority)
    elif kind == "remove" and f"ns/w{target}" in cluster.objects:
        cluster.remove(f"w{target}")
    elif kind == "release":
        cluster.release(*evicted_names(cluster)[target : target + 1])


def over_used(cluster: Cluster) -> list[str]:
    forest = cluster.queue_manager.ledger.cohort_trees
    nodes = (*forest.queues.values(), *forest.cohorts.values())
    return [node.name for node in nodes if available(node, CPU) < 0]


@STEADY
@given(QUEUES, STEPS)
def test_no_node_is_ever_over_used_p_052(queues: list[Any], steps: list[tuple[Any, ...]]) -> None:
    cluster = cluster_of(queues)
    for number, step in enumerate(steps):
        take(cluster, number, step)
        cluster.wake()
        while cluster.run():
            assert over_used(cluster) == []
        usage = sum(sum(holding.usage.values()) for holding in cluster.queue_manager.ledger.holdings.values())
        assert usage == sum(
            sum(node.usage.values()) for node in cluster.queue_manager.ledger.cohort_trees.queues.values()
        )


@STEADY
@given(QUEUES, STEPS)
def test_everything_released_in_the_end_nothing_waits_for_victims(
    queues: list[Any], steps: list[tuple[Any, ...]]
) -> None:
    """Victims that let go always lead to rest: no two Workloads preempt each other for ever."""
    cluster = cluster_of(queues)
    for number, step in enumerate(steps):
        take(cluster, number, step)
    for _ in range(60):
        verdicts = cluster.wake().run_all()
        if not evicted_names(cluster):
            break
        cluster.release(*evicted_names(cluster))

    assert evicted_names(cluster) == []
    assert not any("Pending the preemption" in text for text in verdicts.values())

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
    found = Cluster(follows=CORRECTED).flavors()
    for name, (cores, strategy, joined, preemption) in zip(NAMES, queues, strict=True):
        cohort = {"cohortName": "all"} if joined else {}
        quota = group("cpu", default=[cores])
        found.queue(name, quota, queueingStrategy=strategy, preemption=preemption, **cohort)
    return found


def evicted(found: Cluster) -> list[str]:
    return [each.name for each in found.objects.values() if each.is_evicted and each.has_counted_quota]


def take(found: Cluster, number: int, step: tuple[Any, ...]) -> None:
    kind, target, cores, priority = step
    if kind == "add":
        found.cpu(f"w{number}", cores, queue=target, priority=priority)
    elif kind == "remove" and f"ns/w{target}" in found.objects:
        found.remove(f"w{target}")
    elif kind == "release":
        found.release(*evicted(found)[target : target + 1])


def over_used(found: Cluster) -> list[str]:
    forest = found.queue_manager.ledger.cohort_trees
    nodes = (*forest.queues.values(), *forest.cohorts.values())
    return [node.name for node in nodes if available(node, CPU) < 0]


@STEADY
@given(QUEUES, STEPS)
def test_no_node_is_ever_over_used_p_052(queues: list[Any], steps: list[tuple[Any, ...]]) -> None:
    found = cluster_of(queues)
    for number, step in enumerate(steps):
        take(found, number, step)
        found.wake()
        while found.run():
            assert over_used(found) == []
        held = sum(sum(each.usage.values()) for each in found.queue_manager.ledger.holdings.values())
        assert held == sum(
            sum(node.usage.values()) for node in found.queue_manager.ledger.cohort_trees.queues.values()
        )


@STEADY
@given(QUEUES, STEPS)
def test_everything_released_in_the_end_nothing_waits_for_victims(
    queues: list[Any], steps: list[tuple[Any, ...]]
) -> None:
    """Victims that let go always lead to rest: no two Workloads preempt each other for ever."""
    found = cluster_of(queues)
    for number, step in enumerate(steps):
        take(found, number, step)
    for _ in range(60):
        told = found.wake().run_all()
        if not evicted(found):
            break
        found.release(*evicted(found))

    assert evicted(found) == []
    assert not any("Pending the preemption" in text for text in told.values())

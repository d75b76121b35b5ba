"""What holds of every set of targets on any tree:
it is enough, no more than needed, and allowed (Q-250…Q-270).
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl.kueue.quota.tree import fits_now, is_borrowing
from reference_impl.kueue.scheduling.preemption.candidates import POLICIES

from . import naive
from .arenas import Arena, limited, pair, policies

STEADY = settings(derandomize=True, deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))
CPU = pair("cpu")
QUEUES = ("a", "b", "c", "d")
COHORTS = ("deep", "left", "deep", "root")
LIMITS = st.none() | st.integers(0, 4)
QUOTAS = st.tuples(st.integers(0, 3), LIMITS, LIMITS)
WITHIN = ("LowerPriority", "LowerOrNewerEqualPriority", "LowerPriority", "Never")
RECLAIM = ("Any", "LowerPriority", "Any", "Never")
HELD = st.lists(
    st.tuples(
        st.sampled_from(QUEUES), st.integers(-2, 2), st.integers(1, 2), st.integers(0, 3), st.booleans()
    ),
    min_size=4,
    max_size=12,
)


def _lendable(nominal: int, bl: int | None, ll: int | None) -> dict[str, str]:
    return limited(nominal, bl, None if ll is None else min(ll, nominal))


@st.composite
def arenas(draw: Any) -> Arena:
    """Three nested cohorts, four queues, and Workloads that hold what need not fit."""
    arena = Arena().cohort("root", cpu=draw(st.integers(0, 3)))
    for name, parent in (("left", "root"), ("deep", "left")):
        arena.cohort(name, parent, cpu=limited(*draw(QUOTAS)))
    for name, cohort in zip(QUEUES, COHORTS, strict=True):
        reclaim = draw(st.sampled_from(RECLAIM))
        borrow = draw(st.sampled_from((None, "LowerPriority"))) if reclaim != "Never" else None
        preemption = policies(draw(st.sampled_from(WITHIN)), reclaim, borrow, draw(st.none() | st.just(0)))
        arena.member(name, cohort, preemption, cpu=_lendable(*draw(QUOTAS)))
    for number, (queue, priority, cores, since, evicted) in enumerate(draw(HELD)):
        arena.holds(f"w{number}", queue, priority, since=since, created=number, evicted=evicted, cpu=cores)
    return arena


CLAIMS = st.tuples(st.sampled_from(QUEUES), st.integers(0, 3), st.integers(1, 5))


def usage(arena: Arena) -> dict[str, int]:
    forest = arena.queue_manager.ledger.cohort_trees
    return {node.name: node.usage_of(CPU) for node in (*forest.queues.values(), *forest.cohorts.values())}


def preempt(arena: Arena, claim: tuple[str, int, int]) -> list[str]:
    """The names of the targets, if there are any; what fits already needs none."""
    queue, priority, cores = claim
    names = list(arena.targets(queue, priority, {"cpu": cores}, created=4))
    return [] if fits_without(arena, [], claim, borrowing=True) else names


def fits_without(arena: Arena, names: list[str], claim: tuple[str, int, int], *, borrowing: bool) -> bool:
    """Whether the claim fits once these hold nothing, the tree recomputed from what others hold."""
    queue, _, cores = claim
    forest, holdings = arena.queue_manager.ledger.cohort_trees, arena.queue_manager.ledger.holdings
    with forest.simulation():
        for name in names:
            forest.remove(holdings[f"ns/{name}"].cluster_queue, holdings[f"ns/{name}"].usage)
        node = forest.queues[queue]
        return fits_now(node, CPU) >= cores * 1000 and (
            borrowing or not is_borrowing(node, CPU, cores * 1000)
        )


@STEADY
@given(arenas(), CLAIMS)
def test_the_preemptor_fits_without_its_targets_q_268(arena: Arena, claim: tuple[str, int, int]) -> None:
    names = preempt(arena, claim)

    assert not names or fits_without(arena, names, claim, borrowing=True)


@STEADY
@given(arenas(), CLAIMS)
def test_no_target_can_be_put_back_q_269(arena: Arena, claim: tuple[str, int, int]) -> None:
    names = preempt(arena, claim)
    modes = [mode for mode in (True, False) if fits_without(arena, names, claim, borrowing=mode)]

    assert not names or any(
        not any(
            fits_without(arena, [other for other in names if other != name], claim, borrowing=mode)
            for name in names
        )
        for mode in modes
    )


@STEADY
@given(arenas(), CLAIMS)
def test_every_target_is_one_that_the_policies_allow_q_251(arena: Arena, claim: tuple[str, int, int]) -> None:
    names = preempt(arena, claim)
    spec = arena.queue_manager.catalogue.cluster_queues[claim[0]].preemption
    incoming = arena.objects["ns/incoming"]
    for name in names:
        holding = arena.queue_manager.ledger.holdings[f"ns/{name}"]
        own = holding.cluster_queue == claim[0]
        policy = spec.within_cluster_queue if own else spec.reclaim_within_cohort
        assert POLICIES[policy](incoming, holding.workload, frozenset())
        assert own or is_borrowing(arena.queue_manager.ledger.cohort_trees.queues[holding.cluster_queue], CPU)


@STEADY
@given(arenas(), CLAIMS)
def test_the_search_leaves_the_tree_as_it_was_p_038(arena: Arena, claim: tuple[str, int, int]) -> None:
    queue, priority, cores = claim
    before = usage(arena)
    forest = arena.queue_manager.ledger.cohort_trees
    root = forest.root(forest.queues[queue])
    assert root is not None
    version = root.version
    arena.targets(queue, priority, {"cpu": cores})

    assert usage(arena) == before
    assert root.version == version


def rows_of(arena: Arena) -> list[naive.Row]:
    return [
        naive.Row(
            holding.workload.name,
            holding.workload.uid,
            holding.cluster_queue,
            holding.priority,
            holding.workload.created,
            holding.workload.since("QuotaReserved"),
            holding.is_evicted,
            holding.usage[CPU],
        )
        for holding in arena.queue_manager.ledger.holdings.values()
    ]


def tree_of(arena: Arena) -> naive.Tree:
    forest = arena.queue_manager.ledger.cohort_trees
    nodes = {**forest.queues, **forest.cohorts}
    parents = {name: node.parent.name if node.parent else "" for name, node in nodes.items()}
    quotas = {name: node.quota(CPU) for name, node in nodes.items()}
    limits = {name: (q.nominal, q.borrowing_limit, q.lending_limit) for name, q in quotas.items()}
    return naive.Tree(parents, limits, tuple(forest.queues))


def claim_of(arena: Arena, claim: tuple[str, int, int]) -> naive.Claim:
    queue, priority, cores = claim
    spec = arena.queue_manager.catalogue.cluster_queues[queue].preemption
    created = arena.objects["ns/incoming"].created
    return naive.Claim(
        queue,
        priority,
        created,
        cores * 1000,
        spec.within_cluster_queue,
        spec.reclaim_within_cohort,
        spec.borrow_within_cohort != "Never",
        spec.max_priority_threshold,
    )


@settings(STEADY, max_examples=300)
@given(arenas(), CLAIMS)
def test_targets_are_those_that_the_rules_name_when_everything_is_counted_anew_p_051(
    arena: Arena, claim: tuple[str, int, int]
) -> None:
    queue, priority, cores = claim
    quick = arena.targets(queue, priority, {"cpu": cores}, created=4)

    assert quick == naive.targets(tree_of(arena), rows_of(arena), claim_of(arena, claim))

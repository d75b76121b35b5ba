"""Fair sharing on any tree: as the rules say when every share is computed anew (KEP-1714, P-051)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reference_impl.kueue.quota.resources import Usage
from reference_impl.kueue.quota.tree import fits_now
from reference_impl.kueue.scheduling.fair_order import FairOrder
from reference_impl.kueue.scheduling.preemption.fair_search import STRATEGIES
from reference_impl.kueue.sharing import PREEMPTION_STRATEGIES

from . import naive_fair
from .arenas import FairArena, limited, policies
from .test_properties import (
    CLAIMS,
    COHORTS,
    CPU,
    HELD,
    QUEUES,
    QUOTAS,
    RECLAIM,
    STEADY,
    WITHIN,
    _lendable,
    claim_of,
    fits_without,
    rows_of,
    tree_of,
    usage,
)

WEIGHTS = st.sampled_from((None, "0", "0.5", "2", "0.333"))


@st.composite
def arenas(draw: Any) -> FairArena:
    """Three nested cohorts and four queues with weights, and Workloads that hold what need not fit."""
    arena = FairArena(*draw(st.sampled_from(PREEMPTION_STRATEGIES)))
    arena.cohort("root", cpu=draw(st.integers(0, 5)))
    for name, parent in (("left", "root"), ("deep", "left")):
        arena.cohort(name, parent, draw(WEIGHTS), cpu=limited(*draw(QUOTAS)))
    for name, cohort in zip(QUEUES, COHORTS, strict=True):
        preemption = policies(draw(st.sampled_from(WITHIN)), draw(st.sampled_from(RECLAIM)))
        arena.member(name, cohort, preemption, draw(WEIGHTS), cpu=_lendable(*draw(QUOTAS)))
    for number, (queue, priority, cores, since, evicted) in enumerate(draw(HELD)):
        arena.holds(f"w{number}", queue, priority, since=since, created=number, evicted=evicted, cpu=cores)
    return arena


def weights_of(arena: FairArena) -> naive_fair.Weights:
    forest = arena.queue_manager.ledger.cohort_trees
    return {name: node.weight for name, node in (forest.queues | forest.cohorts).items()}


def names_of(arena: FairArena) -> Sequence[str]:
    names = {strategy: name for name, strategy in STRATEGIES.items()}
    return [names[strategy] for strategy in arena.preemptor.strategies]


@settings(STEADY, max_examples=400)
@given(arenas(), CLAIMS)
def test_targets_are_those_that_the_rules_name(arena: FairArena, claim: tuple[str, int, int]) -> None:
    queue, priority, cores = claim
    before = usage(arena)
    quick = arena.targets(queue, priority, {"cpu": cores}, created=4)

    search = naive_fair.Search(tree_of(arena), weights_of(arena), rows_of(arena), claim_of(arena, claim))
    assert quick == search.run(names_of(arena))
    assert usage(arena) == before


@STEADY
@given(arenas(), CLAIMS)
def test_the_preemptor_fits_without_its_targets_and_needs_each_of_them(
    arena: FairArena, claim: tuple[str, int, int]
) -> None:
    queue, priority, cores = claim
    names = list(arena.targets(queue, priority, {"cpu": cores}, created=4))
    if not names or fits_without(arena, [], claim, borrowing=True):
        return

    assert fits_without(arena, names, claim, borrowing=True)
    for name in names:
        assert not fits_without(arena, [entry for entry in names if entry != name], claim, borrowing=True)


@dataclass(frozen=True)
class Contender:
    cluster_queue: str
    usage: Usage
    sort_key: tuple[int, int, float, str]


ENTRIES = st.dictionaries(
    st.sampled_from(QUEUES), st.tuples(st.integers(-1, 1), st.integers(0, 2), st.integers(0, 4)), min_size=1
)


@settings(STEADY, max_examples=400)
@given(arenas(), ENTRIES)
def test_a_tournament_ends_as_one_that_computes_every_share_anew(
    arena: FairArena, entries: dict[str, tuple[int, int, int]]
) -> None:
    forest = arena.queue_manager.ledger.cohort_trees
    rows, tree, weights = rows_of(arena), tree_of(arena), weights_of(arena)
    contenders = [
        Contender(queue, {CPU: cores * 1000}, (0, lower, float(since), f"uid-{queue}"))
        for queue, (lower, since, cores) in entries.items()
    ]
    order = []
    with forest.simulation():
        for entry in FairOrder(forest)(contenders):
            order.append(entry.cluster_queue)
            if entry.usage[CPU] <= fits_now(forest.queues[entry.cluster_queue], CPU):
                forest.add(entry.cluster_queue, entry.usage)

    expected = {
        contender.cluster_queue: (*contender.sort_key[1:], contender.usage[CPU]) for contender in contenders
    }
    assert order == naive_fair.tournament(tree, weights, rows, expected)


def test_trees_do_not_compete() -> None:
    arena = FairArena().member("a", "one", cpu=4).member("b", cpu=4).member("c", "one", cpu=4)
    contenders = [Contender(name, {CPU: 1}, (0, 0, float(at), name)) for at, name in enumerate("abc")]

    order = [entry.cluster_queue for entry in FairOrder(arena.queue_manager.ledger.cohort_trees)(contenders)]

    assert order == ["a", "c", "b"]

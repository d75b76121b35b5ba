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
    found = FairArena(*draw(st.sampled_from(PREEMPTION_STRATEGIES)))
    found.cohort("root", cpu=draw(st.integers(0, 5)))
    for name, parent in (("left", "root"), ("deep", "left")):
        found.cohort(name, parent, draw(WEIGHTS), cpu=limited(*draw(QUOTAS)))
    for name, cohort in zip(QUEUES, COHORTS, strict=True):
        wanted = policies(draw(st.sampled_from(WITHIN)), draw(st.sampled_from(RECLAIM)))
        found.member(name, cohort, wanted, draw(WEIGHTS), cpu=_lendable(*draw(QUOTAS)))
    for number, (queue, priority, cores, since, evicted) in enumerate(draw(HELD)):
        found.holds(f"w{number}", queue, priority, since=since, created=number, evicted=evicted, cpu=cores)
    return found


def weights_of(found: FairArena) -> naive_fair.Weights:
    forest = found.queue_manager.ledger.cohort_trees
    return {name: node.weight for name, node in (forest.queues | forest.cohorts).items()}


def names_of(found: FairArena) -> Sequence[str]:
    known = {strategy: name for name, strategy in STRATEGIES.items()}
    return [known[each] for each in found.preemptor.strategies]


@settings(STEADY, max_examples=400)
@given(arenas(), CLAIMS)
def test_targets_are_those_that_the_rules_name(found: FairArena, claim: tuple[str, int, int]) -> None:
    queue, priority, cores = claim
    before = usage(found)
    quick = found.targets(queue, priority, {"cpu": cores}, created=4)

    search = naive_fair.Search(tree_of(found), weights_of(found), rows_of(found), claim_of(found, claim))
    assert quick == search.run(names_of(found))
    assert usage(found) == before


@STEADY
@given(arenas(), CLAIMS)
def test_the_preemptor_fits_without_its_targets_and_needs_each_of_them(
    found: FairArena, claim: tuple[str, int, int]
) -> None:
    queue, priority, cores = claim
    names = list(found.targets(queue, priority, {"cpu": cores}, created=4))
    if not names or fits_without(found, [], claim, borrowing=True):
        return

    assert fits_without(found, names, claim, borrowing=True)
    for name in names:
        assert not fits_without(found, [each for each in names if each != name], claim, borrowing=True)


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
    found: FairArena, entries: dict[str, tuple[int, int, int]]
) -> None:
    forest = found.queue_manager.ledger.cohort_trees
    rows, tree, weights = rows_of(found), tree_of(found), weights_of(found)
    contenders = [
        Contender(queue, {CPU: cores * 1000}, (0, lower, float(since), f"uid-{queue}"))
        for queue, (lower, since, cores) in entries.items()
    ]
    order = []
    with forest.simulation():
        for each in FairOrder(forest)(contenders):
            order.append(each.cluster_queue)
            if each.usage[CPU] <= fits_now(forest.queues[each.cluster_queue], CPU):
                forest.add(each.cluster_queue, each.usage)

    expected = {each.cluster_queue: (*each.sort_key[1:], each.usage[CPU]) for each in contenders}
    assert order == naive_fair.tournament(tree, weights, rows, expected)


def test_trees_do_not_compete() -> None:
    found = FairArena().member("a", "one", cpu=4).member("b", cpu=4).member("c", "one", cpu=4)
    contenders = [Contender(name, {CPU: 1}, (0, 0, float(at), name)) for at, name in enumerate("abc")]

    order = [each.cluster_queue for each in FairOrder(found.queue_manager.ledger.cohort_trees)(contenders)]

    assert order == ["a", "c", "b"]

"""Dominant resource shares: the figures that a real Kueue told (QC-12),
and shares after any history of usage (Q-272).
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.quota.resources import FlavorResource, Quota
from reference_impl.kueue.quota.shares import INFINITE, DominantResourceShare, share, weight_of
from reference_impl.kueue.quota.tree import Node, potential

CPU, GPU = FlavorResource("f", "cpu"), FlavorResource("g", "cpu")
MEMORY = FlavorResource("f", "memory")
HALF, ONE = Fraction(1, 2), Fraction(1)


def borrower(own: int, used: int, others_used: int, weight: Fraction = ONE) -> Node:
    """A queue that uses something, beside another one that lends."""
    forest = CohortTrees()
    forest.set_queue("q", "all", {CPU: Quota(own * 1000)}, weight)
    forest.set_queue("lender", "all", {CPU: Quota(others_used * 1000)})
    forest.add("q", {CPU: used * 1000})
    return forest.queues["q"]


@pytest.mark.parametrize(
    ("own", "used", "others_used", "weight", "expected"),
    [
        pytest.param(2, 3, 10, "1", 84, id="1 of 12"),
        pytest.param(2, 4, 10, "1", 167, id="2 of 12"),
        pytest.param(0, 2, 6, "1", 334, id="2 of 6"),
        pytest.param(0, 5, 6, "1", 834, id="5 of 6"),
        pytest.param(2, 3, 8, "0.333", 301, id="1 of 10, a third"),
        pytest.param(2, 3, 8, "1m", 100000, id="1 of 10, a thousandth"),
        pytest.param(2, 3, 8, "2", 50, id="1 of 10, double"),
        pytest.param(2, 3, 8, "0", INFINITE, id="nothing, borrows"),
        pytest.param(2, 2, 8, "0", 0, id="nothing, does not borrow"),
    ],
)
def test_what_is_told_is_rounded_up_qc_12(
    own: int, used: int, others_used: int, weight: str, expected: int
) -> None:
    node = borrower(own, used, others_used, weight_of({"fairSharing": {"weight": weight}}))
    assert share(node).weighted_share == expected


def test_what_is_told_is_never_above_the_largest_whole_number_qc_12() -> None:
    largest = 9_223_372_036_854_775_807

    assert DominantResourceShare(ONE, Fraction(0), frozenset({CPU})).weighted_share == largest
    assert [
        DominantResourceShare(Fraction(ratio)).weighted_share for ratio in (largest - 1, largest, largest + 1)
    ] == [
        largest - 1,
        largest,
        largest,
    ]


def test_a_weight_that_changes_counts_at_once_ac_044() -> None:
    forest = CohortTrees()
    shares = []
    for weight in (ONE, Fraction(2), Fraction(0)):
        forest.set_queue("q", "all", {}, weight)
        forest.set_cohort("all", "", {}, weight)
        shares.append((share(forest.queues["q"]).weight, share(forest.cohorts["all"]).weight))

    assert shares == [(1, 1), (2, 2), (0, 0)]


def test_lendable_of_the_parent_counts_lending_limits_qc_12() -> None:
    forest = CohortTrees()
    forest.set_queue("q", "all", {CPU: Quota(2)})
    forest.set_queue("lender", "all", {CPU: Quota(8, lending_limit=2)})
    forest.add("q", {CPU: 3})
    assert share(forest.queues["q"]).weighted_share == 250


def test_one_resource_over_two_flavors_is_summed_qc_12() -> None:
    forest = CohortTrees()
    forest.set_queue("q", "all", {CPU: Quota(0), GPU: Quota(0)})
    forest.set_queue("lender", "all", {CPU: Quota(4), GPU: Quota(4)})
    forest.add("q", {CPU: 2, GPU: 1})
    assert share(forest.queues["q"]).weighted_share == 375


def test_the_largest_over_resources_counts_qc_12() -> None:
    forest = CohortTrees()
    forest.set_queue("q", "all", {CPU: Quota(0), MEMORY: Quota(0)})
    forest.set_queue("lender", "all", {CPU: Quota(10), MEMORY: Quota(4)})
    forest.add("q", {CPU: 5, MEMORY: 3})
    assert share(forest.queues["q"]).weighted_share == 750


def test_a_root_and_a_queue_without_cohort_have_none_qc_12() -> None:
    forest = CohortTrees()
    forest.set_cohort("root", "", {CPU: Quota(1)}, HALF)
    forest.set_queue("q", "root", {CPU: Quota(0)})
    forest.set_queue("alone", "", {CPU: Quota(1)})
    for name in ("q", "alone"):
        forest.add(name, {CPU: 1})
    assert (share(forest.cohorts["root"]).weighted_share, share(forest.queues["alone"]).weighted_share) == (
        0,
        0,
    )


def test_a_cohort_borrows_with_its_weight_and_lends_what_its_tree_has() -> None:
    forest = CohortTrees()
    forest.set_cohort("root", "", {CPU: Quota(8)})
    forest.set_cohort("left", "root", {CPU: Quota(2)}, Fraction(2))
    forest.set_queue("q", "left", {CPU: Quota(0)})
    forest.add("q", {CPU: 4})
    assert share(forest.cohorts["left"]).weighted_share == 100
    assert share(forest.queues["q"]).weighted_share == 400


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        (DominantResourceShare(Fraction(1)), DominantResourceShare(Fraction(2))),
        (DominantResourceShare(Fraction(2), Fraction(2)), DominantResourceShare(Fraction(2))),
        (
            DominantResourceShare(Fraction(999)),
            DominantResourceShare(Fraction(1), Fraction(0), frozenset({CPU})),
        ),
        (
            DominantResourceShare(Fraction(1), Fraction(0), frozenset({CPU})),
            DominantResourceShare(Fraction(2), Fraction(0), frozenset({CPU})),
        ),
        (DominantResourceShare(Fraction(0), Fraction(0)), DominantResourceShare(Fraction(1))),
        (DominantResourceShare(Fraction(1, 10**12)), DominantResourceShare(Fraction(2, 10**12))),
    ],
    ids=["amount", "weight", "infinite", "both infinite", "nothing borrowed", "below rounding"],
)
def test_shares_compare_precisely(smaller: DominantResourceShare, larger: DominantResourceShare) -> None:
    assert smaller.degree < larger.degree


def test_without_a_weight_it_is_one() -> None:
    assert [weight_of(spec) for spec in ({}, {"fairSharing": {}}, {"fairSharing": {"weight": "500m"}})] == [
        1,
        1,
        HALF,
    ]


# -- any tree, any history

PAIRS = (CPU, GPU, MEMORY)
amounts = st.dictionaries(st.sampled_from(PAIRS), st.integers(1, 9), min_size=1)
quotas = st.dictionaries(
    st.sampled_from(PAIRS),
    st.builds(Quota, st.integers(0, 9), st.none(), st.none() | st.integers(0, 9)),
)
weights = st.sampled_from([Fraction(0), HALF, ONE, Fraction(3)])


@st.composite
def forests(draw: st.DrawFn) -> CohortTrees:
    """Up to three levels of cohorts, with queues that use more or less than they have."""
    forest = CohortTrees()
    forest.set_cohort("root", "", draw(quotas))
    cohorts = ["root"]
    for number in range(draw(st.integers(0, 3))):
        name = f"c{number}"
        forest.set_cohort(name, draw(st.sampled_from(cohorts)), draw(quotas), draw(weights))
        cohorts.append(name)
    for number in range(draw(st.integers(1, 5))):
        forest.set_queue(f"q{number}", draw(st.sampled_from(cohorts)), draw(quotas), draw(weights))
    for name in forest.queues:
        for usage in draw(st.lists(amounts, max_size=3)):
            forest.add(name, usage)
    return forest


def naive(node: Node) -> DominantResourceShare:
    """The share by the words of the rule, with nothing remembered."""
    if node.parent is None:
        return DominantResourceShare(weight=node.weight)
    *_, root = node.path()
    over = {
        fr: node.usage_of(fr) - node.total(fr) for fr in node.subtree if node.usage_of(fr) > node.total(fr)
    }
    ratios = [Fraction(0)]
    for resource in {fr.resource for fr in over}:
        most = sum(potential(node.parent, fr) for fr in root.subtree if fr.resource == resource)
        borrowed = sum(value for fr, value in over.items() if fr.resource == resource)
        if most > 0:
            ratios.append(Fraction(1000 * borrowed, most))
    return DominantResourceShare(max(ratios), node.weight, frozenset(over))


def all_shares(forest: CohortTrees) -> dict[str, DominantResourceShare]:
    nodes = {**forest.queues, **{f"cohort {name}": node for name, node in forest.cohorts.items()}}
    return {name: share(node) for name, node in nodes.items()}


@given(forests(), st.data())
def test_a_share_is_what_the_rule_says_and_a_simulation_leaves_it(
    forest: CohortTrees, data: st.DataObject
) -> None:
    before = all_shares(forest)
    assert before == {
        **{name: naive(node) for name, node in forest.queues.items()},
        **{f"cohort {name}": naive(node) for name, node in forest.cohorts.items()},
    }
    with forest.simulation():
        for name in forest.queues:
            forest.add(name, data.draw(amounts))
        inside = all_shares(forest)
    assert all_shares(forest) == before
    assert all(inside[name].degree >= before[name].degree for name in forest.queues)


@given(forests(), quotas)
def test_what_is_lendable_is_forgotten_with_the_form_of_the_tree(
    forest: CohortTrees, quota: dict[FlavorResource, Quota]
) -> None:
    all_shares(forest)
    forest.set_queue("q0", "root", quota)
    assert all(share(node) == naive(node) for node in (*forest.queues.values(), *forest.cohorts.values()))

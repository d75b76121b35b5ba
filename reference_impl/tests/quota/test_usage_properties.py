"""Usage that moved along one path equals usage derived from scratch (P-050, Q-122, Q-127)."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.quota.resources import Quota
from reference_impl.kueue.quota.tree import guaranteed_quota

from .forests import CPU

# A busy machine must not make these fail: the examples are always the same, and none is timed.
STEADY = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LIMITS = st.none() | st.integers(0, 8)
QUOTAS = st.builds(Quota, st.integers(0, 10), LIMITS, LIMITS)
QUEUES = ("a", "b", "c")
CHANGES = st.lists(st.tuples(st.sampled_from(QUEUES), st.integers(1, 12)), max_size=12)


def forest_of(quotas):
    forest = CohortTrees()
    forest.set_cohort("root", "", {CPU: quotas[0]})
    forest.set_cohort("left", "root", {CPU: quotas[1]})
    for name, parent, quota in zip(QUEUES, ("left", "left", "root"), quotas[2:], strict=True):
        forest.set_queue(name, parent, {CPU: quota})
    return forest


def used(node):
    """Q-122, without any memory of how it came about."""
    if node.is_queue:
        return node.usage_of(CPU)
    return sum(max(0, used(child) - guaranteed_quota(child, CPU)) for child in node.children.values())


def snapshot(forest):
    nodes = [*forest.queues.values(), *forest.cohorts.values()]
    return {node.name: node.usage_of(CPU) for node in nodes}


@STEADY
@given(st.lists(QUOTAS, min_size=5, max_size=5), CHANGES, st.data())
def test_adding_and_taking_back_equals_recomputation(quotas, changes, data):
    forest = forest_of(quotas)
    for name, value in changes:
        forest.add(name, {CPU: value})
    for name, value in data.draw(st.permutations(changes))[: len(changes) // 2]:
        forest.remove(name, {CPU: value})

    assert forest.cohorts["root"].usage_of(CPU) == used(forest.cohorts["root"])


@STEADY
@given(st.lists(QUOTAS, min_size=5, max_size=5), CHANGES, CHANGES)
def test_a_simulation_leaves_nothing_behind(quotas, before, tried):
    forest = forest_of(quotas)
    for name, value in before:
        forest.add(name, {CPU: value})
    remaining = snapshot(forest)

    with forest.simulation():
        for name, value in tried:
            forest.add(name, {CPU: value})

    assert snapshot(forest) == remaining


def test_a_change_gives_the_tree_a_new_version_and_a_trial_does_not_p_036():
    forest = forest_of([Quota(5)] * 5)
    root = forest.root(forest.queues["a"])
    before = root.version
    with forest.simulation():
        forest.add("a", {CPU: 1})
    tried = root.version
    forest.add("b", {CPU: 1})

    assert (tried, root.version > before) == (before, True)

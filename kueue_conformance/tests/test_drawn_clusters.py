"""What the lines of QUE-270 say is what a model says that computes the rules anew (P-051)."""

from importlib import import_module

import pytest

from kueue_conformance.stage.cohorts.topology_text import (
    CohortNode,
    Quota,
    parse_pairs,
    parse_topology,
    parse_workloads,
)
from reference_impl.kueue.quota.resources import FlavorResource as Pair
from reference_impl.tests.scheduling.model.cycle import Model
from reference_impl.tests.scheduling.model.values import Queue, Set, Wish

DRAWN = import_module("suites.queueing.test_drawn_clusters").DRAWN


def milli(amount: str) -> int:
    return int(amount.removesuffix("m"))


def limit(quota: Quota, name: str) -> int | None:
    return milli(quota.limits[name]) if name in quota.limits else None


def quotas(node: CohortNode):
    return {
        Pair(quota.flavor, quota.resource): (
            milli(quota.nominal),
            limit(quota, "borrows"),
            limit(quota, "lends"),
        )
        for quota in node.quotas
    }


def queue(node: CohortNode) -> Queue:
    policies = node.words
    return Queue(
        flavors=[quota.flavor for quota in node.quotas],
        resources=("cpu",),
        within=policies.get("within", "Never"),
        reclaim=policies.get("reclaim", "Never"),
        borrows="borrow" in policies,
        threshold=int(policies["threshold"]) if "threshold" in policies else None,
        next_to_borrow=policies.get("canBorrow") == "TryNextFlavor",
        next_to_preempt=policies.get("canPreempt") != "MayStopSearch",
        sparing=policies.get("prefers") == "PreemptionOverBorrowing",
    )


@pytest.mark.parametrize("case", [*DRAWN.lines])
def test_the_model_says_the_same(case: str) -> None:
    line = DRAWN[case]
    nodes = parse_topology(line.queues)
    model = Model(
        {node.name: queue(node) for node in nodes if not node.is_cohort},
        {node.name: node.parent for node in nodes},
        {node.name: quotas(node) for node in nodes},
    )

    for at, ask in enumerate([*parse_workloads(line.holding), *parse_workloads(line.comes)]):
        (pods,) = ask.pods
        requested_sets = (Set("main", {"cpu": milli(pods.requests["cpu"])}, 1, 1),)
        model.heap[ask.name] = Wish(ask.name, f"uid-{at:02}", ask.queue, ask.priority, at, requested_sets)
        model.settle(at)

    flavors = {holder.name: holder.given[0][2]["cpu"] for holder in model.held}
    assert flavors.get("new", "") == line.uses
    assert {holder.name: holder.evicted for holder in model.held if holder.evicted} == parse_pairs(line.goes)
    assert flavors.keys() - {"new"} == {ask.name for ask in parse_workloads(line.holding)}

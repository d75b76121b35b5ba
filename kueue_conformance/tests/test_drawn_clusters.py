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


def quotas(place: CohortNode):
    return {
        Pair(each.flavor, each.resource): (milli(each.nominal), limit(each, "borrows"), limit(each, "lends"))
        for each in place.quotas
    }


def queue(place: CohortNode) -> Queue:
    said = place.words
    return Queue(
        flavors=[each.flavor for each in place.quotas],
        resources=("cpu",),
        within=said.get("within", "Never"),
        reclaim=said.get("reclaim", "Never"),
        borrows="borrow" in said,
        threshold=int(said["threshold"]) if "threshold" in said else None,
        next_to_borrow=said.get("canBorrow") == "TryNextFlavor",
        next_to_preempt=said.get("canPreempt") != "MayStopSearch",
        sparing=said.get("prefers") == "PreemptionOverBorrowing",
    )


@pytest.mark.parametrize("case", [*DRAWN.lines])
def test_the_model_says_the_same(case: str) -> None:
    line = DRAWN[case]
    known = parse_topology(line.queues)
    model = Model(
        {each.name: queue(each) for each in known if not each.is_cohort},
        {each.name: each.parent for each in known},
        {each.name: quotas(each) for each in known},
    )

    for at, ask in enumerate([*parse_workloads(line.holding), *parse_workloads(line.comes)]):
        (pods,) = ask.pods
        wanted = (Set("main", {"cpu": milli(pods.requests["cpu"])}, 1, 1),)
        model.heap[ask.name] = Wish(ask.name, f"uid-{at:02}", ask.queue, ask.priority, at, wanted)
        model.settle(at)

    flavors = {each.name: each.given[0][2]["cpu"] for each in model.held}
    assert flavors.get("new", "") == line.uses
    assert {each.name: each.evicted for each in model.held if each.evicted} == parse_pairs(line.goes)
    assert flavors.keys() - {"new"} == {ask.name for ask in parse_workloads(line.holding)}

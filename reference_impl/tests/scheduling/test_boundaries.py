"""Decisions at their very boundary: claims, borrowing, quota that is no more than used, evictions that are
over (Q-128, Q-167, Q-227, Q-292).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.quota.cluster_queue import PreemptionPolicies
from reference_impl.kueue.quota.resources import FlavorResource, Quota
from reference_impl.kueue.quota.tree import Node
from reference_impl.kueue.scheduling.entry import _limit_usage
from reference_impl.kueue.scheduling.preemption.candidates import within_nominal
from reference_impl.kueue.scheduling.preemption.fair import FairPreemptor
from reference_impl.kueue.workload.view import Workload

from .test_evictions import make_bench, statuses_of

CPU, MEMORY = FlavorResource("default", "cpu"), FlavorResource("default", "memory")


def make_node(used: int, **quota: Any) -> Node:
    node = Node("cq", is_queue=True)
    node.quotas, node.usage, node.subtree = {CPU: Quota(**quota)}, {CPU: used}, {CPU: quota["nominal"]}
    return node


CLAIMS = {
    "all of it": (make_node(0, nominal=5), 5, False, 5),
    "what is left": (make_node(2, nominal=5), 5, False, 3),
    "nothing is left": (make_node(7, nominal=5), 5, False, 0),
    "borrowed without a limit": (make_node(5, nominal=5), 5, True, 5),
    "borrowed up to the limit": (make_node(5, nominal=5, borrowing_limit=2), 5, True, 2),
    "nothing may be borrowed": (make_node(3, nominal=5, borrowing_limit=0), 5, True, 2),
    "what might be borrowed is not claimed": (make_node(3, nominal=5, borrowing_limit=9), 5, False, 2),
}


@pytest.mark.parametrize(("node", "value", "borrows", "claimed"), CLAIMS.values(), ids=CLAIMS)
def test_what_an_entry_that_waits_keeps_from_others(
    node: Node, value: int, borrows: bool, claimed: int
) -> None:
    assert _limit_usage(node, CPU, value, borrows=borrows) == claimed


@pytest.mark.parametrize(("used", "within"), [(4, True), (5, True), (6, False)])
def test_a_node_is_within_its_quota_up_to_the_last_of_it(used: int, within: bool) -> None:
    assert within_nominal(make_node(used, nominal=5), frozenset({CPU})) is within


def test_a_node_that_has_no_quota_and_uses_none_is_within_it() -> None:
    assert within_nominal(make_node(5, nominal=5), frozenset({CPU, MEMORY}))


def test_a_node_that_has_no_quota_and_uses_some_is_beyond_it() -> None:
    node = make_node(5, nominal=5)
    node.usage[MEMORY] = 1

    assert not within_nominal(node, frozenset({CPU, MEMORY}))


BORROWS = {
    "neither": ("Never", "Never", False),
    "it may reclaim": ("Never", "Any", True),
    "it may borrow": ("LowerPriority", "Never", True),
    "both": ("LowerPriority", "Any", True),
}


@pytest.mark.parametrize(("borrow", "reclaim", "may"), BORROWS.values(), ids=BORROWS)
def test_shares_decide_who_may_borrow_where_anything_may_be_reclaimed(
    borrow: str, reclaim: str, may: bool
) -> None:
    policy = PreemptionPolicies(borrow_within_cohort=borrow, reclaim_within_cohort=reclaim)

    assert FairPreemptor.may_borrow(object.__new__(FairPreemptor), policy) is may


ENDS = {
    "gone": lambda before: None,
    "released": lambda before: {**before, "status": {}},
    "deactivated": lambda before: {**before, "spec": {**before["spec"], "active": False}},
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_nothing_is_expected_of_a_victim_that_holds_nothing_any_more_q_292(end: Any) -> None:
    bench = make_bench().run()
    before = bench.cluster.objects["ns/victim"].object
    assert Workload(before).api_key in bench.evictions._expected

    bench.evictions.observe(before, before)
    assert Workload(before).api_key in bench.evictions._expected
    bench.evictions.observe(before, end(before))

    assert not bench.evictions._expected
    assert len(statuses_of(bench, "victim")) == 1

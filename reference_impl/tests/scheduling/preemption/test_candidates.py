"""Which queues borrow what is short (Q-128)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.quota.tree import Node
from reference_impl.kueue.scheduling.preemption.candidates import within_nominal

from .arenas import pair

CPU, MEMORY = pair("cpu"), pair("memory")
NOMINAL: dict[str, tuple[Any, Any, bool]] = {
    "nothing given, nothing used": ({}, {}, True),
    "nothing given": ({}, {CPU: 1}, False),
    "nothing used": ({CPU: 0}, {}, True),
    "all of it": ({CPU: 2}, {CPU: 2}, True),
    "more than it": ({CPU: 2}, {CPU: 3}, False),
    "more of what is not short": ({CPU: 2}, {CPU: 2, MEMORY: 9}, True),
}


@pytest.mark.parametrize(("quota", "used", "expected"), NOMINAL.values(), ids=NOMINAL)
def test_a_queue_is_within_its_quota_of_what_is_short_q_128(quota: Any, used: Any, expected: bool) -> None:
    node = Node("cq", is_queue=True)
    node.subtree, node.usage = quota, used

    assert within_nominal(node, frozenset({CPU})) is expected


def test_one_resource_that_is_borrowed_is_enough_q_128() -> None:
    node = Node("cq", is_queue=True)
    node.subtree, node.usage = {CPU: 2, MEMORY: 2}, {CPU: 2, MEMORY: 3}

    assert not within_nominal(node, frozenset({CPU, MEMORY}))

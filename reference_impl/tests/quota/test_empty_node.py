"""A node of the quota tree to which nothing was given (Q-112, Q-120, Q-122)."""

from __future__ import annotations

from reference_impl.kueue.quota.resources import FlavorResource
from reference_impl.kueue.quota.tree import Node, add, remove

UNLISTED = FlavorResource("a", "cpu")


def test_what_is_not_listed_is_nothing() -> None:
    node = Node("cq", is_queue=True)
    quota = node.quota(UNLISTED)

    assert (node.usage_of(UNLISTED), node.total(UNLISTED)) == (0, 0)
    assert (quota.nominal, quota.borrowing_limit, quota.lending_limit) == (0, None, None)


def test_what_is_taken_away_first_and_then_added_leaves_nothing_q_127() -> None:
    node = Node("cq", is_queue=True)
    remove(node, UNLISTED, 2)
    taken = node.usage_of(UNLISTED)
    add(node, UNLISTED, 2)

    assert (taken, node.usage_of(UNLISTED)) == (-2, 0)

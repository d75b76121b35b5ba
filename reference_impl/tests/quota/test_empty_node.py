"""A node of the quota tree to which nothing was given (Q-112, Q-120, Q-122)."""

from __future__ import annotations

from reference_impl.quota.resources import FlavorResource
from reference_impl.quota.tree import Node

UNLISTED = FlavorResource("a", "cpu")


def test_what_is_not_listed_is_nothing() -> None:
    node = Node("cq", is_queue=True)
    quota = node.quota(UNLISTED)

    assert (node.used(UNLISTED), node.total(UNLISTED)) == (0, 0)
    assert (quota.nominal, quota.borrowing_limit, quota.lending_limit) == (0, None, None)

"""What an entry keeps from those behind it (Q-226, Q-229)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reference_impl.quota.resources import FlavorResource, Quota
from reference_impl.quota.tree import Node
from reference_impl.scheduling.assignment import Assignment
from reference_impl.scheduling.judging import claimed, claimed_whole

CPU = FlavorResource("default", "cpu")
CLAIMS = {
    "no more than is left of its own": (0, None, 3, 2, 1),
    "less than is left of its own": (0, None, 1, 2, 2),
    "of its own, though it could borrow": (0, 9, 3, 2, 1),
    "all, where it borrows": (1, None, 3, 2, 2),
    "up to what it may borrow": (1, 1, 3, 3, 2),
    "as far as it borrows does not matter": (2, 1, 3, 3, 2),
    "nothing, where more is used": (0, None, 5, 2, 0),
}


@pytest.mark.parametrize(("level", "limit", "used", "asked", "kept"), CLAIMS.values(), ids=CLAIMS)
def test_what_is_kept_of_4_cores_q_226(
    level: int, limit: int | None, used: int, asked: int, kept: int
) -> None:
    node = Node("cq", is_queue=True)
    node.quotas, node.usage = {CPU: Quota(4, limit)}, {CPU: used}
    entry: Any = SimpleNamespace(assignment=SimpleNamespace(level=level, usage={CPU: asked}))

    assert claimed(entry, node) == {CPU: kept}
    assert claimed_whole(entry, node) == {CPU: asked}


def test_what_was_given_nothing_does_not_borrow() -> None:
    assert Assignment(()).level == 0

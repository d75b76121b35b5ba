"""The quota tree: what a node holds, uses, lends and may still take (Q-120…Q-129, Q-133).

ClusterQueues are leaves, cohorts are inner nodes. For each flavor's resource a node knows its subtree quota S
and its usage U. Usage moves along one path (Q-127); it is never copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from .resources import NOTHING, FlavorResource, Quota

DEFAULT_WEIGHT: Final = Fraction(1)
"""What a node without `fairSharing.weight` weighs (AC-044)."""


class Node:
    """A ClusterQueue or a cohort; only `forest.Forest` changes one."""

    __slots__ = (
        "children",
        "explicit",
        "generation",
        "is_queue",
        "lendable",
        "name",
        "parent",
        "quotas",
        "subtree",
        "usage",
        "version",
        "weight",
    )

    def __init__(self, name: str, *, is_queue: bool) -> None:
        self.name = name
        self.is_queue = is_queue
        self.explicit = is_queue
        self.parent: Node | None = None
        self.children: dict[tuple[bool, str], Node] = {}
        """Queues and cohorts may have one name: each is known by whether it is a queue, and its name."""
        self.quotas: Mapping[FlavorResource, Quota] = {}
        self.subtree: dict[FlavorResource, int] = {}
        self.usage: dict[FlavorResource, int] = {}
        self.version: int
        self.generation = 0
        """Grows with everything that makes room or changes quotas (Q-142)."""
        self.weight = DEFAULT_WEIGHT
        self.lendable: dict[str, int]
        """What the node could lend of each resource,
        as far as that was asked since the tree was formed (`shares`).
        """

    def quota(self, fr: FlavorResource) -> Quota:
        """What this node itself was given; nothing for a pair that is not listed (Q-112)."""
        return self.quotas.get(fr, NOTHING)

    def usage_of(self, fr: FlavorResource) -> int:
        """U of the node (Q-122)."""
        return self.usage.get(fr, 0)

    def total(self, fr: FlavorResource) -> int:
        """S of the node (Q-120)."""
        return self.subtree.get(fr, 0)

    def path(self) -> Iterator[Node]:
        """The node and its ancestors up to the root; endless when the cohorts form a cycle."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


def leaves(node: Node) -> Iterator[Node]:
    """The ClusterQueues of a subtree."""
    if node.is_queue:
        yield node
    for child in node.children.values():
        yield from leaves(child)


def guaranteed_quota(node: Node, fr: FlavorResource) -> int:
    """L: the part of the subtree's quota that the parent does not see (Q-121)."""
    quota = node.quotas.get(fr)
    if quota is None or quota.lending_limit is None:
        return 0
    return max(0, node.total(fr) - quota.lending_limit)


def local_available(node: Node, fr: FlavorResource) -> int:
    """The unused guaranteed quota (Q-123)."""
    return max(0, guaranteed_quota(node, fr) - node.usage_of(fr))


def available(node: Node, fr: FlavorResource) -> int:
    """What the node can still take, negative at an over-used root (Q-124)."""
    if node.parent is None:
        return node.total(fr) - node.usage_of(fr)
    from_parent = available(node.parent, fr)
    limit = node.quota(fr).borrowing_limit
    if limit is not None:
        lent = guaranteed_quota(node, fr)
        stored = node.total(fr) - lent
        # The part of usage that the guaranteed quota covers is no borrowing: it does
        # not count against the limit.
        from_parent = min(from_parent, stored - max(0, node.usage_of(fr) - lent) + limit)
    return local_available(node, fr) + from_parent


def fits_now(node: Node, fr: FlavorResource) -> int:
    """The request that would fit at once: never below zero (Q-125, T-16)."""
    # An over-used root has less than nothing: Kueue reports 0 (T-16).
    return max(0, available(node, fr))


def potential(node: Node, fr: FlavorResource) -> int:
    """What the node could take if nothing was in use: the maximum capacity (Q-126)."""
    if node.parent is None:
        return node.total(fr)
    most = guaranteed_quota(node, fr) + potential(node.parent, fr)
    limit = node.quota(fr).borrowing_limit
    return most if limit is None else min(most, node.total(fr) + limit)


def is_borrowing(node: Node, fr: FlavorResource, additional: int = 0) -> bool:
    """Whether usage, with `more` added, exceeds the node's own subtree quota (Q-128)."""
    return node.total(fr) < node.usage_of(fr) + additional


def add(node: Node, fr: FlavorResource, value: int) -> None:
    """Add usage and let what the guaranteed part does not cover rise to the parent (Q-127)."""
    step: Node | None = node
    while step is not None:
        used = step.usage.get(fr, 0)
        step.usage[fr] = used + value
        value -= max(0, guaranteed_quota(step, fr) - used)
        if value <= 0:
            return
        step = step.parent


def remove(node: Node, fr: FlavorResource, value: int) -> None:
    """Take usage back, from the parent only as far as it had risen there (Q-127)."""
    step: Node | None = node
    while step is not None:
        used = step.usage.get(fr, 0)
        step.usage[fr] = used - value
        value = min(value, used - guaranteed_quota(step, fr))
        if value <= 0:
            return
        step = step.parent


class BorrowLevel(NamedTuple):
    """The height of the lowest cohort that holds a request, and whether that is less than the whole tree."""

    height: int
    within_subtree: bool


def height(node: Node) -> int:
    """The distance from a cohort to its furthest leaf; 0 for a queue and for a cohort without children."""
    return max((1 + height(child) for child in node.children.values()), default=0)


def borrow_level(queue: Node, fr: FlavorResource, value: int) -> BorrowLevel:
    """Find how high a request of `value` has to borrow; 0 is within the queue's own quota."""
    if queue.parent is None or not is_borrowing(queue, fr, value):
        return BorrowLevel(0, queue.parent is not None)
    # What the own guaranteed quota covers does not rise.
    rest = value - local_available(queue, fr)
    for cohort in queue.parent.path():
        if not is_borrowing(cohort, fr, rest):
            return BorrowLevel(height(cohort), cohort.parent is not None)
        if cohort.parent is None:
            return BorrowLevel(height(cohort), False)
        rest -= local_available(cohort, fr)
    raise AssertionError("a path ends at a root")

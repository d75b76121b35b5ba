"""The search for targets under fair sharing: take from the largest share until the claim fits, then put back
what is not needed.

Removals happen on the quota tree itself, inside of a simulation that undoes them. While candidates are picked
the tree holds what the preemptor asks for, as shares count it. Which ClusterQueue has to give next is found
from the root down: the child with the largest share (`TargetClusterQueues`; KEP-1714, Q-272).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ...quota.cohort_trees import CohortTrees
from ...quota.resources import FlavorResource
from ...quota.shares import Degree, share
from ...quota.tree import Node
from ..ranking import NodeRanking
from .candidates import Candidate, Leaving, PreemptionClaim, PreemptionVariant, within_nominal
from .search import Room, Shortage, fill_back, room


class TargetClusterQueues:
    """The queues that have candidates, as they come in turn."""

    def __init__(self, own: Node, candidates: Iterable[Candidate], leaving: Leaving) -> None:
        self._own = own
        self._path = frozenset(own.path())
        self._leaving = leaving
        self._waiting: defaultdict[Node, deque[Candidate]] = defaultdict(deque)
        self._children: defaultdict[Node, NodeRanking] = defaultdict(NodeRanking)
        for candidate in candidates:
            self._waiting[candidate.node].append(candidate)
        for queue in self._waiting:
            self.refresh(queue)

    @property
    def worst(self) -> Node | None:
        """The queue that has to give next, None when no candidate is left in a queue that borrows."""
        *_, node = self._own.path()
        while not node.is_queue:
            if not self._children[node]:
                return None
            node = self._children[node].first
        return node if self._waiting[node] else None

    def holds(self, queue: Node) -> bool:
        """Tell whether a queue has candidates left."""
        return bool(self._waiting[queue])

    def take(self, queue: Node) -> Candidate:
        """Take the next candidate of a queue."""
        return self._waiting[queue].popleft()

    def drop(self, queue: Node) -> None:
        """Leave a queue alone from now on."""
        self._waiting[queue].clear()

    def refresh(self, queue: Node) -> None:
        """Take note of what a queue uses, and has to offer, now."""
        for node in queue.path():
            if node.parent is None:
                return
            key = self._key(node)
            ranking = self._children[node.parent]
            if key is None:
                ranking.drop(node)
            else:
                ranking.put(node, key)

    def _key(self, node: Node) -> Any:
        """Return the place of a node among its siblings, None when it has nothing to give.

        The own queue and the cohorts above it stay although they borrow nothing: what they hold may be
        preempted by priority.
        """
        has_candidates = self._waiting[node] if node.is_queue else self._children[node]
        dominant_share = share(node)
        # A side that borrows nothing owes nothing, but the own path stays: inside of it
        # priority decides.
        if not has_candidates or (not dominant_share.ratio and node not in self._path):
            return None
        is_infinite, amount = dominant_share.degree
        return (not is_infinite, -amount, node.is_queue, self._tie(node))

    def _tie(self, node: Node) -> Any:
        """Order queues of equal shares by their next candidates; of cohorts the name decides."""
        if not node.is_queue:
            return ()
        holding = self._waiting[node][0].holding
        # Of equal shares the side whose victim is on its way out anyway; then others
        # before the own queue.
        return (not self._leaving(holding), node is self._own, holding.rank)


Strategy = Callable[[Degree, Degree, Degree], bool]


def to_final_share(preemptor: Degree, _before: Degree, after: Degree) -> bool:
    """The preemptor's side has no more than the other side is left with (S2-a)."""
    return preemptor <= after


def to_initial_share(preemptor: Degree, before: Degree, _after: Degree) -> bool:
    """The preemptor's side has less than the other side had before (S2-b)."""
    return preemptor < before


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {"LessThanOrEqualToFinalShare": to_final_share, "LessThanInitialShare": to_initial_share}
)
"""The values of `fairSharing.preemptionStrategies`: share of the preemptor's side with it, share of the other
side before and after.
"""

Rest = Generator[Candidate, None, list[Candidate]]
"""Yields candidates that were removed, returns those that no rule allowed."""


@dataclass(frozen=True, slots=True)
class FairSearch:
    """The search for one claim."""

    claim: PreemptionClaim
    forest: CohortTrees
    leaving: Leaving

    def run(self, candidates: Sequence[Candidate], strategies: Sequence[Strategy]) -> list[Candidate]:
        """Return the candidates that have to go, none when the claim does not fit without all that may."""
        claim, name = self.claim, self.claim.node.name
        removed = []
        with self.forest.simulation():
            # Shares are compared as if the preemptor ran already (S2-a).
            self.forest.add(name, claim.usage)
            shortage = Shortage(self._room)
            for candidate in self._removals(candidates, strategies):
                removed.append(candidate)
                if shortage.is_over_without(candidate.holding.usage):
                    self.forest.remove(name, claim.usage)
                    return fill_back(claim, removed, self.forest, borrowing=True)
        return []

    def _room(self) -> Room:
        with self.forest.simulation():
            self.forest.remove(self.claim.node.name, self.claim.usage)
            return room(self.claim, borrowing=True)

    def _removals(
        self, candidates: Sequence[Candidate], strategies: Sequence[Strategy]
    ) -> Iterator[Candidate]:
        """Remove by the first strategy what it allows; then, by the second one, at most one of each queue
        that is left.
        """
        first, *second = strategies
        rest = yield from self._by_strategy(candidates, first)
        if second:
            yield from self._by_initial_share(rest)

    def _by_strategy(self, candidates: Iterable[Candidate], strategy: Strategy) -> Rest:
        """Take of the own queue by priority, of others what is owed
        to a nominal quota, or as the strategy allows (QC-13).
        """
        offenders = TargetClusterQueues(self.claim.node, candidates, self.leaving)
        is_owed = self._is_owed()
        rest: list[Candidate] = []
        while (queue := offenders.worst) is not None:
            if queue is self.claim.node:
                yield self._remove(offenders.take(queue), PreemptionVariant.WITHIN_QUEUE)
            # A queue that stays within its own quota takes it back whatever the shares
            # are (QC-13).
            elif is_owed:
                yield self._remove(offenders.take(queue), PreemptionVariant.WITHIN_NOMINAL)
            else:
                yield from self._of_queue(queue, offenders, strategy, rest)
            offenders.refresh(queue)
        return rest

    def _is_owed(self) -> bool:
        """Tell whether the own queue, with what it asks for,
        stays within its own quota of the short resources.
        """
        return within_nominal(self.claim.node, self.claim.short_of)

    def _of_queue(
        self, queue: Node, offenders: TargetClusterQueues, strategy: Strategy, rest: list[Candidate]
    ) -> Iterator[Candidate]:
        """Remove the first candidate of a queue that the strategy allows;
        another queue may have the largest share afterwards.
        """
        mine, theirs = below_common_ancestor(self.claim.node, queue)
        preemptor, before = share(mine).degree, share(theirs).degree
        afterwards: dict[frozenset[tuple[FlavorResource, int]], Degree] = {}
        while offenders.holds(queue):
            candidate = offenders.take(queue)
            shape = frozenset(candidate.holding.usage.items())
            if shape not in afterwards:
                # Most Workloads of a queue use the same: what is left without one of them is computed once.
                afterwards[shape] = self._without(candidate, theirs)
            if strategy(preemptor, before, afterwards[shape]):
                yield self._remove(candidate, PreemptionVariant.FAIR_SHARING)
                return
            # The second strategy gets what the first one refused.
            rest.append(candidate)

    def _without(self, candidate: Candidate, side: Node) -> Degree:
        with self.forest.simulation():
            self.forest.remove(candidate.node.name, candidate.holding.usage)
            return share(side).degree

    def _by_initial_share(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Remove at most one candidate of each queue whose side has more than the preemptor's (S2-b)."""
        offenders = TargetClusterQueues(self.claim.node, candidates, self.leaving)
        while (queue := offenders.worst) is not None:
            mine, theirs = below_common_ancestor(self.claim.node, queue)
            preemptor, before = share(mine).degree, share(theirs).degree
            if to_initial_share(preemptor, before, before):
                yield self._remove(offenders.take(queue), PreemptionVariant.FAIR_SHARING)
            offenders.drop(queue)
            offenders.refresh(queue)

    def _remove(self, candidate: Candidate, variant: PreemptionVariant) -> Candidate:
        self.forest.remove(candidate.node.name, candidate.holding.usage)
        return candidate._replace(variant=variant)


def below_common_ancestor(first: Node, other: Node) -> tuple[Node, Node]:
    """Return the last nodes on both paths before these meet:
    the sides that compete for what their common parent lends.
    """
    children = {node.parent: node for node in other.path()}
    for node in first.path():
        if node.parent is not None and node.parent in children:
            return node, children[node.parent]
    raise AssertionError("two queues of one tree have a common ancestor")

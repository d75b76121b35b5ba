"""The search for targets under fair sharing: take from the largest share until the claim fits, then put back
what is not needed.

Removals happen on the quota tree itself, inside of a simulation that undoes them. While candidates are picked
the tree holds what the preemptor asks for, as shares count it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...quota.cohort_trees import CohortTrees
from ...quota.resources import FlavorResource
from ...quota.shares import Degree, share
from ...quota.tree import Node
from .candidates import Candidate, Claim, Variant, within_nominal
from .offenders import Offenders
from .order import Leaving
from .room import Room, Shortage, room
from .search import fill_back
from .strategies import Strategy, to_initial_share

Rest = Generator[Candidate, None, list[Candidate]]
"""Yields candidates that were removed, returns those that no rule allowed."""


@dataclass(frozen=True, slots=True)
class FairSearch:
    """The search for one claim."""

    claim: Claim
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
        offenders = Offenders(self.claim.node, candidates, self.leaving)
        is_owed = self._is_owed()
        rest: list[Candidate] = []
        while (queue := offenders.worst) is not None:
            if queue is self.claim.node:
                yield self._remove(offenders.take(queue), Variant.WITHIN_QUEUE)
            # A queue that stays within its own quota takes it back whatever the shares
            # are (QC-13).
            elif is_owed:
                yield self._remove(offenders.take(queue), Variant.WITHIN_NOMINAL)
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
        self, queue: Node, offenders: Offenders, strategy: Strategy, rest: list[Candidate]
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
                yield self._remove(candidate, Variant.FAIR_SHARING)
                return
            # The second strategy gets what the first one refused.
            rest.append(candidate)

    def _without(self, candidate: Candidate, side: Node) -> Degree:
        with self.forest.simulation():
            self.forest.remove(candidate.node.name, candidate.holding.usage)
            return share(side).degree

    def _by_initial_share(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Remove at most one candidate of each queue whose side has more than the preemptor's (S2-b)."""
        offenders = Offenders(self.claim.node, candidates, self.leaving)
        while (queue := offenders.worst) is not None:
            mine, theirs = below_common_ancestor(self.claim.node, queue)
            preemptor, before = share(mine).degree, share(theirs).degree
            if to_initial_share(preemptor, before, before):
                yield self._remove(offenders.take(queue), Variant.FAIR_SHARING)
            offenders.drop(queue)
            offenders.refresh(queue)

    def _remove(self, candidate: Candidate, variant: Variant) -> Candidate:
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

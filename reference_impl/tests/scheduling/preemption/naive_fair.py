"""Fair sharing once more, straight from the rules:
every share computed anew from lists, nothing undone (KEP-1714, P-051).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .naive import Claim, Row, Tree

Degree = tuple[bool, Fraction]
Weights = Mapping[str, Fraction]


def potential(tree: Tree, name: str) -> int:
    parent = tree.parents.get(name, "")
    if not parent:
        return tree.subtree(name)
    most = tree.kept(name) + potential(tree, parent)
    limit = tree.quotas[name][1]
    return most if limit is None else min(most, tree.subtree(name) + limit)


def degree(tree: Tree, weights: Weights, name: str, rows: Sequence[Row]) -> Degree:
    parent = tree.parents.get(name, "")
    over = tree.used(name, rows) - tree.subtree(name)
    if not parent or over <= 0:
        return (False, Fraction(0))
    most = potential(tree, parent)
    ratio = Fraction(1000 * over, most) if most > 0 else Fraction(0)
    return (False, ratio / weights[name]) if weights[name] else (True, ratio)


class Search:
    """The search for the targets of one claim, who stands in the tree as a row of its own."""

    def __init__(self, tree: Tree, weights: Weights, rows: Sequence[Row], claim: Claim) -> None:
        self.tree, self.weights, self.claim = tree, weights, claim
        self.me = Row("me", "", claim.queue, claim.priority, claim.created, 0, False, claim.amount)
        self.rows = list(rows)
        self.gone: list[tuple[Row, str]] = []
        self.above = {claim.queue, *tree.above(claim.queue)}

    def degree(self, name: str, rows: Sequence[Row] | None = None) -> Degree:
        return degree(self.tree, self.weights, name, [*(self.rows if rows is None else rows), self.me])

    def candidates(self) -> list[Row]:
        allowed = []
        for row in self.rows:
            own = row.queue == self.claim.queue
            policy = self.claim.within if own else self.claim.reclaim
            near = own or self.tree.above(row.queue)[-1:] == self.tree.above(self.claim.queue)[-1:]
            borrows = own or not self.tree.within(row.queue, self.rows)
            if (
                near
                and self.tree.parents.get(row.queue) is not None
                and borrows
                and self.claim.allows(policy, row)
            ):
                allowed.append(row)
        return sorted(allowed, key=_row_rank)

    def worst(self, waiting: Sequence[Row]) -> str:
        node = (
            self.tree.above(self.claim.queue)[-1] if self.tree.above(self.claim.queue) else self.claim.queue
        )
        while node not in self.tree.queues:
            children = [child for child in self.tree.children(node) if self._gives(child, waiting)]
            if not children:
                return ""
            node = min(children, key=lambda child: self._key(child, waiting))
        return node if any(row.queue == node for row in waiting) else ""

    def _gives(self, name: str, waiting: Sequence[Row]) -> bool:
        if name not in self.above and not self.degree(name)[1]:
            return False
        if name in self.tree.queues:
            return any(row.queue == name for row in waiting)
        return any(self._gives(child, waiting) for child in self.tree.children(name))

    def _key(self, name: str, waiting: Sequence[Row]) -> tuple[object, ...]:
        infinite, amount = self.degree(name)
        queue = name in self.tree.queues
        first = next((row for row in waiting if row.queue == name), None) if queue else None
        tie = (not first.evicted, name == self.claim.queue, *_row_rank(first)[1:]) if first else ()
        return (not infinite, -amount, queue, tie, name)

    def sides(self, queue: str) -> tuple[str, str]:
        mine = [self.claim.queue, *self.tree.above(self.claim.queue)]
        theirs = [queue, *self.tree.above(queue)]
        common = next(ancestor for ancestor in mine if ancestor in theirs)
        return mine[mine.index(common) - 1], theirs[theirs.index(common) - 1]

    def fits(self, rows: Sequence[Row] | None = None) -> bool:
        return self.claim.amount <= self.tree.free(self.claim.queue, self.rows if rows is None else rows)

    def take(self, row: Row, reason: str) -> bool:
        self.rows.remove(row)
        self.gone.append((row, reason))
        return self.fits()

    def first(self, waiting: list[Row], name: str) -> tuple[bool, list[Row]]:
        rest: list[Row] = []
        owed = self.tree.used(self.claim.queue, [*self.rows, self.me]) <= self.tree.subtree(self.claim.queue)
        while queue := self.worst(waiting):
            own = [row for row in waiting if row.queue == queue]
            if queue == self.claim.queue or owed:
                waiting.remove(own[0])
                reason = "InClusterQueue" if queue == self.claim.queue else "InCohortReclamation"
                if self.take(own[0], reason):
                    return True, []
                continue
            mine, theirs = self.sides(queue)
            preemptor, before = self.degree(mine), self.degree(theirs)
            for row in own:
                waiting.remove(row)
                after = self.degree(theirs, [other for other in self.rows if other is not row])
                if preemptor <= after if name == "LessThanOrEqualToFinalShare" else preemptor < before:
                    if self.take(row, "InCohortFairSharing"):
                        return True, []
                    break
                rest.append(row)
        return False, rest

    def second(self, waiting: list[Row]) -> bool:
        while queue := self.worst(waiting):
            mine, theirs = self.sides(queue)
            row = next(row for row in waiting if row.queue == queue)
            if self.degree(mine) < self.degree(theirs) and self.take(row, "InCohortFairSharing"):
                return True
            waiting = [row for row in waiting if row.queue != queue]
        return False

    def run(self, strategies: Sequence[str]) -> dict[str, str]:
        targets, rest = self.first(self.candidates(), strategies[0])
        if not targets and len(strategies) > 1:
            targets = self.second(rest)
        if not targets:
            return {}
        for target in list(reversed(self.gone[:-1])):
            if self.fits([*self.rows, target[0]]):
                self.rows.append(target[0])
                self.gone.remove(target)
        return {row.name: reason for row, reason in self.gone}


def _row_rank(row: Row) -> tuple[bool, int, float, str]:
    return (not row.evicted, row.priority, -row.since, row.uid)


def tournament(
    tree: Tree, weights: Weights, rows: Sequence[Row], entries: Mapping[str, tuple[int, float, str, int]]
) -> list[str]:
    """Return the queues in order; an entry is importance, age, UID and amount; it reserves if it fits."""
    remaining, rows, order = dict(entries), list(rows), []

    def best(node: str) -> str:
        if node in tree.queues:
            return node if node in remaining else ""
        children = [(child, best(child)) for child in tree.children(node)]
        return min(((key(child, queue), queue) for child, queue in children if queue), default=((), ""))[1]

    def key(node: str, queue: str) -> tuple[object, ...]:
        *importance, amount = remaining[queue]
        with_entry = [*rows, _entry(queue, amount)]
        borrows = amount > 0 and tree.used(node, with_entry) > tree.subtree(node)
        return (borrows, degree(tree, weights, node, with_entry), importance, node)

    roots = [name for name in tree.parents if not tree.parents[name]]
    first = sorted(remaining, key=lambda queue: remaining[queue][:3])
    for root in dict.fromkeys((tree.above(queue) or [queue])[-1] for queue in first):
        assert root in roots
        while queue := best(root):
            amount = remaining[queue][-1]
            if amount <= tree.free(queue, rows):
                rows.append(_entry(queue, amount))
            order.append(queue)
            del remaining[queue]
    return order


def _entry(queue: str, amount: int) -> Row:
    return Row(f"of {queue}", "", queue, 0, 0, 0, False, amount)

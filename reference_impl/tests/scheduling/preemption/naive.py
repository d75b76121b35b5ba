"""The search for targets once more, straight from the rules:
every figure computed anew from lists, nothing undone (P-051).

One flavor and resource. A Workload that holds quota is a row,
a queue or cohort a name with a parent and a quota.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A Workload that holds quota."""

    name: str
    uid: str
    queue: str
    priority: int
    created: float
    since: float
    evicted: bool
    amount: int


@dataclass(frozen=True)
class Tree:
    """Names with their parents and quotas: nominal, borrowing limit, lending limit."""

    parents: Mapping[str, str]
    quotas: Mapping[str, tuple[int, int | None, int | None]]
    queues: Sequence[str]

    def children(self, name: str) -> list[str]:
        return [child for child, parent in self.parents.items() if parent == name]

    def above(self, name: str) -> list[str]:
        parent = self.parents.get(name, "")
        return [parent, *self.above(parent)] if parent else []

    def below(self, name: str) -> list[str]:
        if name in self.queues:
            return [name]
        return [queue for child in self.children(name) for queue in self.below(child)]

    def subtree(self, name: str) -> int:
        lent = sum(self.subtree(child) - self.kept(child) for child in self.children(name))
        return self.quotas[name][0] + lent

    def kept(self, name: str) -> int:
        limit = self.quotas[name][2]
        return 0 if limit is None else max(0, self.subtree(name) - limit)

    def used(self, name: str, rows: Sequence[Row]) -> int:
        if name in self.queues:
            return sum(row.amount for row in rows if row.queue == name)
        return sum(max(0, self.used(child, rows) - self.kept(child)) for child in self.children(name))

    def local(self, name: str, rows: Sequence[Row]) -> int:
        return max(0, self.kept(name) - self.used(name, rows))

    def free(self, name: str, rows: Sequence[Row]) -> int:
        total, used, parent = self.subtree(name), self.used(name, rows), self.parents.get(name, "")
        if not parent:
            return total - used
        most = self.free(parent, rows)
        limit = self.quotas[name][1]
        if limit is not None:
            most = min(most, total - self.kept(name) - max(0, used - self.kept(name)) + limit)
        return self.local(name, rows) + most

    def within(self, name: str, rows: Sequence[Row]) -> bool:
        return self.used(name, rows) <= self.subtree(name)


@dataclass(frozen=True)
class Claim:
    """What a Workload of a queue asks for."""

    queue: str
    priority: int
    created: float
    amount: int
    within: str
    reclaim: str
    borrows: bool
    threshold: int | None

    def allows(self, policy: str, row: Row) -> bool:
        if policy == "Never":
            return False
        newer = policy == "LowerOrNewerEqualPriority" and self.priority == row.priority
        return policy == "Any" or row.priority < self.priority or (newer and self.created < row.created)

    def over(self, row: Row) -> bool:
        below = self.threshold is None or row.priority <= self.threshold
        return self.borrows and row.priority < self.priority and below


Candidate = tuple[Row, str, str]
"""A row, the kind of candidate (0 hierarchical, 1 by priority,
2 own) with its reason, the cohort where it was found.
"""


def candidates(tree: Tree, rows: Sequence[Row], claim: Claim) -> list[Candidate]:
    own: list[Candidate] = [
        (row, "2InClusterQueue", "")
        for row in rows
        if row.queue == claim.queue and claim.allows(claim.within, row)
    ]
    node = claim.queue
    advantage = tree.used(claim.queue, rows) + claim.amount <= tree.subtree(claim.queue)
    rest = max(0, claim.amount - tree.local(claim.queue, rows))
    for cohort in tree.above(claim.queue):
        for row in rows:
            path = [row.queue, *tree.above(row.queue)]
            if cohort not in path or node in path or not claim.allows(claim.reclaim, row):
                continue
            if any(tree.within(name, rows) for name in path[: path.index(cohort)]):
                continue
            borrowing = claim.over(row)
            kind = (
                "0InCohortReclamation"
                if advantage
                else "1InCohortReclaimWhileBorrowing"
                if borrowing
                else "1InCohortReclamation"
            )
            own.append((row, kind, cohort))
        advantage = advantage or tree.used(cohort, rows) + rest <= tree.subtree(cohort)
        rest = max(0, rest - tree.local(cohort, rows))
        node = cohort
    return sorted(
        own,
        key=lambda row: (
            not row[0].evicted,
            row[1][0],
            row[0].priority,
            -row[0].since,
            row[0].uid,
        ),
    )


def targets(tree: Tree, rows: Sequence[Row], claim: Claim) -> dict[str, str]:
    """Return names and reasons of the Workloads that have to go."""
    ordered = candidates(tree, rows, claim)
    kinds = {kind[0] for _, kind, _ in ordered}
    under = tree.used(claim.queue, rows) < tree.quotas[claim.queue][0]
    if not kinds & {"0", "1"} or (not claim.borrows and not under):
        attempts = [True]
    else:
        attempts = [False, True] if not claim.borrows and "0" not in kinds else [True, False]
    for borrowing in attempts:
        gone = _remove(tree, rows, claim, ordered, borrowing=borrowing)
        if gone:
            return {row.name: kind[1:] for row, kind, _ in gone}
    return {}


def _fits(tree: Tree, rows: Sequence[Row], claim: Claim, *, borrowing: bool) -> bool:
    own = tree.used(claim.queue, rows) + claim.amount <= tree.subtree(claim.queue)
    return claim.amount <= tree.free(claim.queue, rows) and (borrowing or own)


def _without(rows: Sequence[Row], gone: Sequence[Candidate]) -> list[Row]:
    return [row for row in rows if row not in [row for row, _, _ in gone]]


def _remove(
    tree: Tree, rows: Sequence[Row], claim: Claim, ordered: Sequence[Candidate], *, borrowing: bool
) -> list[Candidate]:
    gone: list[Candidate] = []
    for candidate in ordered:
        row, kind, cohort = candidate
        remaining = _without(rows, gone)
        if row.queue != claim.queue:
            path = [row.queue, *tree.above(row.queue)]
            if borrowing and kind == "1InCohortReclamation":
                continue
            if any(tree.within(name, remaining) for name in path[: path.index(cohort)]):
                continue
        gone.append(candidate)
        if _fits(tree, _without(rows, gone), claim, borrowing=borrowing):
            break
    else:
        return []
    for candidate in reversed(gone[:-1]):
        fewer = [row for row in gone if row is not candidate]
        if _fits(tree, _without(rows, fewer), claim, borrowing=borrowing):
            gone = fewer
    return gone

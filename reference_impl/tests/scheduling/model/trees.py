"""The figures of a tree, and the Workloads that have to go for another one (scheduling §4.2, §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reference_impl.kueue.quota.resources import FlavorResource as Pair

from ..preemption import naive
from .values import Queue, Quotas, Usage, Wish


@dataclass
class Trees:
    """Queues, cohorts, and held quota."""

    queues: Mapping[str, Queue]
    parents: Mapping[str, str]
    quotas: Mapping[str, Quotas]
    held: list[Wish] = field(default_factory=list)

    def tree(self, pair: Pair) -> naive.Tree:
        quotas = {name: quotas.get(pair, (0, None, None)) for name, quotas in self.quotas.items()}
        return naive.Tree(self.parents, quotas, tuple(self.queues))

    def rows(self, pair: Pair, holders: Sequence[Wish]) -> list[naive.Row]:
        return [
            naive.Row(
                w.name, w.uid, w.queue, w.priority, w.created, w.since, bool(w.evicted), w.usage.get(pair, 0)
            )
            for w in holders
        ]

    def used(self, name: str, pair: Pair, holders: Sequence[Wish]) -> int:
        return self.tree(pair).used(name, self.rows(pair, holders))

    def total(self, name: str, pair: Pair) -> int:
        return self.tree(pair).subtree(name)

    def local(self, name: str, pair: Pair, holders: Sequence[Wish]) -> int:
        return self.tree(pair).local(name, self.rows(pair, holders))

    def free(self, name: str, pair: Pair, holders: Sequence[Wish]) -> int:
        return max(0, self.tree(pair).free(name, self.rows(pair, holders)))

    def most(self, name: str, pair: Pair) -> int:
        tree, parent = self.tree(pair), self.parents.get(name, "")
        limit = tree.quotas[name][1]
        most = tree.kept(name) + self.most(parent, pair) if parent else tree.subtree(name)
        return most if limit is None or not parent else min(most, tree.subtree(name) + limit)

    def height(self, name: str) -> int:
        return max(
            (1 + self.height(child) for child, parent in self.parents.items() if parent == name), default=0
        )

    def level(self, name: str, pair: Pair, value: int, holders: Sequence[Wish]) -> tuple[int, bool]:
        above = self.tree(pair).above(name)
        if not above or self.used(name, pair, holders) + value <= self.total(name, pair):
            return 0, bool(above)
        rest = value - self.local(name, pair, holders)
        for cohort in above:
            if self.used(cohort, pair, holders) + rest <= self.total(cohort, pair):
                return self.height(cohort), cohort != above[-1]
            rest -= self.local(cohort, pair, holders)
        return self.height(above[-1]), False

    def targets(
        self, wish: Wish, usage: Usage, short: frozenset[Pair], holders: Sequence[Wish]
    ) -> tuple[tuple[Wish, str], ...]:
        usage, queue = {pair: value for pair, value in usage.items() if value > 0}, self.queues[wish.queue]
        fits = self.candidates(wish, usage, short, holders)
        kinds = {kind[0] for _, kind, _ in fits}
        under = all(
            self.used(wish.queue, p, holders) < self.quotas[wish.queue].get(p, (0,))[0] for p in short
        )
        if not kinds & {"0", "1"} or (not queue.borrows and not under):
            attempts = [True]
        else:
            attempts = [False, True] if not queue.borrows and "0" not in kinds else [True, False]
        for borrowing in attempts:
            gone = self.removed(wish, usage, short, fits, holders, borrowing)
            if gone:
                return tuple((wish, kind[1:]) for wish, kind, _ in gone)
        return ()

    def candidates(
        self, wish: Wish, usage: Usage, short: frozenset[Pair], holders: Sequence[Wish]
    ) -> list[tuple[Wish, str, str]]:
        queue = self.queues[wish.queue]
        uses = [wish for wish in holders if any(wish.usage.get(pair) for pair in short) and wish.uid]
        fits = [
            (w, "2InClusterQueue", "")
            for w in uses
            if w.queue == wish.queue and allows(queue.within, wish, w)
        ]
        visited, rest = wish.queue, dict(usage)
        advantage = False
        for cohort in ["", *self.tree(next(iter(usage))).above(wish.queue)]:
            for use in uses if cohort else ():
                path = [use.queue, *self.tree(next(iter(usage))).above(use.queue)]
                if cohort not in path or visited in path or not allows(queue.reclaim, wish, use):
                    continue
                if any(self.within(name, short, holders) for name in path[: path.index(cohort)]):
                    continue
                over = queue.borrows and use.priority < wish.priority
                over = over and (queue.threshold is None or use.priority <= queue.threshold)
                reason = "1InCohortReclaimWhileBorrowing" if over else "1InCohortReclamation"
                fits.append((use, "0InCohortReclamation" if advantage else reason, cohort))
            name = cohort or wish.queue
            advantage = advantage or all(
                self.used(name, pair, holders) + value <= self.total(name, pair)
                for pair, value in rest.items()
            )
            rest = {pair: max(0, value - self.local(name, pair, holders)) for pair, value in rest.items()}
            visited = name
        return sorted(
            fits,
            key=lambda wish: (not wish[0].evicted, wish[1][0], wish[0].priority, -wish[0].since, wish[0].uid),
        )

    def within(self, name: str, short: frozenset[Pair], holders: Sequence[Wish]) -> bool:
        return all(self.used(name, pair, holders) <= self.total(name, pair) for pair in short)

    def removed(
        self,
        wish: Wish,
        usage: Usage,
        short: frozenset[Pair],
        fits: Sequence[tuple[Wish, str, str]],
        holders: Sequence[Wish],
        borrowing: bool,
    ) -> list[tuple[Wish, str, str]]:
        gone: list[tuple[Wish, str, str]] = []
        for candidate in fits:
            removed, kind, cohort = candidate
            remaining = without(holders, gone)
            if removed.queue != wish.queue:
                path = [removed.queue, *self.tree(next(iter(usage))).above(removed.queue)]
                nominal = any(self.within(name, short, remaining) for name in path[: path.index(cohort)])
                if nominal or (borrowing and kind == "1InCohortReclamation"):
                    continue
            gone.append(candidate)
            if self.fits(wish, usage, without(holders, gone), borrowing):
                break
        else:
            return []
        for candidate in list(reversed(gone[:-1])):
            fewer = [wish for wish in gone if wish is not candidate]
            gone = fewer if self.fits(wish, usage, without(holders, fewer), borrowing) else gone
        return gone

    def fits(self, wish: Wish, usage: Usage, holders: Sequence[Wish], borrowing: bool) -> bool:
        name = wish.queue
        return all(
            value <= self.free(name, pair, holders)
            and (borrowing or self.used(name, pair, holders) + value <= self.total(name, pair))
            for pair, value in usage.items()
        )


def allows(policy: str, wish: Wish, other: Wish) -> bool:
    newer = policy == "LowerOrNewerEqualPriority" and wish.priority == other.priority
    lower = policy != "Never" and other.priority < wish.priority
    return policy == "Any" or lower or (newer and wish.created < other.created)


def without(holders: Sequence[Wish], gone: Sequence[tuple[Wish, str, str]]) -> list[Wish]:
    return [wish for wish in holders if wish not in [wish for wish, _, _ in gone]]

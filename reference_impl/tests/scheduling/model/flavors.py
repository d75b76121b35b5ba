"""The search for flavors (scheduling §5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reference_impl.kueue.quota.resources import FlavorResource as Pair
from reference_impl.kueue.scheduling import texts
from reference_impl.kueue.scheduling.flavor_assigner import sort_resources

from .trees import Trees
from .values import FIT, NO_CANDIDATES, NO_FIT, PREEMPT, RECLAIM, Plan, Queue, Stops, Usage, Wish


@dataclass
class Flavors(Trees):
    """Assigns flavors, from where the search before stopped."""

    stops: dict[str, Stops] = field(default_factory=dict)

    def plan(self, wish: Wish, counts: Sequence[int], holders: Sequence[Wish]) -> Plan:
        queue, assumed = self.queues[wish.queue], dict[Pair, int]()
        fits: list[tuple[int, list[str], Mapping[str, tuple[str, int, int]]]] = []
        stops: Stops = {}
        for pod_set, count in zip(wish.sets, counts, strict=True):
            requests = {name: value * count for name, value in pod_set.each.items()}
            mode, reasons, chosen, stop = self.search(wish, queue, pod_set.name, requests, assumed, holders)
            fits.append((mode, [] if mode == FIT else reasons, chosen))
            stops |= {(pod_set.name, name): stop for name in chosen if stop is not None}
            for name, (flavor, _, _) in chosen.items():
                assumed[Pair(flavor, name)] = assumed.get(Pair(flavor, name), 0) + requests[name]
            if requests and not chosen:
                break
        choices = [choice for _, _, chosen in fits for choice in chosen.items()]
        modes = [
            NO_FIT
            if not chosen and wish.each
            else min((m for _, m, _ in chosen.values()), default=FIT)
            if why
            else FIT
            for wish, (_, why, chosen) in zip(wish.sets, fits, strict=False)
        ]
        failing = [
            texts.no_flavors(wish.name, why)
            for wish, (_, why, _), mode in zip(wish.sets, fits, modes, strict=False)
            if mode != FIT
        ]
        assigned = tuple(
            (wish.name, count, {name: flavor for name, (flavor, _, _) in chosen.items()})
            for wish, count, (_, _, chosen) in zip(wish.sets, counts, fits, strict=False)
        )
        short = frozenset(Pair(f, name) for name, (f, mode, _) in choices if NO_FIT < mode < FIT)
        level = max((level for _, (_, _, level) in choices), default=0)
        return Plan(wish, tuple(modes), level, assumed, short, assigned, "; ".join(failing), stops)

    def search(
        self, wish: Wish, queue: Queue, name: str, requests: Usage, assumed: Usage, holders: Sequence[Wish]
    ) -> tuple[int, list[str], Mapping[str, tuple[str, int, int]], int | None]:
        order = sort_resources(requests)
        if not order:
            return FIT, [], {}, None
        first = self.stops.get(wish.name, {}).get((name, order[0]), -1) + 1
        best, chosen, reasons = (NO_FIT, 0), {}, list[str]()
        for index in range(first, len(queue.flavors)):
            flavor, worst, grades = queue.flavors[index], (FIT, 0), {}
            for resource in order:
                pair = Pair(flavor, resource)
                mode, level, why = self.grade(wish, pair, assumed.get(pair, 0), requests[resource], holders)
                grades[resource] = (flavor, mode, level)
                reasons += [why] if why else []
                worst = (mode, level) if self.better(queue, worst, (mode, level)) else worst
            goes_on = (
                worst[0] <= NO_CANDIDATES
                or (worst[0] < FIT and queue.next_to_preempt)
                or (worst[1] > 0 and queue.next_to_borrow)
            )
            if not goes_on or self.better(queue, worst, best):
                best, chosen = worst, grades
            if not goes_on:
                return best[0], reasons, chosen, index if index + 1 < len(queue.flavors) else None
        return best[0], reasons, chosen, None

    def better(self, queue: Queue, wish: tuple[int, int], other: tuple[int, int]) -> bool:
        for bad in (NO_FIT, NO_CANDIDATES):
            if (wish[0] <= bad) != (other[0] <= bad):
                return wish[0] > bad
        if wish[0] == NO_FIT:
            return False
        keys = [(-level, mode) if queue.sparing else (mode, -level) for mode, level in (wish, other)]
        return keys[0] > keys[1]

    def grade(
        self, wish: Wish, pair: Pair, before: int, requests: int, holders: Sequence[Wish]
    ) -> tuple[int, int, str]:
        name, value, most = wish.queue, before + requests, self.most(wish.queue, pair)
        if value > most:
            return NO_FIT, 0, texts.never_fits(pair, before, requests, most)
        level, within = self.level(name, pair, value, holders)
        free = self.free(name, pair, holders)
        if value <= free:
            return FIT, level, ""
        why = texts.insufficient_unused(pair, value - free)
        nominal = self.quotas[name].get(pair, (0, None, None))[0]
        if nominal < value and not within and not self.queues[name].borrows:
            return NO_FIT, level, why
        targets = self.targets(wish, {pair: value}, frozenset({pair}), holders)
        if not targets:
            return NO_CANDIDATES, level, why
        remaining = [wish for wish in holders if wish not in [target for target, _ in targets]]
        own = any(target.queue == name for target, _ in targets)
        return PREEMPT if own else RECLAIM, self.level(name, pair, value, remaining)[0], why

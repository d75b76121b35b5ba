"""Queues and cycles (scheduling §2, §6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reference_impl.kueue.quota.resources import FlavorResource as Pair
from reference_impl.kueue.scheduling import texts

from .flavors import Flavors
from .values import FIT, NO_FIT, Plan, Quotas, Stops, Usage, Wish


@dataclass
class Model(Flavors):
    """The cluster, and what became of every Workload."""

    heap: dict[str, Wish] = field(default_factory=dict)
    parked: dict[str, Wish] = field(default_factory=dict)
    sticky: dict[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    stirred: set[str] = field(default_factory=set)

    seen: dict[str, list[Stops]] = field(default_factory=dict)
    """Where searches stopped while quota and heads were the same;
    a search that would come back there for ever ends.
    """

    def heads(self) -> list[Wish]:
        fits: dict[str, Wish] = {}
        for wish in sorted(self.heap.values(), key=lambda w: (self.sticky.get(w.queue) != w.name, w.rank)):
            fits.setdefault(wish.queue, wish)
        return list(fits.values())

    def nominated(self, wish: Wish) -> Plan:
        whole_plan = self.with_targets(self.plan(wish, [wish.count for wish in wish.sets], self.held))
        slack = [wish.count - wish.least for wish in wish.sets]
        low, high, best = 0, sum(slack), whole_plan
        while not whole_plan.viable and low <= high and sum(slack):
            step = (low + high) // 2
            counts = [
                wish.count - less * step // sum(slack) for wish, less in zip(wish.sets, slack, strict=True)
            ]
            smaller = self.with_targets(self.plan(wish, counts, self.held))
            low, high, best = (low, step - 1, smaller) if smaller.viable else (step + 1, high, best)
        return best

    def with_targets(self, plan: Plan) -> Plan:
        if not NO_FIT < plan.mode < FIT:
            return plan
        return replace(plan, targets=self.targets(plan.wish, plan.usage, plan.short, self.held))

    def settle(self, current_time: float) -> None:
        """Run cycles, as a scheduler does that always has a head,
        until what comes next has been there before.
        """
        passed, sight = list[object](), object()
        while (state := self.state()) not in passed:
            passed.append(state)
            if sight != state[:2]:
                self.seen.clear()
            sight = state[:2]
            self.cycle(current_time)

    def state(self) -> tuple[object, ...]:
        """Tell what is held, which heads will be looked at, what waits, and where searches go on."""
        holders = [(wish.name, wish.evicted) for wish in self.held]
        heads = [head.name for head in self.heads()]
        return holders, heads, [*self.heap], sorted(self.parked), dict(self.stops), dict(self.sticky)

    def root(self, name: str) -> str:
        parent = self.parents.get(name, "")
        return self.root(parent) if parent else name

    def ends(self, name: str) -> None:
        """Finish or delete a Workload."""
        for wish in [*self.heap.values(), *self.parked.values(), *self.held]:
            if wish.name == name:
                self.stirred.add(self.root(wish.queue))
        self.heap.pop(name, None)
        self.parked.pop(name, None)
        self.told.pop(name, None)
        for wish in [wish for wish in self.held if wish.name == name]:
            self.held.remove(wish)
        self.sticky = {queue: other for queue, other in self.sticky.items() if other != name}

    def releases(self, name: str) -> None:
        """Let a victim go."""
        victim = next(wish for wish in self.held if wish.name == name)
        self.held.remove(victim)
        self.heap[name] = replace(victim, usage={}, given=(), evicted="", since=0)
        self.stirred.add(self.root(victim.queue))

    def sets_quota(self, queue: str, quotas: Quotas) -> None:
        """Change the quotas of a ClusterQueue."""
        self.quotas = {**self.quotas, queue: quotas}
        self.stirred.add(self.root(queue))

    def wakes(self) -> None:
        """Try again what was parked in trees where something ended or changed (Q-051)."""
        woken = {name: wish for name, wish in self.parked.items() if self.root(wish.queue) in self.stirred}
        self.heap |= woken
        self.parked = {name: wish for name, wish in self.parked.items() if name not in woken}
        self.stirred.clear()

    def cycle(self, current_time: float) -> None:
        """Look at every head."""
        plans = sorted(map(self.nominated, self.heads()), key=lambda plan: (plan.level, plan.wish.rank))
        booked, taken = list(self.held), list[Wish]()
        for plan in plans:
            self.process(plan, booked, taken, current_time)

    def process(self, plan: Plan, booked: list[Wish], taken: list[Wish], current_time: float) -> None:
        wish, queue = plan.wish, self.queues[plan.wish.queue]
        claim = replace(wish, uid="", usage=plan.usage)
        if plan.mode == NO_FIT:
            self.again(plan, queue.strict, plan.message)
            return
        if not plan.viable:
            if queue.reclaim != "Any":
                booked.append(replace(claim, usage=self.kept(plan, booked)))
            self.again(plan, queue.strict, plan.message)
            return
        targets = [wish for wish, _ in plan.targets]
        if any(target in taken for target in targets):
            self.again(plan, True, texts.OVERLAPPING_TARGETS)
            return
        if not self.fits(wish, plan.usage, [w for w in booked if w not in taken and w not in targets], True):
            self.again(plan, True, texts.NO_LONGER_FITS)
            return
        booked.append(claim)
        taken += targets
        if not plan.targets:
            del self.heap[wish.name]
            self.stops.pop(wish.name, None)
            self.told.pop(wish.name, None)
            if self.sticky.get(wish.queue) == wish.name:
                del self.sticky[wish.queue]
            self.held.append(replace(wish, usage=plan.usage, given=plan.given, since=current_time))
            return
        reasons = {wish.name: reason for wish, reason in plan.targets}
        self.held = [replace(w, evicted=w.evicted or reasons.get(w.name, "")) for w in self.held]
        if not queue.strict:
            self.sticky[wish.queue] = wish.name
        plan.stops.clear()
        self.again(plan, True, texts.pending_preemption(plan.message, len(targets)))

    def kept(self, plan: Plan, booked: Sequence[Wish]) -> Usage:
        name, reserved = plan.wish.queue, dict[Pair, int]()
        for pair, value in plan.usage.items():
            nominal, limit, _ = self.quotas[name].get(pair, (0, None, None))
            own = sum(wish.usage.get(pair, 0) for wish in booked if wish.queue == name)
            if not plan.level:
                reserved[pair] = max(0, min(value, nominal - own))
            else:
                reserved[pair] = value if limit is None else min(value, nominal + limit - own)
        return reserved

    def again(self, plan: Plan, immediate: bool, message: str) -> None:
        name, visited = plan.wish.name, self.seen.setdefault(plan.wish.name, [])
        stops = {} if plan.stops in visited else dict(plan.stops)
        visited.append(stops)
        self.told[name], self.stops[name] = message, stops
        if not immediate and not stops:
            self.parked[name] = self.heap.pop(name)

"""Planned preemptions: which victims the reservations of a tree count on (AC-440, AC-469…475).

The API has no field for a plan. It is derived again from what is reserved whenever the tree has changed, so
that a restart loses nothing: reservations that say that they wait for preemptions are planned one after the
other, first those that may preempt by now, then the oldest; a victim is left to whom it was planned for.
Victims keep what they hold; in the planned state of the tree they are gone already.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from ..quota.catalogue import Catalogue
from ..quota.resources import FlavorResource, Usage
from ..quota.tree import available, fits_now
from ..quota.usage_cache import QuotaHolding, UsageCache
from ..quota.validity import objection, shortage
from ..workload.view import Workload
from .assignment import PODS
from .preemption.candidates import POLICIES, within_nominal
from .preemption.targets import PreemptionTarget, Preemptor

EVICTED: Final = "it is being evicted"


@dataclass(frozen=True, slots=True)
class PreemptionPlan:
    """The victims that a reservation counts on, or why it cannot be kept."""

    holding: QuotaHolding
    victims: tuple[PreemptionTarget, ...] = ()
    objection: str = ""

    @property
    def waits(self) -> bool:
        """Tell whether it takes quota only once others have left."""
        return bool(self.victims)


Plans = Mapping[str, PreemptionPlan]
"""The plans of a tree by the keys of their Workloads."""

Promises = Mapping[str, str]
"""For whom each victim was planned before: another reservation takes it only if nothing else does."""


@dataclass(frozen=True, slots=True)
class PlannedState:
    """The quota tree as it will be once all planned victims have left; every change is
    made in a simulation.
    """

    ledger: UsageCache
    catalogue: Catalogue
    preemptor: Preemptor
    sent_back: frozenset[str]
    plans: dict[str, PreemptionPlan] = field(default_factory=dict)

    def derive(self, names: Collection[str], may_preempt: Collection[str], before: Plans) -> Plans:
        """Plan the reservations of a tree; a reservation that cannot be kept is left out for those after it.

        `may_preempt` names those whose preemptions are issued by now: what their victims leave is theirs.
        `before` has the plans as they were, none after a restart.
        """
        order = deque(self._in_order(names, may_preempt))
        displaced: set[str] = set()
        promised = {
            victim.holding.workload.key: key for key, plan in before.items() for victim in plan.victims
        }
        with (
            self.ledger.cohort_trees.simulation(),
            self.ledger.leaving_out(holding.workload.key for holding in order),
        ):
            for holding in order:
                self.ledger.cohort_trees.remove(holding.cluster_queue, holding.usage)
            while order:
                holding = order.popleft()
                replanned = self._place(holding, promised, displaces=holding.workload.key not in displaced)
                displaced.update(holding.workload.key for holding in replanned)
                order.extendleft(replanned)
        plans_before = dict(self.plans)
        self.plans.clear()
        return plans_before

    def enter(self, plans: Plans) -> None:
        """Bring the tree into the planned state; the caller holds the simulation."""
        for key, plan in plans.items():
            if plan.objection:
                self._withdraw(plan.holding)
            elif plan.waits:
                self._let_go(plan.victims)
                self.ledger.left_out.add(key)
            self.plans[key] = plan

    @contextmanager
    def aside(self, keys: Collection[str]) -> Iterator[None]:
        """See the tree as if some reservations that wait for victims had not been made."""
        plans = {key: self.plans[key] for key in keys if key in self.plans}
        if not plans:
            yield
            return
        victims = {victim.holding.workload.key for plan in plans.values() for victim in plan.victims}
        hidden = self.ledger.left_out & victims
        with self.ledger.cohort_trees.simulation():
            self.put_aside(keys)
            try:
                yield
            finally:
                self.ledger.left_out |= hidden
                self.plans.update(plans)

    def put_aside(self, keys: Collection[str]) -> None:
        """Take reservations that wait for victims back until the simulation of the caller ends."""
        for plan in [self.plans.pop(key) for key in keys if key in self.plans]:
            self._undo(plan)
            for victim in plan.victims:
                self.ledger.left_out.discard(victim.holding.workload.key)

    def _undo(self, plan: PreemptionPlan) -> None:
        self.ledger.cohort_trees.remove(plan.holding.cluster_queue, plan.holding.usage)
        for victim in plan.victims:
            self.ledger.cohort_trees.add(victim.holding.cluster_queue, victim.holding.usage)

    @contextmanager
    def as_it_is(self) -> Iterator[None]:
        """Simulate the tree with the planned victims in it, and without what waits for them (AC-469)."""
        with self.ledger.cohort_trees.simulation():
            for plan in self.plans.values():
                if plan.waits:
                    self._undo(plan)
            yield

    def is_free(self, cluster_queue: str, usage: Usage, targets: Iterable[PreemptionTarget] = ()) -> bool:
        """Tell whether usage that fits in the planned state without targets does so whatever becomes of the
        plans of others.
        """
        if not any(plan.waits for plan in self.plans.values()):
            return True
        node = self.ledger.cohort_trees.queues[cluster_queue]
        with self.as_it_is(), self.preemptor.without(targets):
            return all(value <= fits_now(node, fr) for fr, value in usage.items())

    def weaker(self, preemptor: Workload, cluster_queue: str) -> tuple[str, ...]:
        """Name the reservations that wait for victims and that a Workload may preempt (AC-472)."""
        policies = self.catalogue.cluster_queues[cluster_queue].preemption
        roots = self.ledger.cohort_trees
        root = roots.root(roots.queues[cluster_queue])
        holdings = []
        for key, plan in self.plans.items():
            node = roots.queues[plan.holding.cluster_queue]
            if not plan.waits or roots.root(node) is not root:
                continue
            own = plan.holding.cluster_queue == cluster_queue
            policy = policies.within_cluster_queue if own else policies.reclaim_within_cohort
            borrows = own or not within_nominal(node, frozenset(plan.holding.usage))
            if borrows and POLICIES[policy](preemptor, plan.holding, self.sent_back):
                holdings.append(key)
        return tuple(holdings)

    # -- one reservation

    def _place(self, holding: QuotaHolding, promised: Promises, *, displaces: bool) -> list[QuotaHolding]:
        """Plan one reservation, and return those that have to be planned again because of it."""
        key, name = holding.workload.key, holding.cluster_queue
        wrong = EVICTED if holding.is_evicted else objection(holding, self.ledger, self.catalogue)
        victims = None if wrong else self._victims(holding, promised)
        if victims is not None and self.is_free(name, holding.usage, victims):
            return self._accept(PreemptionPlan(holding, victims))
        weaker = self.weaker(holding.workload, name) if displaces and not wrong else ()
        with self.aside(weaker):
            other_victims = self._victims(holding, promised) if weaker else None
        if other_victims is not None:
            replanned = [self.plans[key].holding for key in weaker]
            self.put_aside(weaker)
            self._accept(PreemptionPlan(holding, other_victims))
            return replanned
        if victims is not None:
            return self._accept(PreemptionPlan(holding, victims))
        self.plans[key] = PreemptionPlan(holding, objection=wrong or shortage(holding, self.ledger))
        return []

    def _accept(self, plan: PreemptionPlan) -> list[QuotaHolding]:
        self._let_go(plan.victims)
        self.ledger.cohort_trees.add(plan.holding.cluster_queue, plan.holding.usage)
        self.plans[plan.holding.workload.key] = plan
        if not plan.waits:
            self.ledger.left_out.discard(plan.holding.workload.key)
        return []

    def _victims(self, holding: QuotaHolding, promised: Promises) -> tuple[PreemptionTarget, ...] | None:
        """Return whose leaving makes a reservation fit, None when nothing does; empty for what fits."""
        node = self.ledger.cohort_trees.queues[holding.cluster_queue]
        short = frozenset(fr for fr, value in holding.usage.items() if value > fits_now(node, fr))
        if not short:
            return ()
        key = holding.workload.key
        # Otherwise two reservations would swap their victims whenever the tree changes,
        # and neither would ever be admitted.
        promised_to_others = {
            name for name, whose in promised.items() if whose != key and whose not in self.plans
        }
        with self.ledger.leaving_out(promised_to_others):
            targets = self._targets(holding, short)
        return targets or (self._targets(holding, short) if promised_to_others else ()) or None

    def _targets(
        self, holding: QuotaHolding, short: frozenset[FlavorResource]
    ) -> tuple[PreemptionTarget, ...]:
        searched = {fr: value for fr, value in holding.usage.items() if fr.resource != PODS}
        return tuple(self.preemptor.targets(holding.workload, holding.cluster_queue, searched, short))

    def _let_go(self, victims: Iterable[PreemptionTarget]) -> None:
        for victim in victims:
            self._withdraw(victim.holding)

    def _withdraw(self, holding: QuotaHolding) -> None:
        self.ledger.cohort_trees.remove(holding.cluster_queue, holding.usage)
        self.ledger.left_out.add(holding.workload.key)

    def _in_order(self, names: Collection[str], may_preempt: Collection[str]) -> list[QuotaHolding]:
        """Return what has to be planned: every reservation, the oldest first, where quota does not cover all,
        as it may have shrunk; then what waits for victims.
        """
        reserved = self._reservations(names) if self._is_overdrawn(names) else ()
        awaiting = [holding for holding in self.ledger.awaiting.values() if holding.cluster_queue in names]
        # Those whose preemptions are issued go first: their victims leave for them and
        # for nobody else.
        awaiting.sort(key=lambda holding: (holding.workload.key not in may_preempt, _since(holding)))
        return [*sorted(reserved, key=_since), *awaiting]

    def _is_overdrawn(self, names: Collection[str]) -> bool:
        nodes = [self.ledger.cohort_trees.queues[name] for name in names]
        return any(available(node, fr) < 0 for node in nodes for fr in node.usage)

    def _reservations(self, names: Collection[str]) -> Iterator[QuotaHolding]:
        return (holding for name in names for holding in self.ledger.holders(name) if _is_waiting(holding))


def _is_waiting(holding: QuotaHolding) -> bool:
    return not (holding.is_admitted or holding.is_evicted or holding.workload.is_awaiting_victims)


def _since(holding: QuotaHolding) -> float:
    return -holding.rank[1]

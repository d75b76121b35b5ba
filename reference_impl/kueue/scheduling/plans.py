"""Planned preemptions in a cycle and for a reservation: which Workloads may use free quota, and what is
waited for (AC-440…477).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from ..checks.entries import Checks
from ..checks.preemption_policy import Policies
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.resources import Usage
from ..quota.tree import Node, available
from ..quota.usage_cache import QuotaHolding, UsageCache
from ..quota.validity import objection
from ..workload.rules import RequiredChecks
from ..workload.view import Workload
from ..workload.workload_context import ReservationState
from .assignment import Assignment
from .planning import PlannedState, Plans, PreemptionPlan
from .preemption.candidates import Leaving
from .preemption.targets import PreemptionTarget, Preemptor


class Planning(Protocol):
    """The questions of a cycle about plans."""

    def state(self) -> AbstractContextManager[None]:
        """Bring the tree into the planned state until the context ends."""

    def weaker(self, workload: Workload, cluster_queue: str) -> tuple[str, ...]:
        """Name the reservations that wait for victims and that a Workload may preempt (AC-472)."""

    def without(self, keys: Collection[str]) -> AbstractContextManager[None]:
        """See the tree without reservations that wait for victims."""

    def displace(self, keys: Collection[str]) -> None:
        """Go on without reservations that wait for victims until the state ends."""

    def is_free(self, cluster_queue: str, usage: Usage, targets: Iterable[PreemptionTarget]) -> bool:
        """Tell whether usage fits without targets, whatever becomes of planned victims (AC-469)."""

    def reserves_first(self, spec: ClusterQueueSpec, assignment: Assignment) -> bool:
        """Tell whether quota is reserved before the targets have left (AC-440, AC-477)."""


@dataclass(frozen=True, slots=True)
class DerivedPlans:
    """The plans of a tree, and what they were derived from: its version, and who may preempt."""

    origin: tuple[int, frozenset[str]]
    plans: Plans


MayPreempt = Callable[[Checks, Policies], bool]


@dataclass(slots=True, kw_only=True)
class PlannedPreemptions:
    """The plans of every tree, derived again when a tree has changed (P-036)."""

    ledger: UsageCache
    catalogue: Catalogue
    preemptor: Preemptor
    required: RequiredChecks
    may_preempt: MayPreempt
    leaving: Leaving
    sent_back: frozenset[str] = frozenset()
    _state: PlannedState = field(init=False)
    _derived: dict[str, DerivedPlans] = field(default_factory=dict)
    """By the names of roots; a queue and a cohort of one name have different versions."""

    def __post_init__(self) -> None:
        self._state = PlannedState(self.ledger, self.catalogue, self.preemptor, self.sent_back)

    # -- asked by a cycle

    def state(self) -> AbstractContextManager[None]:
        """Bring every tree with planned preemptions into the planned state until the context ends."""
        queues = dict.fromkeys(holding.cluster_queue for holding in self.ledger.awaiting.values())
        roots = {id(root): name for name in queues if (root := self._root(name)) is not None}
        return self._enter_plans([self._of_tree(name) for name in roots.values()])

    def weaker(self, workload: Workload, cluster_queue: str) -> tuple[str, ...]:
        """Name the reservations that wait for victims and that a Workload may preempt."""
        return self._state.weaker(workload, cluster_queue)

    def without(self, keys: Collection[str]) -> AbstractContextManager[None]:
        """See the tree without reservations that wait for victims."""
        return self._state.aside(keys)

    def displace(self, keys: Collection[str]) -> None:
        """Go on without them."""
        self._state.put_aside(keys)

    def is_free(self, cluster_queue: str, usage: Usage, targets: Iterable[PreemptionTarget]) -> bool:
        """Tell whether usage fits without targets, whatever becomes of planned victims."""
        return self._state.is_free(cluster_queue, usage, targets)

    def reserves_first(self, spec: ClusterQueueSpec, assignment: Assignment) -> bool:
        """Reserve first where checks are to be asked."""
        # Without checks there is nothing to ask beforehand: such a Workload waits for
        # its victims, as in every release.
        return bool(self.required(spec.checks, frozenset(spec.groups.flavors), assignment.assigned_flavors))

    # -- asked about a reservation

    def reservation_state(self, workload: Workload) -> ReservationState:
        """Return what the reservation of a Workload still waits for."""
        holding = self.ledger.holdings.get(workload.key)
        if holding is None or holding.is_admitted:
            return ReservationState()
        wrong = objection(holding, self.ledger, self.catalogue)
        if wrong or not (self.ledger.awaiting or self._is_overdrawn(holding)):
            return ReservationState(objection=wrong)
        plans = self._of_tree(holding.cluster_queue)
        plan = plans.get(workload.key, PreemptionPlan(holding))
        if plan.objection or plan.waits:
            unissued = not all(self.leaving(victim.holding) for victim in plan.victims)
            return ReservationState(plan.objection, len(plan.victims), unissued, is_covered=not plan.waits)
        with self._enter_plans([plans]), self._state.as_it_is():
            covered = not self._is_overdrawn(holding)
        victim_count = sum(len(plan.victims) for plan in plans.values())
        return ReservationState(preemptions=0 if covered else victim_count, is_covered=covered)

    def victims(self, workload: Workload) -> tuple[PreemptionTarget, ...]:
        """Return the planned victims of a Workload."""
        holding = self.ledger.holdings.get(workload.key)
        if holding is None or self._root(holding.cluster_queue) is None:
            return ()
        plan = self._of_tree(holding.cluster_queue).get(workload.key)
        return () if plan is None else plan.victims

    @contextmanager
    def _enter_plans(self, trees: Iterable[Plans]) -> Iterator[None]:
        with self.ledger.cohort_trees.simulation(), self.ledger.leaving_out(()):
            for plans in trees:
                self._state.enter(plans)
            try:
                yield
            finally:
                self._state.plans.clear()

    def _of_tree(self, name: str) -> Plans:
        root = self._root(name)
        assert root is not None, "who asks has seen that there is a tree"
        due = self._may_preempt()
        # The version changes with everything that could change a plan: most questions
        # are answered without a search.
        derived, origin = self._derived.get(root.name), (root.version, due)
        if derived is None or derived.origin != origin:
            before = derived.plans if derived else {}
            names = self.ledger.cohort_trees.members(name)
            derived = self._derived[root.name] = DerivedPlans(origin, self._state.derive(names, due, before))
        return derived.plans

    def _may_preempt(self) -> frozenset[str]:
        """Return the reservations whose preemptions are issued (AC-443)."""
        policies = {name: check.preemption_policy for name, check in self.catalogue.checks.items()}
        waiting = self.ledger.awaiting.items()
        return frozenset(
            key for key, holding in waiting if self.may_preempt(holding.workload.checks, policies)
        )

    def _root(self, name: str) -> Node | None:
        node = self.ledger.cohort_trees.queues.get(name)
        return None if node is None else self.ledger.cohort_trees.root(node)

    def _is_overdrawn(self, holding: QuotaHolding) -> bool:
        node = self.ledger.cohort_trees.queues[holding.cluster_queue]
        return any(available(node, fr) < 0 for fr in holding.usage)

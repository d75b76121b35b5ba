"""One scheduling cycle over popped heads: nominate, order, process (scheduling §6.2–6.4).

The cycle changes nothing: usage is tried in a simulation and undone. It returns one verdict per head; the
scheduler carries them out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..queueing.heads import Head
from ..queueing.strategies import RequeueReason
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.requests import pod_set_requests
from ..quota.resources import Usage
from ..quota.tree import Node
from ..quota.usage_cache import UsageCache
from ..workload.unreserved import UnreservedReason
from ..workload.view import Workload
from . import texts
from .admissibility import find_problem
from .assignment import Assignment, PreemptionMode
from .booking import Booking
from .entry import (
    NO_QUOTA,
    Drop,
    Entry,
    Order,
    Preempt,
    Requeue,
    Reserve,
    Verdict,
    WaitForPodsReady,
    classical_order,
    with_recomputation,
)
from .flavor_assigner import assign
from .flavor_fit import AssignmentContext
from .preemption.targets import PreemptionTarget, Preemptor
from .reducing import Counts, find_largest_counts, is_reducible
from .rules import SchedulingRules

if TYPE_CHECKING:
    from .plans import Planning


class NoPlans:
    """Nothing is planned: quota is reserved once it is free."""

    def state(self) -> AbstractContextManager[None]:
        """Leave the tree unchanged."""
        return nullcontext()

    def weaker(self, _workload: Workload, _cluster_queue: str) -> tuple[str, ...]:
        """Name nothing."""
        return ()

    def without(self, _keys: Collection[str]) -> AbstractContextManager[None]:
        """Leave the tree unchanged."""
        return nullcontext()

    def displace(self, _keys: Collection[str]) -> None:
        """Leave the tree unchanged."""

    def is_free(self, _cluster_queue: str, _usage: Usage, _targets: Iterable[PreemptionTarget]) -> bool:
        """Leave it to the books of the cycle."""
        return True

    def reserves_first(self, _spec: ClusterQueueSpec, _assignment: Assignment) -> bool:
        """Wait for the targets."""
        return False


@dataclass(frozen=True, slots=True)
class Cycle:
    """What a cycle reads."""

    ledger: UsageCache
    catalogue: Catalogue
    preemptor: Preemptor
    rules: SchedulingRules
    order: Order = classical_order
    """In which order entries are processed (Q-220, Q-221)."""
    partial_admission: bool = True
    block_admission: bool = False
    recomputes_overlaps: bool = False
    """Whether a head is assigned anew whose targets another one of the cycle has (KV-21)."""
    plans: Planning = field(default_factory=NoPlans)

    def run(self, heads: Sequence[Head]) -> list[Verdict]:
        """Judge every head against the same usage, then process them in order."""
        with self.plans.state():
            return self._run(heads)

    def _run(self, heads: Sequence[Head]) -> list[Verdict]:
        # All heads are nominated before any takes quota, as in Kueue: a head may see
        # quota that one before it gets in this cycle, and is requeued then.
        nominated = [self._nominate(head) for head in heads]
        entries = [head for head in nominated if isinstance(head, Entry)]
        verdicts: list[Verdict] = [head for head in nominated if not isinstance(head, Entry)]
        # The tree is changed in place and undone: a snapshot would copy every tree for
        # each cycle.
        with self.ledger.cohort_trees.simulation():
            verdicts += self._process(entries)
        return verdicts

    # -- nomination

    def _nominate(self, head: Head) -> Entry | Requeue | Drop:
        """Reject what need not be looked at, in this order, and assign flavors to the rest (Q-210…Q-215).

        A head comes from a ClusterQueue that exists and is active (Q-039): of Q-212 a cycle of cohorts is
        left, of Q-213 nothing.
        """
        workload = head.pending.workload
        # Reserved already: the event of the write has not come yet, and the queue does
        # not know.
        if workload.key in self.ledger.holdings:
            return Drop(head)
        if workload.checks.has_negative:
            return Requeue(head, RequeueReason.GENERIC, texts.FAILED_CHECKS)
        spec = self.catalogue.cluster_queues[head.cluster_queue]
        node = self.ledger.cohort_trees.queues[head.cluster_queue]
        # A cycle of cohorts has no root, hence no quota.
        if self.ledger.cohort_trees.root(node) is None:
            return Requeue(
                head,
                RequeueReason.GENERIC,
                texts.inactive(head.cluster_queue),
                UnreservedReason.SUSPENDED,
            )
        return self._validate(head, spec) or self._assign_beside_plans(head, spec, node)

    def _validate(self, head: Head, spec: ClusterQueueSpec) -> Requeue | None:
        """Check the namespace, and what the pods ask for (Q-093, Q-214)."""
        problem = find_problem(head.pending.workload, spec, self.catalogue, self.rules)
        if problem is None:
            return None
        return Requeue(head, problem.requeue_reason, problem.message, UnreservedReason.MISCONFIGURED)

    def _assign_beside_plans(self, head: Head, spec: ClusterQueueSpec, node: Node) -> Entry | Requeue:
        """Leave planned victims to whom they are planned for,
        unless that one may be preempted itself (AC-469, AC-472).
        """
        entry = self._assign(head, spec, node)
        if self._is_free(entry):
            return entry
        displaced = self.plans.weaker(head.pending.workload, spec.name)
        if displaced:
            with self.plans.without(displaced):
                other = self._assign(head, spec, node)
                if self._is_free(other):
                    return replace(other, displaced=displaced)
        if entry.is_viable:
            return Requeue(head, RequeueReason.PREEMPTION_NO_CANDIDATES, texts.PLANNED_FOR_OTHERS, NO_QUOTA)
        return entry

    def _is_free(self, entry: Entry) -> bool:
        return entry.is_viable and self.plans.is_free(entry.spec.name, entry.assignment.usage, entry.targets)

    def _assign(self, head: Head, spec: ClusterQueueSpec, node: Node) -> Entry:
        """Assign flavors, from where the search of the cycle before stopped (Q-178)."""
        scan = head.pending.last_assignment
        if scan is not None and not scan.is_current(node.generation, head.cycle):
            scan = None
        return self._assign_in(
            AssignmentContext(spec, node, self.catalogue.flavors, self.preemptor, scan), head
        )

    def _assign_anew(self, entry: Entry, node: Node, booking: Booking) -> Entry:
        """Assign an entry anew, within the flavors of its nomination, as if the targets of all preemptors
        before it had left, where it shares some of them (Q-227, KV-21).
        """
        if not (self.recomputes_overlaps and booking.overlaps_targets(entry.targets)):
            return entry
        targets, nominated = booking.victims(), entry.assignment.nominated_flavors
        context = AssignmentContext(
            entry.spec, node, self.catalogue.flavors, self.preemptor, nominated=nominated
        )
        gone = (target.holding.workload.key for target in targets)
        with self.ledger.leaving_out(gone), self.preemptor.without(targets):
            assigned = self._assign_in(context, entry.head)
        is_deferred = assigned.assignment.mode is PreemptionMode.FIT
        return replace(assigned, displaced=entry.displaced, is_deferred=is_deferred)

    def _assign_in(self, context: AssignmentContext, head: Head) -> Entry:
        """Assign flavors to all pods, or to as many as get in, now or by preemption (Q-185)."""
        workload, spec = head.pending.workload, context.spec
        full = self._entry(head, spec, assign(workload, head.pending.requests, context, self.rules))
        pod_sets = workload.spec.get("podSets") or ()
        # Fewer pods only if all of them do not get in, not even by preemption.
        if full.is_viable or not self.partial_admission or not is_reducible(pod_sets):
            return full

        def attempt(counts: Counts) -> Entry | None:
            requests = [pod_set_requests(pod_set, n) for pod_set, n in zip(pod_sets, counts, strict=True)]
            assignment = self._entry(head, spec, assign(workload, requests, context, self.rules))
            return assignment if assignment.is_viable else None

        return find_largest_counts(pod_sets, attempt) or full

    def _entry(self, head: Head, spec: ClusterQueueSpec, assignment: Assignment) -> Entry:
        """Search the targets of an assignment that needs some (Q-215)."""
        if not assignment.mode.is_simulated:
            return Entry(head, spec, assignment)
        workload = head.pending.workload
        targets = self.preemptor.targets(
            workload,
            spec.name,
            self.rules.preemption_usage(assignment),
            assignment.resources_requiring_preemption,
        )
        return Entry(head, spec, assignment, tuple(targets))

    # -- processing

    def _process(self, entries: Sequence[Entry]) -> Iterator[Verdict]:
        """Give quota in order, to each as long as it still fits after those
        before it (Q-203, Q-224…Q-232).
        """
        # Asked once: reservations of this cycle have no pods yet.
        everybody_ready = self.ledger.are_all_pods_ready or not self.block_admission
        blocked = False
        booking = Booking(self.ledger.cohort_trees, self.preemptor)
        for nominated in self.order(entries):
            node = self.ledger.cohort_trees.queues[nominated.spec.name]
            with self.plans.without(nominated.displaced):
                entry = self._assign_anew(nominated, node, booking)
                verdict: Verdict = self._judge(entry, node, booking)
            # Each recomputation is counted, also one that leads to the same assignment.
            if entry is not nominated:
                verdict = with_recomputation(verdict, entry)
            if isinstance(verdict, Reserve | Preempt) and blocked:
                recomputation = verdict.recomputation if isinstance(verdict, Preempt) else None
                reason = RequeueReason.FAILED_AFTER_NOMINATION
                verdict = Requeue(entry.head, reason, recomputation=recomputation)
            elif isinstance(verdict, Preempt):
                self.plans.displace(entry.displaced)
                booking.claim(node, self.rules.usage_to_reserve(entry, node), entry.targets)
            elif isinstance(verdict, Reserve) and not everybody_ready:
                verdict, blocked = WaitForPodsReady(entry.head), True
            elif isinstance(verdict, Reserve):
                self.plans.displace(entry.displaced)
                self._book(verdict, node, booking)
                everybody_ready = not self.block_admission
            yield verdict

    def _judge(self, entry: Entry, node: Node, booking: Booking) -> Reserve | Preempt | Requeue:
        """Judge an entry; where checks are asked, quota may be
        reserved before the targets have left (AC-440, AC-469).
        """
        verdict = self.rules.process_entry(entry, node, booking)
        if isinstance(verdict, Requeue):
            return verdict
        if not self._is_free(entry):
            skipped = isinstance(verdict, Preempt)
            return Requeue(
                entry.head,
                RequeueReason.FAILED_AFTER_NOMINATION,
                texts.NO_LONGER_FITS,
                NO_QUOTA,
                is_preemption_skipped=skipped,
            )
        if isinstance(verdict, Preempt) and self.plans.reserves_first(entry.spec, entry.assignment):
            return Reserve(entry.head, entry.assignment, entry.targets)
        return verdict

    def _book(self, verdict: Reserve, node: Node, booking: Booking) -> None:
        if verdict.targets:
            booking.claim(node, verdict.assignment.usage, verdict.targets)
        else:
            booking.reserve(node, verdict.assignment.usage)

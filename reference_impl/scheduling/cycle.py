"""One scheduling cycle over popped heads: nominate, order, process (scheduling §6.2–6.4).

The cycle changes nothing: usage is tried in a simulation and undone. It returns one verdict per head; the scheduler
carries them out. Entries with preemption targets do not occur before preemption is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..checks.entries import REJECTED, RETRY
from ..queueing.heads import Head
from ..queueing.strategies import Reason
from ..quota import fitness
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.ledger import Ledger
from ..quota.requests import pod_set_requests
from ..quota.resources import FlavorResource, Usage
from ..quota.selectors import matches
from ..quota.tree import Node, fits_now
from . import texts
from .assignment import Assignment
from .grades import Mode
from .preemption import Preemptor
from .reducing import Counts, is_reducible, largest
from .search import Place, assign


@dataclass(frozen=True, slots=True)
class Reserve:
    """Quota for the head, as assigned."""

    head: Head
    assignment: Assignment


@dataclass(frozen=True, slots=True)
class Requeue:
    """Back into the queue; without a message nothing is written."""

    head: Head
    reason: Reason
    message: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """It fits, but admission is blocked until all admitted Workloads are ready (Q-231)."""

    head: Head


@dataclass(frozen=True, slots=True)
class Drop:
    """It holds quota already (Q-210)."""

    head: Head


Verdict = Reserve | Requeue | Wait | Drop


@dataclass(frozen=True, slots=True)
class Entry:
    """A nominated head."""

    head: Head
    spec: ClusterQueueSpec
    assignment: Assignment

    @property
    def order(self) -> tuple[int, int, float, str]:
        """The place in the cycle: borrowing less, more important, older, smaller UID (Q-220, T-11)."""
        rank = self.head.pending.rank
        return (self.assignment.level, rank.lower_priority, rank.since, rank.uid)


@dataclass(frozen=True, slots=True)
class Cycle:
    """What a cycle reads."""

    ledger: Ledger
    catalogue: Catalogue
    preemptor: Preemptor
    partial_admission: bool = True
    block_admission: bool = False

    def run(self, heads: Sequence[Head]) -> list[Verdict]:
        """Judge every head against the same usage, then process them in order."""
        nominated = [self._nominate(head) for head in heads]
        entries = sorted(
            (each for each in nominated if isinstance(each, Entry)), key=lambda entry: entry.order
        )
        verdicts: list[Verdict] = [each for each in nominated if not isinstance(each, Entry)]
        with self.ledger.forest.simulation():
            verdicts += self._process(entries)
        return verdicts

    # -- nomination --------------------------------------------------------------------------------------------------

    def _nominate(self, head: Head) -> Entry | Requeue | Drop:
        """Reject what need not be looked at, in this order, and assign flavors to the rest (Q-210…Q-215)."""
        workload = head.pending.workload
        if workload.key in self.ledger.holdings:
            return Drop(head)
        if workload.checks.in_state(RETRY) or workload.checks.in_state(REJECTED):
            return Requeue(head, Reason.GENERIC, texts.FAILED_CHECKS)
        spec = self.catalogue.cluster_queues.get(head.cluster_queue)
        node = self.ledger.forest.queues.get(head.cluster_queue)
        if spec is None or node is None:
            return Requeue(head, Reason.GENERIC, texts.not_found(head.cluster_queue))
        if not self.catalogue.is_active(spec.name) or self.ledger.forest.root(node) is None:
            return Requeue(head, Reason.GENERIC, texts.inactive(head.cluster_queue))
        return self._invalid(head, spec) or Entry(head, spec, self._assign(head, spec, node))

    def _invalid(self, head: Head, spec: ClusterQueueSpec) -> Requeue | None:
        """Check the namespace, and what the pods ask for (Q-093, Q-214)."""
        workload = head.pending.workload
        namespace = workload.namespace
        labels = self.catalogue.namespaces.get(namespace)
        if labels is None:
            return Requeue(head, Reason.GENERIC, texts.namespace_missing(namespace))
        if not matches(spec.namespace_selector, labels):
            return Requeue(head, Reason.NAMESPACE_MISMATCH, texts.NAMESPACE_MISMATCH)
        limit_ranges = self.catalogue.limit_ranges(namespace)
        wrong = fitness.objection(workload.spec.get("podSets") or (), limit_ranges)
        return Requeue(head, Reason.GENERIC, wrong) if wrong else None

    def _assign(self, head: Head, spec: ClusterQueueSpec, node: Node) -> Assignment:
        """Assign flavors to all pods, or to as many as get in (Q-185)."""
        workload = head.pending.workload
        place = Place(spec, node, self.catalogue.flavors, self.preemptor)
        full = assign(workload, head.pending.requests, place)
        pod_sets = workload.spec.get("podSets") or ()
        if full.mode is Mode.FIT or not self.partial_admission or not is_reducible(pod_sets):
            return full

        def attempt(counts: Counts) -> Assignment | None:
            requests = [pod_set_requests(each, n) for each, n in zip(pod_sets, counts, strict=True)]
            found = assign(workload, requests, place)
            return found if found.mode is Mode.FIT else None

        return largest(pod_sets, attempt) or full

    # -- processing --------------------------------------------------------------------------------------------------

    def _process(self, entries: Sequence[Entry]) -> Iterator[Verdict]:
        """Give quota in order, to each as long as it still fits after those before it (Q-203, Q-224…Q-232)."""
        everybody_ready = self.ledger.all_ready or not self.block_admission
        blocked = False
        for entry in entries:
            verdict: Verdict = self._judge(entry)
            if isinstance(verdict, Reserve) and blocked:
                verdict = Requeue(entry.head, Reason.FAILED_AFTER_NOMINATION)
            elif isinstance(verdict, Reserve) and not everybody_ready:
                verdict, blocked = Wait(entry.head), True
            elif isinstance(verdict, Reserve):
                self.ledger.forest.add(entry.spec.name, entry.assignment.usage)
                everybody_ready = not self.block_admission
            yield verdict

    def _judge(self, entry: Entry) -> Reserve | Requeue:
        assignment, node = entry.assignment, self.ledger.forest.queues[entry.spec.name]
        if assignment.mode is Mode.NO_FIT:
            return Requeue(entry.head, Reason.NO_FIT, assignment.message)
        if assignment.mode is not Mode.FIT:
            self.ledger.forest.add(entry.spec.name, kept_free(entry, node))
            return Requeue(entry.head, Reason.PREEMPTION_NO_CANDIDATES, assignment.message)
        if any(value > fits_now(node, fr) for fr, value in assignment.usage.items()):
            return Requeue(entry.head, Reason.FAILED_AFTER_NOMINATION, texts.NO_LONGER_FITS)
        return Reserve(entry.head, assignment)


def kept_free(entry: Entry, node: Node) -> Usage:
    """What a head without candidates keeps from the heads behind it (Q-226, T-13)."""
    if entry.spec.preemption.reclaim_within_cohort == "Any":
        return {}
    borrows = entry.assignment.level > 0
    return {fr: _claim(node, fr, value, borrows=borrows) for fr, value in entry.assignment.usage.items()}


def _claim(node: Node, fr: FlavorResource, value: int, *, borrows: bool) -> int:
    quota = node.quota(fr)
    if not borrows:
        return max(0, min(value, quota.nominal - node.used(fr)))
    if quota.borrowing_limit is None:
        return value
    return min(value, quota.nominal + quota.borrowing_limit - node.used(fr))

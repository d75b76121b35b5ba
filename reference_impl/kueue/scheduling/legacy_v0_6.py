"""How v0.6 scheduled: flat cohorts, no search before a preemption is promised,
one winner in a cohort (Q-507, Q-509, Q-519).
"""

from __future__ import annotations

from functools import partial

from ...pods.amounts import render
from ..queueing.strategies import RequeueReason
from ..quota.resources import FlavorResource
from ..quota.tree import Node, available, fits_now, is_borrowing, potential
from ..workload.view import Workload
from .assignment import GranularMode, PreemptionMode, QuotaFit
from .booking import Booking
from .entry import Entry, Preempt, Requeue, Reserve, usage_within_limits
from .flavor_fit import AssignmentContext

NAMESPACE_MISMATCH = "Workload namespace doesn't match ClusterQueue selector"
OTHERS_FIRST = "other workloads in the cohort were prioritized"


def fit_quota(
    context: AssignmentContext, _workload: Workload, fr: FlavorResource, before: int, request: int
) -> QuotaFit:
    """Grade one resource of one flavor; what could be preempted is not looked for yet (Q-509, Q-519)."""
    node, value = context.node, before + request
    mode, borrows = _without_room(context, fr, value)
    quota = node.quota(fr)
    if (
        quota.borrowing_limit is not None
        and node.usage_of(fr) + value > quota.nominal + quota.borrowing_limit
    ):
        message = f"borrowing limit for {fr.resource} in flavor {fr.flavor} exceeded"
        return QuotaFit(GranularMode(mode, borrows), message)
    if value <= fits_now(node, fr):
        level = int(node.parent is not None and is_borrowing(node, fr, value))
        return QuotaFit(GranularMode(PreemptionMode.FIT, level))
    needed = render(fr.resource, value - available(node, fr))
    if node.parent is not None:
        message = f"insufficient unused quota in cohort for {fr.resource} in flavor {fr.flavor}, {needed} more needed"
    elif mode is PreemptionMode.NO_FIT:
        message = f"insufficient quota for {fr.resource} in flavor {fr.flavor} in ClusterQueue"
    else:
        message = f"insufficient unused quota for {fr.resource} in flavor {fr.flavor}, {needed} more needed"
    return QuotaFit(GranularMode(mode, borrows), message)


def fit_quota_or_reclaim(
    context: AssignmentContext, workload: Workload, fr: FlavorResource, before: int, request: int
) -> QuotaFit:
    """Grade it as v0.9 did: better where all that has to go is of other queues and nothing is borrowed."""
    fit = fit_quota(context, workload, fr, before, request)
    value, name = before + request, context.spec.name
    if not fit.message or is_borrowing(context.node, fr, value):
        return fit
    targets = context.preemptor.targets(workload, name, {fr: value}, frozenset({fr}))
    reclaims = targets and all(target.holding.cluster_queue != name for target in targets)
    if not reclaims:
        return fit
    return fit._replace(granular_mode=fit.granular_mode._replace(mode=PreemptionMode.RECLAIM))


def _without_room(context: AssignmentContext, fr: FlavorResource, value: int) -> tuple[PreemptionMode, int]:
    """Promise a preemption within the nominal quota,
    or within the cohort where a preemptor may borrow (Q-519).
    """
    nominal = context.node.quota(fr).nominal
    may_borrow = context.preemptor.may_borrow(context.spec.preemption)
    if may_borrow and value <= potential(context.node, fr):
        return PreemptionMode.PREEMPT, int(value > nominal)
    return (PreemptionMode.PREEMPT if value <= nominal else PreemptionMode.NO_FIT), 0


def process_entry(entry: Entry, node: Node, booking: Booking) -> Reserve | Preempt | Requeue:
    """Skip what an entry before it in the same cohort may have made impossible (Q-507)."""
    assignment, head = entry.assignment, entry.head
    requeue = partial(Requeue, head, last_assignment=entry.last_assignment(node.generation))
    if assignment.mode is PreemptionMode.NO_FIT:
        return requeue(RequeueReason.NO_FIT, assignment.message)
    if _is_overtaken(entry, node, booking):
        return Requeue(head, RequeueReason.FAILED_AFTER_NOMINATION, OTHERS_FIRST)
    if assignment.mode is PreemptionMode.FIT:
        return Reserve(head, assignment)
    if entry.targets:
        return Preempt(head, assignment.message, entry.targets)
    booking.keep(node, usage_within_limits(entry, node))
    return requeue(RequeueReason.PREEMPTION_NO_CANDIDATES, assignment.message)


def _is_overtaken(entry: Entry, node: Node, booking: Booking) -> bool:
    usage = entry.assignment.usage
    if not booking.is_shared(node, usage):
        return False
    if entry.assignment.mode is PreemptionMode.FIT:
        return any(value > fits_now(node, fr) for fr, value in usage.items())
    return booking.is_decided(node)

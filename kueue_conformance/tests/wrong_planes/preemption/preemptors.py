"""Wrong about the way from a preemption to quota: who waits for whom,
and what victims are told (Q-022, Q-227, Q-291…Q-296).
"""

from dataclasses import replace

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.strategies import RequeueReason, Strategy
from reference_impl.kueue.queues import status
from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.scheduling import entry, reservation, texts
from reference_impl.kueue.scheduling.evictions import Evictions
from reference_impl.kueue.scheduling.preemption import wording
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import preempting
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import instead, wrong


@wrong((Workload, "has_counted_quota"))
def takes_quota_from_victims_at_once(right, workload):
    """Breaks Q-293: gives the quota of a victim away before its pods are gone; QUE-060 must catch it."""
    return right(workload) and not workload.is_evicted


@wrong((ClusterQueue, "stick"))
def forgets_who_waits_for_victims(_, queue, key):
    """Breaks Q-022: tries newcomers before a preemptor that waits; QUE-071 should catch it."""


@wrong((ClusterQueue, "requeue"))
def prefers_who_waits_in_a_strict_queue(right, queue, pending, reason, *rest):
    """Breaks Q-022: tries a preemptor that waits first in a strict queue as well;
    QUE-071[StrictFIFO] should catch it.
    """
    if reason is RequeueReason.PENDING_PREEMPTION:
        queue.stick(pending.key)
        reason = RequeueReason.FAILED_AFTER_NOMINATION
    return right(queue, pending, reason, *rest)


instead(
    reservation,
    "OVER_WITH_A_RESERVATION",
    (c.EVICTED, c.BLOCKED_ON_PREEMPTION_GATES),
    "Breaks Q-232: goes on to say that a Workload is preempted; QUE-070 must catch it.",
    called="says_preempted_for_ever",
)


@wrong((preempting, "preempt"))
def marks_no_victim(right, *args, condition):
    """Breaks Q-291: does not mark victims as Preempted; QUE-070 must catch it."""
    return right(*args, condition=False)


@wrong((Evictions, "_tell"))
def tells_no_preemptor(right, evictions, *args):
    """Breaks EV-011: does not tell a preemptor whom it has preempted; QUE-113 should catch it."""
    right(replace(evictions, wording=replace(evictions.wording, preemptor_note=None)), *args)


@wrong((wording, "message"))
def tells_no_paths(_, pair):
    """Breaks M-060: does not say where preemptor and victim are; QUE-115 may catch it."""
    return wording.message_without_paths(pair)


@wrong((Evictions, "is_leaving"))
def takes_victims_for_staying(_, evictions, holding):
    """Breaks Q-262: looks for other victims while those before hold on; QUE-077 must catch it."""
    return False


@wrong((UsageCache, "remove"))
def stands_still_after_an_end_in_a_circle(remove, ledger, key):
    """Breaks Q-131: does nothing any more once a Workload has
    ended below a circle of cohorts; QUE-121 must catch it.
    """
    holding = ledger.holdings.get(key)
    node = ledger.cohort_trees.queues.get(holding.cluster_queue) if holding else None
    if node is not None and ledger.cohort_trees.root(node) is None:
        ledger.cohort_trees.root = lambda _: None
    remove(ledger, key)


@wrong((entry, "whole_usage"))
def claims_nothing_for_a_preemptor(_, entry, node):
    """Breaks Q-229: gives away what a preemptor needs of its victims' quota; QUE-139 may catch it."""
    return {}


@wrong((entry, "reserve_free"))
def keeps_what_can_be_reclaimed(kept_free, entry, node):
    """Breaks Q-226: keeps quota free that could be reclaimed; QUE-006 should catch it."""
    policies = replace(entry.spec.preemption, reclaim_within_cohort="Never")
    return kept_free(replace(entry, spec=replace(entry.spec, preemption=policies)), node)


@wrong((entry, "_limit_usage"))
def keeps_less_than_nothing(claim, node, fr, value, *, borrows):
    """Breaks Q-226: counts what a queue uses beyond its lowered quota anew with each try of its head; QUE-129
    must catch it.
    """
    limit = node.quota(fr).borrowing_limit
    if not borrows or limit is None:
        return claim(node, fr, value, borrows=borrows)
    return min(value, node.quota(fr).nominal + limit - node.usage_of(fr))


@wrong((ClusterQueue, "requeue"))
def is_held_up_by_foreigners(right, queue, pending, reason, *rest):
    """Breaks Q-043: is held up by a Workload of a foreign namespace; QUE-008 must catch it."""
    foreign = reason is RequeueReason.NAMESPACE_MISMATCH and queue.strategy is Strategy.STRICT_FIFO
    return right(queue, pending, RequeueReason.GENERIC if foreign else reason, *rest)


@wrong((status, "cluster_queue_status"))
def counts_no_victims(right, *args):
    """Breaks Q-372: counts what it has given up no longer as admitted; QUE-111 must catch it."""
    status = right(*args)
    return {**status, "admittedWorkloads": status["admittedWorkloads"] - (status["pendingWorkloads"] > 0)}


@wrong((entry, "_limit_usage"))
def keeps_a_thousandth_less(right, node, fr, value, *, borrows):
    """Breaks Q-226: keeps a thousandth less free than the first of a queue may have;
    QUE-328[a-thousandth-more] should catch it.
    """
    return right(node, fr, value, borrows=borrows) - 1


@wrong((entry, "_process_entry"))
def counts_what_no_longer_fits_as_skipped(right, entry, node, booking, fits):
    """Breaks MT-003: counts what no longer fits as a preemption that was skipped; QUE-332 may catch it."""
    verdict = right(entry, node, booking, fits)
    overtaken = getattr(verdict, "message", "") == texts.NO_LONGER_FITS
    return replace(verdict, is_preemption_skipped=True) if overtaken else verdict

"""Wrong about quota: what fits, what a cohort shares and
what is given back (Q-121…Q-141, Q-203, Q-220; AC-034).
"""

from dataclasses import replace

from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.quota import cluster_queue, cohort_trees, tree
from reference_impl.kueue.quota.resources import Quota, ResourceGroups
from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.scheduling import cycle, entry
from reference_impl.kueue.scheduling.assignment import PreemptionMode

from ...killing.planes import wrong


@wrong((tree, "fits_now"))
def asks_for_room_to_spare(fits, node, fr):
    """Breaks Q-125: does not give the last thousandth of quota away; ADM-028 must catch it."""
    return fits(node, fr) - 1


@wrong((tree, "fits_now"))
def gives_one_thousandth_too_much(fits, node, fr):
    """Breaks Q-125: gives a thousandth more than there is; ADM-028 must catch it."""
    return fits(node, fr) + 1000


@wrong((tree, "fits_now"))
def gives_one_more_than_there_is(fits, node, fr):
    """Breaks Q-125: gives one more of what is counted one by one; QUE-296 must catch it."""
    return fits(node, fr) + 1


@wrong((tree, "potential"))
def knows_no_maximum(_, node, fr):
    """Breaks Q-126: takes what never fits for something that could; ADM-439 may catch it."""
    return 2**62


@wrong((tree, "guaranteed_quota"))
def lends_without_limit(_, node, fr):
    """Breaks Q-121: takes no notice of lendingLimit; ADM-398[lending-limit-1-None-3-most] must catch it."""
    return 0


@wrong((tree, "guaranteed_quota"))
def lends_nothing_with_a_limit(_, node, fr):
    """Breaks Q-121: keeps everything when there is a lendingLimit;
    ADM-398[lending-limit-1-None-3-most] must catch it.
    """
    return 0 if node.quota(fr).lending_limit is None else node.total(fr)


@wrong((tree, "guaranteed_quota"))
def takes_the_lending_limit_for_what_is_kept(_, node, fr):
    """Breaks Q-121: keeps what may be lent, and lends the rest;
    ADM-398[lending-limit-1-None-3-most] must catch it.
    """
    return node.quota(fr).lending_limit or 0


@wrong((ResourceGroups, "of"))
def knows_no_borrowing_limit(of, cls_or_raw, *rest):
    """Breaks Q-124: takes no notice of borrowingLimit; ADM-398 must catch it."""
    groups = of(cls_or_raw, *rest)
    return replace(
        groups, quotas={fr: replace(quota, borrowing_limit=None) for fr, quota in groups.quotas.items()}
    )


@wrong((ResourceGroups, "of"))
def takes_the_borrowing_limit_for_the_whole(of, cls_or_raw, *rest):
    """Breaks Q-126: takes borrowingLimit for the most that a queue may have; ADM-398 must catch it."""
    groups = of(cls_or_raw, *rest)

    def less(quota: Quota) -> Quota:
        limit = quota.borrowing_limit
        return quota if limit is None else replace(quota, borrowing_limit=max(0, limit - quota.nominal))

    return replace(groups, quotas={fr: less(quota) for fr, quota in groups.quotas.items()})


@wrong((tree, "add"))
def books_nothing_at_the_cohort(_, node, fr, value):
    """Breaks Q-127: does not tell the cohort what its queues use; ADM-399 must catch it."""
    node.usage[fr] = node.usage_of(fr) + value


@wrong((tree, "remove"))
def gives_nothing_back_to_the_cohort(_, node, fr, value):
    """Breaks Q-127: gives quota back to the queue and not to its cohort; ADM-399 must catch it."""
    node.usage[fr] = node.usage_of(fr) - value


@wrong((cluster_queue.ClusterQueueSpec, "of"))
def knows_no_cohort(of, cls_or_obj, *rest):
    """Breaks AC-034: lets no queue borrow; ADM-398 must catch it."""
    return replace(of(cls_or_obj, *rest), cohort="")


@wrong((entry, "process_entry"))
def gives_the_same_quota_twice(_, entry, node, booking):
    """Breaks Q-203: does not look again at what those before
    it took in the same cycle; ADM-400 must catch it.
    """
    if entry.assignment.mode is PreemptionMode.NO_FIT:
        return cycle.Requeue(entry.head, RequeueReason.NO_FIT, entry.assignment.message)
    return cycle.Reserve(entry.head, entry.assignment)


@wrong((cycle.Entry, "sort_key"))
def lets_the_least_important_borrow_first(order, entry):
    """Breaks Q-220: begins with the lowest priority of several queues; ADM-400 must catch it."""
    level, priority, since, uid = order(entry)
    return (level, -priority, since, uid)


@wrong((cycle.Entry, "sort_key"))
def lets_borrowers_go_first(order, entry):
    """Breaks Q-220: lets a queue that borrows go before
    one that uses its own quota; ADM-407 must catch it.
    """
    level, *rest = order(entry)
    return (-level, *rest)


@wrong((UsageCache, "remove"))
def never_gives_quota_back(_, self, key):
    """Breaks Q-141: never counts anything out; ADM-033 must catch it."""


@wrong((UsageCache, "put"))
def never_counts_what_is_held(_, self, workload):
    """Breaks Q-141: counts nothing as held; ADM-028 must catch it."""


@wrong((cohort_trees, "_recompute"))
def forgets_what_is_borrowed(right, node):
    """Breaks Q-132: when a quota of a cohort changes, forgets borrowed quota; ADM-490 must catch it."""
    right(node)
    if not node.is_queue:
        node.usage = {}


@wrong((entry, "reserve_free"))
def keeps_nothing_for_the_first(_, entry, node):
    """Breaks Q-226: lends what the first of a strict queue waits for; ADM-491 should catch it."""
    return {}

"""Wrong by so little that few clusters show it: one thousandth,
one step of a tree, one of several attempts (Q-155, Q-255…Q-267).
"""

from reference_impl.kueue.scheduling.preemption import candidates, search

from ...killing.planes import wrong


@wrong((candidates, "within_nominal"))
def lets_borrow_one_thousandth(_, node, short_of):
    """Breaks Q-256: spares a queue that borrows no more than a thousandth; QUE-270 must catch it."""
    return all(node.usage_of(fr) <= node.total(fr) + 1 for fr in short_of)


@wrong((candidates, "_beyond"))
def asks_every_cohort_for_the_whole_claim(_, _node, usage):
    """Breaks Q-255: does not subtract the unused own quota on the way up; QUE-270 must catch it."""
    return usage


@wrong((candidates, "_fits_in"))
def sees_no_advantage(_, _node, _usage):
    """Breaks Q-255: takes no Workload by the advantage of a subtree; QUE-270 must catch it."""
    return False


@wrong((search, "attempts"))
def tries_it_with_borrowing_first(_, _claim, candidates):
    """Breaks Q-266: borrows while it preempts although it
    could stay within its own quota; QUE-270 must catch it.
    """
    return True, False


@wrong((search, "is_allowed"))
def looks_at_the_queue_and_at_no_cohort(right, candidate, claim, *, borrowing):
    """Breaks Q-267: reclaims from a queue that borrows in a cohort that does not; QUE-270 must catch it."""
    return right(candidate._replace(found_at=candidate.node.parent), claim, borrowing=borrowing)

"""Wrong about victims: which candidates there are, in which order they go, and how many (Q-250…Q-270)."""

from dataclasses import replace

from reference_impl.kueue.quota import usage_cache
from reference_impl.kueue.scheduling.booking import Booking
from reference_impl.kueue.scheduling.preemption import candidates, classical, search
from reference_impl.kueue.scheduling.preemption.candidates import Candidates, PreemptionVariant
from reference_impl.kueue.scheduling.preemption.targets import PreemptionReason

from ...killing.planes import instead, wrong

POLICIES = candidates.POLICIES


@wrong((candidates, "order"))
def evicts_the_highest_first(ordered, *args):
    """Breaks Q-262: begins with the candidates of the highest priority; QUE-060 must catch it."""
    return sorted(ordered(*args), key=lambda item: -item.holding.priority)


@wrong((candidates, "order"))
def evicts_the_oldest_first(ordered, *args):
    """Breaks Q-262: of equals takes the one that has had its quota the longest;
    QUE-060[the-newest-of-equals] must catch it.
    """
    return sorted(ordered(*args), key=lambda item: (item.holding.priority, -item.holding.rank[1]))


@wrong((usage_cache, "_holding"))
def evicts_what_was_created_last(holding_of, workload):
    """Breaks Q-262: of equals takes the one that was created last, whenever it got its quota;
    QUE-153 must catch it.
    """
    holding = holding_of(workload)
    return replace(holding, rank=(holding.priority, -workload.created, workload.uid))


@wrong((candidates, "order"))
def evicts_its_own_first(ordered, candidates, *rest):
    """Breaks Q-263: begins with the candidates of its own queue; QUE-061 must catch it."""
    hierarchical_candidates = Candidates([], candidates.hierarchical, candidates.by_priority)
    return [*ordered(Candidates(candidates.own), *rest), *ordered(hierarchical_candidates, *rest)]


@wrong((candidates, "order"))
def evicts_the_lowest_of_all_queues_first(ordered, *args):
    """Breaks Q-263: lets priority count before the right to quota;
    QUE-063[by-right-before-by-priority] must catch it.
    """
    return sorted(ordered(*args), key=lambda item: item.holding.priority)


@wrong((search, "fill_back"))
def fills_nothing_back(_, claim, removed, forest, *, borrowing):
    """Breaks Q-269: evicts those as well that turn out not to be needed;
    QUE-060[filled-back] must catch it.
    """
    return removed


@wrong((classical, "search"))
def evicts_one_too_many(right, claim, candidates, in_order, forest):
    """Breaks Q-269: evicts one more than is needed; QUE-060 must catch it."""
    needed = right(claim, candidates, in_order, forest)
    unneeded_candidates = [item for item in in_order if item not in needed]
    return [*needed, *unneeded_candidates[:1]] if needed else needed


@wrong((search, "fill_back"))
def evicts_one_at_a_time(_, claim, removed, forest, *, borrowing):
    """Breaks Q-266: evicts one of those that have to go; QUE-060[as-many-as-are-needed] must catch it."""
    return removed[-1:]


@wrong((search, "_remove_until_fit"), (Booking, "fits_without_targets"))
def evicts_in_vain(right, *args, **kwargs):
    """Breaks Q-270: evicts all candidates although that is not enough;
    QUE-060[none-in-vain] must catch it.
    """
    victims = right(*args, **kwargs)
    return True if isinstance(victims, bool) else victims or list(args[1])


@wrong((search, "_remove_until_fit"))
def evicts_nobody(_, claim, in_order, forest, *, borrowing):
    """Breaks Q-266: finds no victims; QUE-060 must catch it."""
    return []


@wrong((candidates, "eligible"))
def evicts_in_its_queue_whatever_the_policy(right, claim, ledger, queue, policy):
    """Breaks Q-250: takes Never in its own queue for LowerPriority; QUE-060[never] must catch it."""
    return right(claim, ledger, queue, "LowerPriority" if queue is claim.node else policy)


@wrong((candidates, "eligible"))
def never_evicts_in_its_queue(right, claim, ledger, queue, policy):
    """Breaks Q-251: takes no candidates of its own queue; QUE-060 must catch it."""
    return right(claim, ledger, queue, "Never" if queue is claim.node else policy)


@wrong((candidates, "eligible"))
def never_reclaims(right, claim, ledger, queue, policy):
    """Breaks Q-251: takes no candidates of other queues; QUE-061 must catch it."""
    return right(claim, ledger, queue, policy if queue is claim.node else "Never")


@wrong((candidates, "eligible"))
def takes_one_policy_for_both(right, claim, ledger, queue, policy):
    """Breaks Q-251: goes by withinClusterQueue in other queues as well;
    QUE-061[from-anybody-who-borrows] must catch it.
    """
    return right(claim, ledger, queue, claim.spec.preemption.within_cluster_queue)


def _up_to(preemptor, candidate, sent_back):
    return candidate.priority <= preemptor.priority


instead(
    candidates,
    "POLICIES",
    {**POLICIES, "LowerPriority": _up_to},
    "Breaks Q-250: takes equals under LowerPriority; QUE-061[not-beyond-the-own-quota] must catch it.",
    called="evicts_equals",
)
instead(
    candidates,
    "POLICIES",
    {**POLICIES, "LowerPriority": _up_to, "LowerOrNewerEqualPriority": _up_to},
    "Breaks Q-251: takes equals under every policy, so that they preempt one another in a circle; QUE-626 must catch it.",
    called="preempts_in_a_circle",
)
instead(
    candidates,
    "POLICIES",
    {**POLICIES, "Any": POLICIES["LowerPriority"]},
    "Breaks Q-250: takes lower ones only under Any; QUE-061[from-anybody-who-borrows] must catch it.",
    called="reclaims_from_lower_ones_only",
)
instead(
    candidates,
    "POLICIES",
    {**POLICIES, "LowerOrNewerEqualPriority": _up_to},
    "Breaks Q-250: takes elders under LowerOrNewerEqualPriority; QUE-075 must catch it.",
    called="evicts_elders",
)
instead(
    candidates,
    "POLICIES",
    {**POLICIES, "LowerOrNewerEqualPriority": POLICIES["LowerPriority"]},
    "Breaks Q-250: takes no equals under LowerOrNewerEqualPriority; QUE-075 must catch it.",
    called="spares_newer_equals",
)


@wrong((candidates, "within_nominal"))
def reclaims_from_who_borrows_nothing(_, node, short_of):
    """Breaks Q-256: takes candidates of queues that stay within their own quota;
    QUE-061[the-newest-of-equal-borrowers] must catch it.
    """
    return False


@wrong((search, "is_allowed"))
def reclaims_more_than_was_lent(_, candidate, claim, *, borrowing):
    """Breaks Q-267: goes on with a queue that borrows no more;
    QUE-061[no-more-than-was-lent] must catch it.
    """
    return not (borrowing and candidate.variant is PreemptionVariant.WITHOUT_BORROWING)


@wrong((search, "is_allowed"))
def looks_at_the_queue_alone(right, candidate, claim, *, borrowing):
    """Breaks Q-267: borrows beyond its own by reclaiming; QUE-061[not-beyond-the-own-quota] must catch it."""
    return right(candidate, claim, borrowing=False)


@wrong((search, "attempts"))
def always_borrows_while_it_preempts(_, claim, candidates):
    """Breaks Q-266: does not try to stay within its own quota; QUE-061[from-both] must catch it."""
    return (True,)


@wrong((search, "attempts"))
def never_borrows_while_it_preempts(_, claim, candidates):
    """Breaks Q-266: preempts only for what stays within its own quota;
    QUE-061[two-resources] must catch it.
    """
    return (False,)


@wrong((candidates, "may_borrow_over"))
def preempts_as_a_borrower_under_any_policy(_, preemptor, candidate, policies):
    """Breaks Q-257: takes borrowWithinCohort Never for LowerPriority;
    QUE-061[not-beyond-the-own-quota] must catch it.
    """
    return candidate.priority < preemptor.priority


@wrong((candidates, "may_borrow_over"))
def knows_no_threshold(_, preemptor, candidate, policies):
    """Breaks Q-257: takes no notice of maxPriorityThreshold; QUE-062 must catch it."""
    return policies.borrow_within_cohort != "Never" and candidate.priority < preemptor.priority


@wrong((candidates, "may_borrow_over"))
def stops_before_the_threshold(right, preemptor, candidate, policies):
    """Breaks Q-257: spares those at the threshold; QUE-062[at-the-threshold] must catch it."""
    return right(preemptor, candidate, policies) and candidate.priority != policies.max_priority_threshold


@wrong((candidates, "may_borrow_over"))
def evicts_equals_as_a_borrower(_, preemptor, candidate, policies):
    """Breaks Q-257: takes equals under borrowWithinCohort; QUE-062[not-from-equals-of-any] must catch it."""
    threshold = policies.max_priority_threshold
    return (
        policies.borrow_within_cohort != "Never"
        and candidate.priority <= preemptor.priority
        and (threshold is None or candidate.priority <= threshold)
    )


@wrong((candidates, "may_borrow_over"))
def never_preempts_as_a_borrower(_, preemptor, candidate, policies):
    """Breaks Q-257: knows no borrowWithinCohort; QUE-062 must catch it."""
    return False


@wrong((candidates, "_fits_in"))
def knows_no_right_of_a_subtree(_, node, usage):
    """Breaks Q-255: sees in no cohort whether the requested quota is its own; QUE-063 must catch it."""
    return False


@wrong((candidates, "_fits_in"))
def takes_every_quota_for_its_own(_, node, usage):
    """Breaks Q-255: reclaims what it has no right to; QUE-061[not-beyond-the-own-quota] must catch it."""
    return True


@wrong((PreemptionVariant, "reason"))
def always_names_the_same_reason(_, variant):
    """Breaks Q-258: says of all victims that they were in the same queue; QUE-061 must catch it."""
    return PreemptionReason.IN_CLUSTER_QUEUE


@wrong((classical.ClassicalPreemptor, "may_borrow"))
def preempts_for_what_it_borrows(*_):
    """Breaks Q-167: preempts for a Workload that would borrow, though no policy says that it may;
    QUE-062[none-where-that-is-Never]
    must catch it.
    """
    return True


@wrong((search, "attempts"))
def tries_once_with_victims(right, *args):
    """Breaks Q-266: gives up where victims do not make room while it borrows, or while it does not; QUE-283
    must catch it.
    """
    return right(*args)[:1]

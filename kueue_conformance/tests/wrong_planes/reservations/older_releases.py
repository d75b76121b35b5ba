"""Wrong about what releases before v0.13 did and said (Q-226, Q-507…Q-519)."""

from dataclasses import replace

from reference_impl.kueue.scheduling import cycle, entry, legacy_v0_6
from reference_impl.kueue.scheduling.assignment import PreemptionMode
from reference_impl.kueue.scheduling.booking import Booking
from reference_impl.kueue.scheduling.preemption import wording

from ...killing.planes import wrong


@wrong((legacy_v0_6, "fit_quota"), dialect="v0.6")
def forgets_that_the_cohort_is_short(fit, context, workload, fr, before, request):
    """Breaks Q-509: does not say that the quota of the cohort is in use;
    QUE-320[the-cohort's-is-in-use] may catch it.
    """
    quota_fit = fit(context, workload, fr, before, request)
    return quota_fit._replace(message=quota_fit.message.replace(" in cohort", ""))


@wrong((legacy_v0_6, "_without_room"), dialect="v0.6")
def promises_no_preemption(_, context, fr, value):
    """Breaks Q-519: does not wait for the first flavor,
    whose quota could be had by preemption; QUE-321 may catch it.
    """
    return PreemptionMode.NO_FIT, 0


@wrong((legacy_v0_6, "_is_overtaken"), dialect="v0.6")
def counts_what_it_gave_as_free(_, entry, node, booking):
    """Breaks Q-507: gives quota of a cohort that another
    Workload got in the same cycle; QUE-322 may catch it.
    """
    return False


@wrong((legacy_v0_6, "fit_quota_or_reclaim"), dialect="docs-2024")
def does_not_reclaim_first(_, context, workload, fr, before, request):
    """Breaks Q-519: preempts in its own queue although
    another flavor could be reclaimed; QUE-323 may catch it.
    """
    return legacy_v0_6.fit_quota(context, workload, fr, before, request)


@wrong((wording, "note_of_place"), dialect="v0.6")
def does_not_say_where_the_preemptor_is(_, pair):
    """Breaks Q-512: says that another Workload preempted it, and not where that is; QUE-324 may catch it."""
    return "Preempted by another workload"


@wrong((cycle.Cycle, "_validate"), dialect="v0.6")
def speaks_of_namespaces_as_later_releases_do(right, self, head, spec):
    """Breaks Q-511: says without a capital letter that a namespace is not selected; QUE-325 may catch it."""
    outcome = right(self, head, spec)
    return outcome and replace(outcome, message=outcome.message.lower())


@wrong((entry, "usage_within_limits"), dialect="v0.6")
def keeps_all_that_the_first_asks_for(_, entry, node):
    """Breaks Q-226: keeps more than its own quota free for the first of a queue; QUE-326 may catch it."""
    return entry.assignment.usage


@wrong((Booking, "is_decided"), dialect="v0.6")
def preempts_more_than_once_in_a_cohort(_, self, node):
    """Breaks Q-507: preempts for two Workloads of a cohort in one cycle; QUE-331 may catch it."""
    return False

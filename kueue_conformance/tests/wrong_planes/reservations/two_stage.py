"""Wrong about Workloads that wait for their checks where others
want their quota (AC-351, AC-441, AC-447, Q-185, Q-262).
"""

from dataclasses import replace

from reference_impl.kueue.checks import rules as checks
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.jobs import decide as jobs
from reference_impl.kueue.jobs.steps import Release
from reference_impl.kueue.quota import usage_cache
from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.scheduling import reducing
from reference_impl.kueue.scheduling.preemption import classical

from ...killing.planes import wrong


@wrong((classical, "collect"))
def spares_whoever_waits_for_checks(collect, claim, *args):
    """Breaks AC-447: preempts no Workload whose checks have not passed; QUE-150 must catch it."""
    candidates = collect(claim, *args)
    for candidate_list in (candidates.own, candidates.hierarchical, candidates.by_priority):
        candidate_list[:] = [candidate for candidate in candidate_list if candidate.holding.is_admitted]
    return candidates


@wrong((Checks, "reset"))
def keeps_what_was_said_of_a_victim(_, self, current_time):
    """Breaks AC-448: lets a victim that gets quota again
    run without being checked anew; QUE-151 must catch it.
    """
    return self


@wrong((usage_cache, "_holding"))
def prefers_victims_that_wait_for_checks(holding, workload):
    """Breaks Q-262: makes those leave first whose checks have not passed, whatever their priority; QUE-152
    must catch it.
    """
    quota_holding = holding(workload)
    return replace(quota_holding, rank=(quota_holding.is_admitted, *quota_holding.rank))


@wrong((UsageCache, "_book"))
def gives_reserved_quota_away(book, self, holding, sign):
    """Breaks AC-441: takes quota for free that is reserved and waits for checks; QUE-163 must catch it."""
    if holding.is_admitted:
        book(self, holding, sign)


@wrong((reducing, "find_largest_counts"))
def admits_all_pods_or_none(_, pod_sets, attempt):
    """Breaks Q-185: reserves nothing for a part of the pods
    beside what waits for checks; QUE-174 must catch it.
    """
    return


@wrong((checks, "checks_for_flavors"))
def asks_the_checks_of_every_flavor(_, rules, every, used):
    """Breaks AC-351: asks the checks of all flavors, whatever flavor was found; QUE-180 must catch it."""
    return frozenset(rule.name for rule in rules)


@wrong((jobs, "evict"))
def lets_quota_of_preempted_jobs_go(right, snapshot):
    """Breaks AC-300: gives the quota of a preempted Job back while its pods run; ADM-123 must catch it."""
    workload = snapshot.workload
    stops = (
        workload and workload.is_true("Preempted") and workload.is_evicted and workload.has_quota_reservation
    )
    suspended = snapshot.job.object["spec"].get("suspend") is True
    return Release(workload) if stops and suspended else right(snapshot)

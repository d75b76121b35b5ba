"""Wrong about trees of cohorts, flavors, numbers and counts
of pods (Q-080…Q-088, Q-120…Q-132, Q-170…Q-187, Q-220).
"""

from dataclasses import replace

from reference_impl.kueue.queueing import pending
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.quota import requests, tree
from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.scheduling import assignment, cycle, flavor_fit, reducing, texts
from reference_impl.kueue.scheduling.assignment import PreemptionMode

from ...killing.planes import wrong


@wrong((tree, "guaranteed_quota"))
def lends_all_of_a_cohort(guaranteed, node, fr):
    """Breaks Q-121: takes no notice of the lendingLimit of a cohort;
    QUE-030[a-cohort-lends-within-a-limit] must catch it.
    """
    return guaranteed(node, fr) if node.is_queue else 0


@wrong((tree.Node, "quota"))
def knows_no_borrowing_limit_of_a_cohort(quota, node, fr):
    """Breaks Q-124: takes no notice of the borrowingLimit of a cohort;
    QUE-030[a-cohort-that-may-not-borrow] must catch it.
    """
    quota_of_node = quota(node, fr)
    return quota_of_node if node.is_queue else replace(quota_of_node, borrowing_limit=None)


@wrong((CohortTrees, "set_cohort"))
def knows_no_quota_of_a_cohort(right, forest, name, parent, quotas, *rest):
    """Breaks Q-120: gives a cohort no quota of its own; QUE-012 must catch it."""
    return right(forest, name, parent, {fr: replace(quota, nominal=0) for fr, quota in quotas.items()}, *rest)


@wrong((CohortTrees, "set_cohort"))
def knows_no_parent_of_a_cohort(right, forest, name, parent, *rest):
    """Breaks Q-120: takes every cohort for a root; QUE-030[a-cohort-lends-within-a-limit] must catch it."""
    return right(forest, name, "", *rest)


@wrong((CohortTrees, "remove_cohort"))
def keeps_the_quota_of_a_deleted_cohort(right, forest, name):
    """Breaks Q-130: goes on to lend the quota of a cohort that was deleted; QUE-013 must catch it."""


@wrong((CohortTrees, "members"))
def wakes_its_own_queue_alone(right, forest, name):
    """Breaks Q-050: tries nothing again in other queues of the cohort; QUE-010 must catch it."""
    return (name,) if name in forest.queues else ()


@wrong((CohortTrees, "cohort_members"))
def wakes_nothing_below_a_cohort(right, forest, name):
    """Breaks Q-051: tries nothing again when a cohort changes; QUE-012 must catch it."""
    return ()


@wrong((tree, "height"))
def borrows_from_afar_as_from_near(_, node):
    """Breaks Q-129: takes all cohorts for equally far; QUE-005[who-borrows-less-far] must catch it."""
    return 1


@wrong((assignment, "should_try_next_flavor"))
def borrows_before_it_tries_the_next(_, grade, policy):
    """Breaks Q-172: takes whenCanBorrow for MayStopSearch;
    QUE-045[the-next-before-borrowing] must catch it.
    """
    return grade.mode <= PreemptionMode.NO_PREEMPTION_CANDIDATES or (
        grade.mode < PreemptionMode.FIT and policy.try_next_to_preempt
    )


@wrong((assignment, "should_try_next_flavor"))
def tries_the_next_before_it_preempts(_, grade, policy):
    """Breaks Q-172: takes whenCanPreempt for TryNextFlavor; QUE-045[preempts-in-the-first] must catch it."""
    return grade.mode < PreemptionMode.FIT or (grade.borrowing_level > 0 and policy.try_next_to_borrow)


@wrong((assignment, "should_try_next_flavor"))
def stays_where_none_may_go(_, grade, policy):
    """Breaks Q-172: tries no other flavor where there are no victims;
    QUE-045[the-next-before-borrowing] must catch it.
    """
    return grade.mode is PreemptionMode.NO_FIT or (
        grade.mode < PreemptionMode.FIT and policy.try_next_to_preempt
    )


@wrong((assignment, "_key"))
def has_no_preference(_, grade, policy):
    """Breaks Q-170: borrows before it preempts whatever is preferred;
    QUE-045[preempts-before-it-borrows] must catch it.
    """
    return (int(grade.mode), -grade.borrowing_level)


@wrong((flavor_fit, "_simulate"))
def reclaims_as_it_preempts(right, *args):
    """Breaks Q-170: would as soon preempt in its own queue as reclaim;
    QUE-045[reclaims-before-it-preempts] must catch it.
    """
    granular_mode = right(*args)
    return (
        granular_mode._replace(mode=PreemptionMode.PREEMPT)
        if granular_mode.mode is PreemptionMode.RECLAIM
        else granular_mode
    )


@wrong((cycle, "is_reducible"))
def never_does_with_fewer_pods(_, pod_sets):
    """Breaks Q-185: knows no partial admission; QUE-102 must catch it."""
    return False


@wrong((reducing, "find_largest_counts"))
def does_with_as_few_pods_as_it_can(_, pod_sets, attempt):
    """Breaks Q-186: begins with the smallest count; QUE-102 must catch it."""
    return attempt(tuple(int(pod_set.get("minCount") or pod_set["count"]) for pod_set in pod_sets))


@wrong((reducing, "_slack"))
def does_with_fewer_pods_than_it_may(right, pod_set):
    """Breaks Q-186: goes below minCount; QUE-103 must catch it."""
    return right(pod_set) + 1 if right(pod_set) else 0


@wrong((cycle.Cycle, "_entry"))
def does_with_fewer_pods_before_it_preempts(right, scheduler, head, spec, assignment):
    """Breaks Q-185: preempts for all pods only where it cannot do with fewer; QUE-104 must catch it."""
    entry = right(scheduler, head, spec, assignment)
    full = all(
        item.requests.count == request["count"]
        for item, request in zip(assignment.pod_sets, head.pending.workload.spec["podSets"], strict=True)
    )
    return (
        replace(entry, targets=())
        if full and reducing.is_reducible(head.pending.workload.spec["podSets"])
        else entry
    )


@wrong((requests, "_reclaimable"))
def asks_for_pods_that_were_given_back(_, workload):
    """Breaks Q-083: goes on to ask for pods that are not needed any more; QUE-100 must catch it."""
    return {}


@wrong((requests, "pod_set_requests"))
def counts_in_64_bits(_, pod_set, count):
    """Breaks Q-080: lets sums wrap around; QUE-124 must catch it."""
    pod_requests = requests.pod_requests(pod_set["template"]["spec"])
    wrapped = {name: (value * count + 2**63) % 2**64 - 2**63 for name, value in pod_requests.items()}
    return requests.PodSetRequests(pod_set["name"], count, wrapped)


@wrong((PendingWorkload, "of"))
def counts_priorities_in_31_bits(of, *args, **options):
    """Breaks Q-005: forgets the sign of a priority; QUE-022 must catch it."""
    result = of(*args, **options)
    return replace(result, rank=result.rank._replace(lower_priority=-abs(result.rank.lower_priority)))


@wrong((pending, "_scheduling_hash"))
def takes_all_for_equal(_, workload, requests):
    """Breaks Q-045: parks Workloads that differ from the one that did not fit; QUE-017 must catch it."""
    return "equal"


@wrong((texts, "insufficient_unused"))
def tells_what_is_asked_for(right, fr, missing):
    """Breaks M-055: reports one thousandth too much of the lacking quota; QUE-114 may catch it."""
    return right(fr, missing + 1)

"""Wrong about Jobs that no longer match the Workload that holds quota for them (AC-331)."""

from reference_impl.kueue.jobs import decide, workload_construction

from ...killing.planes import wrong


@wrong((decide, "delete_others"))
def keeps_a_workload_that_does_not_match(_, snapshot):
    """Breaks AC-331: does not delete a Workload that no longer matches its Job; ADM-447 must catch it."""


@wrong((workload_construction, "matches"))
def takes_what_is_reserved_for_matching(matches, job, workload, describe_pods):
    """Breaks AC-331: does not compare a Workload with its
    Job once quota is reserved; ADM-447 must catch it.
    """
    return workload.has_quota_reservation or matches(job, workload, describe_pods)


@wrong((workload_construction, "matches"))
def takes_what_is_admitted_for_matching(matches, job, workload, describe_pods):
    """Breaks AC-331: does not compare a Workload with its Job once it is admitted;
    ADM-447[admitted] must catch it.
    """
    return workload.is_admitted or matches(job, workload, describe_pods)


@wrong((decide, "bring_workload_up_to_date"))
def changes_a_workload_that_is_reserved(_, snapshot):
    """Breaks AC-331: changes the Workload of a Job although it holds quota; ADM-447 must catch it."""
    if snapshot.workload is not None or not snapshot.other_workloads or not snapshot.job.is_suspended:
        return None
    new = workload_construction.brought_up_to_date(
        snapshot.other_workloads[0], snapshot.job, snapshot.priority
    )
    return decide.ReplaceWorkload(new, "Updated not matching Workload")


@wrong((workload_construction, "_describe"))
def overlooks_with_how_many_pods_a_job_would_do(describe, pod_set, describe_pods, *, tolerations):
    """Breaks AC-331: does not hear that a waiting Job would do with fewer pods; ADM-638 must catch it."""
    return {**describe(pod_set, describe_pods, tolerations=tolerations), "minCount": None}

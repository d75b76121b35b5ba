"""Wrong about Jobs: making their Workloads, starting, stopping and ending (AC-330…338)."""

from dataclasses import replace

from reference_impl.kueue.jobs import (
    controller,
    decide,
    pods_ready,
    reclaiming,
    stopping,
    workload_construction,
)
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.priority import NO_PRIORITY, PriorityClasses
from reference_impl.kueue.jobs.steps import NoAction, Release

from ...killing.planes import wrong

# Making Workloads


@wrong((workload_construction, "workload_of"))
def owns_no_workload(right, *args):
    """Breaks AC-331: makes a Workload that the Job does not manage; ADM-430 must catch it."""
    workload = right(*args)
    owners = [
        {**owner_reference, "controller": False}
        for owner_reference in workload["metadata"]["ownerReferences"]
    ]
    return {**workload, "metadata": {**workload["metadata"], "ownerReferences": owners}}


@wrong((workload_construction, "workload_of"))
def keeps_no_workload(right, *args):
    """Breaks AC-331: makes a Workload without a finalizer; ADM-430 must catch it."""
    workload = right(*args)
    return {**workload, "metadata": {**workload["metadata"], "finalizers": []}}


@wrong((workload_construction, "workload_of"))
def carries_no_gate_over(right, *args):
    """Breaks AC-299: forgets the gates that a Job was given; ADM-025 must catch it."""
    workload = right(*args)
    return {**workload, "metadata": {**workload["metadata"], "annotations": {}}}


@wrong((Job, "max_execution_seconds"))
def knows_no_longest_time(_, self):
    """Breaks AC-100: forgets how long a Job may run; ADM-430 must catch it."""


@wrong((PriorityClasses, "of"))
def knows_no_workload_priority_class(right, self, job):
    """Breaks AC-097: takes no notice of the class that a Job names; ADM-434[priority] must catch it."""
    return NO_PRIORITY


@wrong((decide, "follow_priority"))
def never_follows_the_priority(_, snapshot):
    """Breaks AC-331: does not give a Workload the class that its Job names later;
    ADM-434[priority] must catch it.
    """


@wrong((decide, "follow_queue"))
def never_follows_the_queue(_, snapshot):
    """Breaks AC-334: leaves a Workload where it was when
    its Job names another queue; ADM-434 must catch it.
    """


@wrong((decide, "bring_workload_up_to_date"))
def never_follows_the_amount(_, snapshot):
    """Breaks AC-331: leaves a Workload as it was when its Job asks for something else;
    ADM-434[amount] must catch it.
    """
    return (
        NoAction()
        if snapshot.workload is None and snapshot.other_workloads and snapshot.job.is_suspended
        else None
    )


@wrong((workload_construction, "matches"))
def sees_no_change_of_a_job(_, job, workload, describe_pods):
    """Breaks AC-331: takes every Workload for the right one; ADM-434[amount] must catch it."""
    return True


@wrong((Job, "pod_count"))
def counts_one_pod(_, self):
    """Breaks AC-331: asks for one pod whatever the Job needs; ADM-430 must catch it."""
    return 1


@wrong((Job, "pod_count"))
def counts_completions(_, self):
    """Breaks AC-331: asks for as many pods as are to succeed in all;
    ADM-430[9-completions-3-pods] must catch it.
    """
    return int(self.spec.get("completions", self.parallelism))


@wrong((decide, "create_workload"))
def makes_no_workload(_, snapshot):
    """Breaks AC-331: makes no Workload for a Job; ADM-430 must catch it."""


# Starting and stopping


@wrong((decide, "start"))
def never_starts(_, snapshot):
    """Breaks AC-333: never starts a Job; ADM-021 must catch it."""


@wrong((decide, "start"), (decide, "stop_unadmitted"))
def starts_what_is_reserved(right, snapshot):
    """Breaks AC-333: starts a Job that only holds quota; ADM-021 must catch it."""
    workload = snapshot.workload
    if right.__name__ == "stop_unadmitted" or workload is None or not snapshot.job.is_suspended:
        return None
    return decide.Start(workload) if workload.has_quota_reservation else None


@wrong((decide, "stop_unadmitted"))
def lets_unadmitted_jobs_run(_, snapshot):
    """Breaks AC-335: lets a Job run that is not admitted; ADM-431 must catch it."""


@wrong((decide, "stop_unadmitted"))
def lets_reserved_jobs_run(right, snapshot):
    """Breaks AC-335: lets a Job run that only holds quota; ADM-431 must catch it."""
    return (
        None if snapshot.workload is not None and snapshot.workload.has_quota_reservation else right(snapshot)
    )


@wrong((decide, "evict"))
def lets_evicted_jobs_run(_, snapshot):
    """Breaks AC-332: does not stop an evicted Job; ADM-049 must catch it."""


@wrong((decide, "evict"))
def keeps_the_quota_of_evicted_jobs(right, snapshot):
    """Breaks AC-289: does not give the quota of an evicted Job back; ADM-432 must catch it."""
    step = right(snapshot)
    return NoAction() if isinstance(step, Release) else step


@wrong((decide, "evict"))
def frees_quota_before_it_stops(right, snapshot):
    """Breaks AC-332: gives quota back first and stops the Job then; ADM-432 must catch it."""
    workload = snapshot.workload
    return (
        Release(workload)
        if workload and workload.is_evicted and workload.has_quota_reservation
        else right(snapshot)
    )


@wrong((Job, "is_suspended"))
def takes_every_job_for_suspended(_, self):
    """Breaks AC-335: takes every Job for one that does not run; ADM-049 must catch it."""
    return True


@wrong((stopping, "_suspend"))
def stops_without_suspending(_, obj):
    """Breaks AC-336: restores a Job and does not suspend it; ADM-049 must catch it."""
    return obj


@wrong((stopping, "counts"))
def keeps_the_number_of_pods(_, job, pods):
    """Breaks AC-336: starts with all pods a Job that was admitted with fewer;
    ADM-412[some-4-count-3-3-expected-4-completions] must catch it.
    """
    return {}


@wrong((stopping, "counts"))
def keeps_the_number_of_completions(right, job, pods):
    """Breaks AC-336: changes parallelism alone where completions follow it;
    ADM-412[one-index-each-4-count-3-3-expected-3-completions] must catch it.
    """
    return {name: value for name, value in right(job, pods).items() if name != "completions"}


@wrong((stopping, "_restore"))
def keeps_the_annotation_of_stopping(right, obj, workload):
    """Breaks AC-336: leaves a Job marked as one that is being stopped; ADM-120 must catch it."""
    back = right(obj, workload)
    return {**back, "metadata": {**back["metadata"], "annotations": obj["metadata"].get("annotations") or {}}}


# Ends


@wrong((decide, "job_finished"))
def sees_no_end_of_a_job(_, snapshot):
    """Breaks AC-330: does not see that a Job is over; ADM-433 must catch it."""


@wrong((decide, "job_finished"))
def takes_every_end_for_a_good_one(right, snapshot):
    """Breaks AC-330: says of a Job that failed that it succeeded; ADM-433[fails-Failed] must catch it."""
    step = right(snapshot)
    return replace(step, reason="Succeeded") if hasattr(step, "reason") else step


@wrong((Job, "outcome"))
def sees_good_ends_alone(right, self):
    """Breaks AC-330: does not see that a Job has failed; ADM-433 must catch it."""
    end = right(self)
    return end if end and end.succeeded else None


@wrong((controller.JobController, "_leave"))
async def keeps_what_a_deleted_job_held(_, self, workloads):
    """Breaks AC-296: keeps the Workload of a Job that was deleted; ADM-028 must catch it."""


@wrong((decide, "workload_deleted"))
def lets_jobs_run_without_their_workload(_, snapshot):
    """Breaks AC-330: lets a Job run whose Workload is deleted; ADM-436 must catch it."""


@wrong((decide, "reclaim_pods"))
def gives_no_pods_back(_, snapshot):
    """Breaks AC-115: never says that pods are not needed any more; ADM-414 must catch it."""


@wrong((reclaiming, "free_slots"))
def gives_back_what_succeeded(_, job):
    """Breaks Q-083: gives every pod back that has succeeded; ADM-414 must catch it."""
    return min(int(job.status.get("succeeded") or 0), job.parallelism)


@wrong((reclaiming, "count_ended"))
def keeps_the_quota_of_failed_indexes(_, job):
    """Breaks AC-115: gives nothing back for indexes that have failed for good; ADM-639 must catch it."""
    return int(job.status.get("succeeded") or 0)


@wrong((reclaiming, "count_indexes"))
def counts_completed_indexes_alone(count_indexes, texts, limit):
    """Breaks AC-115: counts what has completed, or else what has failed; ADM-639 must catch it."""
    return count_indexes(texts[:1], limit)


@wrong((reclaiming, "free_slots"))
def keeps_everything_where_parallelism_is_more(free_slots, job):
    """Breaks BUG-158: gives nothing back of a Job whose parallelism is more than its completions;
    ADM-640 may catch it.
    """
    return 0 if job.parallelism > job.completions else free_slots(job)


@wrong((decide, "evict"))
def forgets_an_eviction_while_pods_were_given_back(evict, snapshot):
    """Breaks BUG-159: does not stop what is evicted as long as pods of it were given back;
    ADM-641 may catch it.
    """
    given_back = snapshot.workload is not None and snapshot.workload.status.get("reclaimablePods")
    return None if given_back else evict(snapshot)


# Whose a Workload is


@wrong((decide, "wait_for_controller"))
def deletes_workloads_that_refer_to_a_job(_, snapshot):
    """Breaks AC-331: deletes a Workload that refers to a Job which does not control it;
    ADM-642 must catch it.
    """


@wrong((decide, "wait_for_controller"))
def makes_its_workload_anew_beside_another(_, snapshot):
    """Breaks BUG-165: deletes the Job's own Workload when another one refers to the Job;
    ADM-644 may catch it.
    """
    own = snapshot.workload
    return decide.DeleteWorkloads((own,)) if own is not None and snapshot.other_workloads else None


@wrong((controller.JobController, "_leave"), (controller.JobController, "_leave_with_job"))
async def holds_on_to_what_is_being_deleted(_, self, *_arguments):
    """Breaks BUG-164: does nothing for a Job that is being deleted, nor when it is gone;
    ADM-643 may catch it.
    """


# Pods


@wrong((decide, "tell_pods_ready"))
def never_tells_of_pods(_, snapshot):
    """Breaks AC-272: does not say whether pods are ready; ADM-435 should catch it."""


@wrong((Job, "has_ready_pods"))
def forgets_pods_that_succeeded(_, self):
    """Breaks AC-272: waits for pods that are done; ADM-435 should catch it."""
    return int(self.status.get("ready") or 0) >= self.pod_count


@wrong((Job, "has_ready_pods"))
def is_content_with_one_pod(_, self):
    """Breaks AC-272: takes one pod that is ready for all; ADM-435 should catch it."""
    return int(self.status.get("ready") or 0) > 0


@wrong((pods_ready, "condition"))
def never_recovers(right, job, workload):
    """Breaks AC-272: calls every readiness a start; ADM-435 should catch it."""
    state = right(job, workload)
    return pods_ready.STARTED if state.status else state


@wrong((pods_ready, "condition"))
def forgets_that_pods_were_ready(right, job, workload):
    """Breaks AC-272: takes pods that failed for pods that have not started; ADM-435 should catch it."""
    state = right(job, workload)
    return state if state.status else pods_ready.WAITS_FOR_START


@wrong((pods_ready, "condition"))
def says_that_pods_are_ready_before_admission(right, job, workload):
    """Breaks AC-272: does not ask whether a Workload is admitted; ADM-435 should catch it."""
    return pods_ready.STARTED if not workload.is_admitted else right(job, workload)


@wrong((decide, "open_gates"))
def opens_all_gates_at_once(right, snapshot):
    """Breaks VIS-508: takes all gates from a Workload as
    soon as its Job has lost one; ADM-580 must catch it.
    """
    step = right(snapshot)
    if step is None:
        return None
    remaining_fields = {
        key: value for key, value in step.object["metadata"]["annotations"].items() if "gated-by" not in key
    }
    return replace(
        step, object={**step.object, "metadata": {**step.object["metadata"], "annotations": remaining_fields}}
    )


@wrong((decide, "open_gates"))
def drops_what_else_is_annotated(right, snapshot):
    """Breaks VIS-508: takes everything that is annotated
    from a Workload with a gate; ADM-580 must catch it.
    """
    step = right(snapshot)
    if step is None:
        return None
    remaining_fields = {
        key: value for key, value in step.object["metadata"]["annotations"].items() if "gated-by" in key
    }
    return replace(
        step, object={**step.object, "metadata": {**step.object["metadata"], "annotations": remaining_fields}}
    )

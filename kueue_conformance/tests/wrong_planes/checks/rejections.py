"""Wrong about what a rejection leads to: inactive, evicted, without quota (AC-270, AC-291…293)."""

from dataclasses import replace

from reference_impl.kueue.jobs import decide as jobs
from reference_impl.kueue.jobs.steps import Release
from reference_impl.kueue.workload import activity, legacy_v0_6, messages, verdicts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.decision import Decision

from ...killing.planes import wrong


@wrong((activity, "deactivate"))
def does_not_deactivate_what_is_marked(_, workload, world, current_time, rules):
    """Breaks AC-292: marks what a check rejects, and no more; ADM-060 must catch it."""
    return


@wrong((activity, "evict_inactive"))
def does_not_evict_what_is_inactive(_, workload, world, current_time, rules):
    """Breaks AC-293: an inactive Workload keeps its quota; ADM-060 must catch it."""
    return


@wrong((activity, "evict_inactive"))
def evicts_only_the_admitted_of_the_inactive(right, workload, *arguments):
    """Breaks AC-293: an inactive Workload that is not admitted keeps its quota; ADM-060 must catch it."""
    return right(workload, *arguments) if workload.is_admitted else None


@wrong((activity, "evict_inactive"))
def evicts_only_what_waits_of_the_inactive(right, workload, *arguments):
    """Breaks AC-293: an inactive Workload that is admitted keeps its quota; ADM-061 must catch it."""
    return None if workload.is_admitted else right(workload, *arguments)


@wrong((activity, "evict_inactive"))
def does_not_evict_what_waits(right, workload, *arguments):
    """Breaks AC-293: what never had quota is not evicted; ADM-375 should catch it."""
    return right(workload, *arguments) if workload.has_quota_reservation else None


@wrong((activity, "due_to_target"))
def names_every_deactivation_inactive(_, target):
    """Breaks AC-265: the reason is the one of old releases; ADM-073 must catch it."""
    return activity.Eviction("InactiveWorkload", messages.DEACTIVATED)


@wrong((activity, "due_to_target"))
def does_not_say_what_deactivated(right, target):
    """Breaks AC-265: a rejection is told as a user's deactivation; ADM-376 should catch it."""
    return right(None)


@wrong((activity, "due_to_target"))
def blames_checks_for_every_deactivation(right, target):
    """Breaks AC-265: a user's deactivation is told as a rejection; ADM-376 should catch it."""
    return right(target or {"reason": "AdmissionCheck", "message": "a check"})


@wrong((c, "without"))
def keeps_the_mark_for_deactivation(_, conditions, kind):
    """Breaks AC-270: DeactivationTarget stays; ADM-376 should catch it."""
    return [*conditions]


def _with(events):
    """Return a decision with other events."""

    def decide_with_events(right, *args):
        decision = right(*args)
        return decision and replace(decision, events=events(decision.events))

    return decide_with_events


@wrong((verdicts, "mark_rejected"))
def tells_of_no_rejection(right, *args):
    """Breaks AC-291: deactivates without the event AdmissionCheckRejected; ADM-072 must catch it."""
    return _with(lambda _: ())(right, *args)


@wrong((verdicts, "mark_rejected"))
def tells_of_a_rejection_twice(right, *args):
    """Breaks AC-291: two events for one rejection; ADM-072 must catch it."""
    return _with(lambda events: events * 2)(right, *args)


@wrong((verdicts, "mark_rejected"))
def tells_of_a_rejection_as_if_it_were_well(right, *args):
    """Breaks AC-291: the event is Normal; ADM-072 must catch it."""
    return _with(lambda events: tuple(replace(event, type="Normal") for event in events))(right, *args)


@wrong((messages, "rejection_note"))
def names_the_first_rejection_alone(right, entries):
    """Breaks AC-276: the event names one of several checks; ADM-346[both] may catch it."""
    return right(entries[:1])


@wrong((messages, "rejection_note"))
def tells_of_a_rejection_without_why(_, entries):
    """Breaks AC-291: the event does not say which check; ADM-346 may catch it."""
    return "Deactivated"


@wrong((messages, "deactivation_due_to"))
def does_not_say_why_it_is_deactivated(_, cause):
    """Breaks AC-265: the condition lacks what the checks said; ADM-346 may catch it."""
    return messages.DEACTIVATED


@wrong((jobs, "evict"))
def gives_quota_back_before_the_job_stops(right, snapshot):
    """Breaks AC-332: releases first, and stops the Job then; ADM-386 must catch it."""
    workload = snapshot.workload
    if workload is not None and workload.is_evicted and workload.has_quota_reservation:
        return Release(workload)
    return right(snapshot)


@wrong((jobs, "evict"))
def gives_quota_back_though_pods_run(right, snapshot):
    """Breaks AC-289: does not wait for the pods of the Job; ADM-051 must catch it."""
    workload = snapshot.workload
    stopped = snapshot.job.object["spec"].get("suspend") is True
    return (
        Release(workload)
        if workload and workload.is_evicted and workload.has_quota_reservation and stopped
        else right(snapshot)
    )


@wrong((jobs, "evict"))
def never_gives_quota_of_jobs_back(right, snapshot):
    """Breaks AC-289: stops the Job and no more; ADM-049 must catch it."""
    done = right(snapshot)
    return jobs.NoAction() if isinstance(done, Release) else done


@wrong((jobs, "evict"))
def does_not_stop_what_is_evicted(right, snapshot):
    """Breaks AC-332: the Job of an evicted Workload runs on; ADM-049 must catch it."""
    return


@wrong((legacy_v0_6, "deactivate_rejected"), dialect="docs-2024")
def old_release_hears_no_rejection(_, workload, world, current_time, rules):
    """Breaks AC-291: takes no notice of a check that rejects; ADM-060 must catch it."""
    return


@wrong((legacy_v0_6, "deactivate_rejected"), dialect="docs-2024")
def old_release_hears_the_first_check_reject_alone(right, workload, *arguments):
    """Breaks AC-291: looks at the first entry alone; ADM-344[1-place-Pending-job] must catch it."""
    entries = workload.checks.entries
    return right(workload, *arguments) if entries and entries[0]["state"] == "Rejected" else None


@wrong((legacy_v0_6, "finish_rejected"), dialect="v0.6")
def oldest_release_finishes_nothing(_, workload, world, current_time, rules):
    """Breaks AC-346: what a check rejects waits for ever; ADM-070 must catch it."""
    return


@wrong((legacy_v0_6, "negative"), dialect="v0.6")
def oldest_release_hears_retry_alone(right, workload, *arguments):
    """Breaks AC-346: a rejection of what has quota does not evict; ADM-070 must catch it."""
    return right(workload, *arguments) if workload.checks.in_state("Retry") else None


@wrong((legacy_v0_6, "negative"), dialect="v0.6")
def oldest_release_hears_rejected_alone(right, workload, *arguments):
    """Breaks AC-346: a Retry does not evict; ADM-056 must catch it."""
    return right(workload, *arguments) if workload.checks.in_state("Rejected") else None


@wrong((verdicts, "mark_rejected"))
def withdraws_a_rejected_that_comes_during_an_eviction(mark_rejected, workload, world, current_time, rules):
    """Breaks BUG-157: puts a Rejected that comes during an eviction back to Pending; ADM-645 may catch it."""
    if (
        not workload.is_evicted
        or not workload.has_quota_reservation
        or not workload.checks.in_state("Rejected")
    ):
        return mark_rejected(workload, world, current_time, rules)
    draft = verdicts.StatusDraft.of(workload, current_time).with_checks(workload.checks.reset(current_time))
    return Decision(write=verdicts.ApplyStatus(draft.status))


@wrong((activity, "deactivate"))
def deletes_what_is_rejected(_, workload, world, current_time, rules):
    """Breaks AC-292: finishes with the Workload instead of switching it off; ADM-060 must catch it."""
    marked = workload.is_active and workload.is_true(c.DEACTIVATION_TARGET)
    return Decision(write=activity.Delete()) if marked else None

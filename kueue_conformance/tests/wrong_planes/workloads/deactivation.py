"""Wrong about Workloads that are switched off and on again (AC-245, AC-293…295, AC-342)."""

from reference_impl.kueue.jobs import legacy_v0_6
from reference_impl.kueue.workload import activity, eviction, messages
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import NORMAL, ApplyStatus, Decision, RecordedEvent
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import instead, wrong


@wrong((activity, "evict_inactive"), (activity, "forget_backoff_of_inactive"))
def remembers_the_delay_of_what_was_deactivated(_, workload, world, current_time, rules):
    """Breaks AC-293: requeueState survives a deactivation; ADM-378 should catch it."""
    if workload.is_active or workload.is_evicted:
        return None
    draft = StatusDraft.of(workload, current_time).remove(c.DEACTIVATION_TARGET)
    return rules.evict(workload, draft, rules.deactivation(workload.condition(c.DEACTIVATION_TARGET)), rules)


@wrong((activity, "forget_backoff_of_inactive"))
def remembers_the_delay_of_what_was_evicted_before(_, workload, world, current_time, rules):
    """Breaks AC-294: requeueState survives when an eviction came first; ADM-131 should catch it."""
    return


@wrong((activity, "evict_inactive"))
def evicts_the_inactive_once_more(right, workload, world, current_time, rules):
    """Breaks AC-294: a deactivation replaces the reason of an earlier eviction; ADM-377 should catch it."""
    evicted = workload.condition(c.EVICTED)
    if workload.is_active or not workload.is_evicted or evicted["reason"].startswith("Deactivated"):
        return right(workload, world, current_time, rules)
    return rules.evict(workload, StatusDraft.of(workload, current_time), rules.deactivation(None), rules)


@wrong((activity, "requeue_reactivated"))
def keeps_what_was_reactivated_out(_, workload, world, current_time, rules):
    """Breaks AC-295: a Workload that is active again is not queued; ADM-066 must catch it."""
    return


@wrong((activity, "requeue_reactivated"))
def says_reactivated_of_what_is_inactive(_, workload, world, current_time, rules):
    """Breaks AC-295: Requeued becomes True before the user has said so; ADM-380 may catch it."""
    if not rules.is_requeued_on_activation(workload.requeue_reason):
        return None
    condition = Condition(c.REQUEUED, True, "Reactivated", messages.REACTIVATED)
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(condition).status))


@wrong((activity, "requeue_reactivated"))
def does_not_say_reactivated(_, workload, world, current_time, rules):
    """Breaks AC-269: Requeued becomes True for another reason; ADM-068 may catch it."""
    if not workload.is_active or not rules.is_requeued_on_activation(workload.requeue_reason):
        return None
    condition = Condition(c.REQUEUED, True, "BackoffFinished", messages.BACKOFF_FINISHED)
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(condition).status))


@wrong((activity, "backoff_running"))
def deactivation_waits_for_a_delay(_, workload, world, current_time, rules):
    """Breaks AC-322: an inactive Workload keeps its quota
    until the delay is over; ADM-065 should catch it.
    """
    remaining = (workload.requeue_at or current_time) - current_time
    return Decision(again_after=remaining) if remaining > 0 else None


@wrong((Workload, "is_queueable"))
def queues_what_is_inactive(right, workload):
    """Breaks AC-245: an inactive Workload waits in its queue like any other; ADM-064 must catch it."""
    return (
        not workload.is_finished
        and not workload.has_quota_reservation
        and not workload.gates
        and not workload.is_reported_gated
        and not workload.is_on_hold
    )


@wrong((eviction, "evict"))
def tells_of_the_eviction_of_what_has_no_quota(evict, workload, draft, why, rules):
    """Breaks AC-342: the eviction of what waits has an event; ADM-375 should catch it."""
    note = RecordedEvent(NORMAL, f"EvictedDueTo{why.reason}", why.message)
    return Decision(write=evict(workload, draft, why, rules).write, events=(note,))


@wrong((activity, "evict_inactive"))
def does_not_evict_what_only_holds_quota(right, workload, *arguments):
    """Breaks AC-293: a user's deactivation takes quota from admitted Workloads alone;
    ADM-064[prechecked-workload] must catch it.
    """
    return (
        None if workload.has_quota_reservation and not workload.is_admitted else right(workload, *arguments)
    )


@wrong((activity, "evict_inactive"))
def forgets_to_reset_what_is_deactivated(right, workload, world, current_time, rules):
    """Breaks AC-340: the verdicts of an inactive Workload stay;
    ADM-350[admitted-deactivated-workload] must catch it.
    """
    done = right(workload, world, current_time, rules)
    entries = workload.status.get("admissionChecks")
    return done and Decision(
        write=ApplyStatus({**done.write.status, **({"admissionChecks": entries} if entries else {})})
    )


instead(
    messages,
    "DEACTIVATED",
    "deactivated",
    "Breaks AC-265: the message of a deactivation is another; ADM-380 may catch it.",
    called="says_deactivated",
)


@wrong((activity, "rest_when_finished"))
def does_not_leave_alone_what_is_finished(_, workload, world, current_time, rules):
    """Breaks AC-320: verdicts on a Finished Workload are heard; ADM-075 must catch it."""
    return


@wrong((legacy_v0_6, "evict_running_inactive"), dialect="v0.6")
def oldest_release_lets_inactive_jobs_run(_, snapshot):
    """Breaks AC-337: the Job of an inactive Workload runs on; ADM-076 must catch it."""
    return

"""Wrong about what follows from the verdicts of checks,
above all of several of them (AC-285, AC-287, AC-291).
"""

from dataclasses import replace

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.workload import admitted, eviction, verdicts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong


@wrong((Checks, "are_all_ready"))
def admits_when_one_check_is_ready(_, checks):
    """Breaks AC-285: admits as soon as one check has passed; ADM-201 must catch it."""
    return not checks.entries or any(entry["state"] == "Ready" for entry in checks.entries)


@wrong((Checks, "are_all_ready"))
def does_not_wait_for_the_last_check(_, checks):
    """Breaks AC-285: admits without the check that is last in the list;
    ADM-340[2-place-workload] must catch it.
    """
    return all(entry["state"] == "Ready" for entry in checks.entries[:-1] or checks.entries)


@wrong((Checks, "are_all_ready"))
def does_not_wait_for_the_first_check(_, checks):
    """Breaks AC-285: admits without the check that is first in the list; ADM-340 must catch it."""
    return all(entry["state"] == "Ready" for entry in checks.entries[1:] or checks.entries)


@wrong((Checks, "are_all_ready"))
def takes_retry_for_passed(_, checks):
    """Breaks AC-287: admits though a check says Retry; ADM-341 must catch it."""
    return all(entry["state"] in {"Ready", "Retry"} for entry in checks.entries)


@wrong((Checks, "are_all_ready"))
def takes_rejected_for_passed(_, checks):
    """Breaks AC-291: admits though a check rejects; ADM-344 must catch it."""
    return all(entry["state"] in {"Ready", "Rejected"} for entry in checks.entries)


@wrong((Checks, "are_all_ready"))
def takes_undecided_for_passed(_, checks):
    """Breaks AC-285: only a negative verdict holds admission back; ADM-340 must catch it."""
    return all(entry["state"] not in {"Retry", "Rejected"} for entry in checks.entries)


@wrong((verdicts, "mark_rejected"))
def never_deactivates(_, workload, world, current_time, rules):
    """Breaks AC-291: takes no notice of a check that rejects; ADM-205 must catch it."""
    return


@wrong((verdicts, "evict_retried"))
def never_evicts_for_a_retry(_, workload, world, current_time, rules):
    """Breaks AC-287: takes no notice of a check that says Retry; ADM-040 must catch it."""
    return


def _names(workload, *states):
    return [entry["name"] for entry in workload.checks.entries if entry["state"] in states]


@wrong((verdicts, "evict_retried"))
def hears_only_the_first_check_say_retry(retried, workload, *arguments):
    """Breaks AC-287: looks for Retry in the first entry alone; ADM-341[1-place-Pending-job] must catch it."""
    entries = workload.checks.entries
    return retried(workload, *arguments) if entries and entries[0]["state"] == "Retry" else None


@wrong((verdicts, "evict_retried"))
def hears_only_the_last_check_say_retry(retried, workload, *arguments):
    """Breaks AC-287: the state of the last entry is what counts; ADM-341 must catch it."""
    entries = workload.checks.entries
    return retried(workload, *arguments) if entries and entries[-1]["state"] == "Retry" else None


@wrong((verdicts, "evict_retried"))
def evicts_when_every_check_says_retry(retried, workload, *arguments):
    """Breaks AC-287: one Retry among others is not enough; ADM-341 must catch it."""
    return (
        retried(workload, *arguments)
        if all(entry["state"] == "Retry" for entry in workload.checks.entries)
        else None
    )


@wrong((verdicts, "evict_retried"))
def waits_for_undecided_checks_before_a_retry(retried, workload, *arguments):
    """Breaks AC-287: evicts only when no check is undecided any more; ADM-341 must catch it."""
    return None if _names(workload, "Pending") else retried(workload, *arguments)


@wrong((verdicts, "evict_retried"))
def a_passed_check_outweighs_a_retry(retried, workload, *arguments):
    """Breaks AC-287: a check that passed keeps another's Retry from evicting;
    ADM-341[0-place-Ready-job] must catch it.
    """
    return None if _names(workload, "Ready") else retried(workload, *arguments)


@wrong((verdicts, "evict_retried"))
def evicts_for_one_retry_alone(retried, workload, *arguments):
    """Breaks AC-287: two checks that say Retry at once are not heard; ADM-342 must catch it."""
    return retried(workload, *arguments) if len(_names(workload, "Retry")) == 1 else None


@wrong((verdicts, "evict_retried"))
def evicts_only_what_is_admitted_for_a_retry(retried, workload, *arguments):
    """Breaks AC-287: a Retry before admission changes nothing; ADM-040 must catch it."""
    return retried(workload, *arguments) if workload.is_admitted else None


@wrong((verdicts, "evict_retried"))
def evicts_only_before_admission_for_a_retry(retried, workload, *arguments):
    """Breaks AC-287: a Retry after admission changes nothing; ADM-040[admitted-workload] must catch it."""
    return None if workload.is_admitted else retried(workload, *arguments)


@wrong((verdicts, "mark_rejected"))
def hears_only_the_first_check_reject(rejected, workload, *arguments):
    """Breaks AC-291: looks for Rejected in the first entry alone;
    ADM-344[1-place-Pending-job] must catch it.
    """
    entries = workload.checks.entries
    return rejected(workload, *arguments) if entries and entries[0]["state"] == "Rejected" else None


@wrong((verdicts, "mark_rejected"))
def hears_only_the_last_check_reject(rejected, workload, *arguments):
    """Breaks AC-291: the state of the last entry is what counts; ADM-344 must catch it."""
    entries = workload.checks.entries
    return rejected(workload, *arguments) if entries and entries[-1]["state"] == "Rejected" else None


@wrong((verdicts, "mark_rejected"))
def gives_up_when_every_check_rejects(rejected, workload, *arguments):
    """Breaks AC-291: one rejection among others is not enough; ADM-344 must catch it."""
    return (
        rejected(workload, *arguments)
        if all(entry["state"] == "Rejected" for entry in workload.checks.entries)
        else None
    )


@wrong((verdicts, "mark_rejected"))
def a_passed_check_outweighs_a_rejection(rejected, workload, *arguments):
    """Breaks AC-291: a check that passed keeps another's rejection from counting; ADM-344 must catch it."""
    return None if _names(workload, "Ready") else rejected(workload, *arguments)


@wrong((verdicts, "mark_rejected"))
def waits_for_undecided_checks_before_a_rejection(rejected, workload, *arguments):
    """Breaks AC-291: gives up only when no check is undecided any more; ADM-344 must catch it."""
    return None if _names(workload, "Pending") else rejected(workload, *arguments)


@wrong((verdicts, "mark_rejected"))
def gives_up_for_one_rejection_alone(rejected, workload, *arguments):
    """Breaks AC-291: two checks that reject at once are not heard; ADM-345 must catch it."""
    return rejected(workload, *arguments) if len(_names(workload, "Rejected")) == 1 else None


@wrong((verdicts, "mark_rejected"))
def retry_wins_over_rejected(rejected, workload, *arguments):
    """Breaks AC-291: sends a Workload back that another check rejects; ADM-347 must catch it."""
    return None if _names(workload, "Retry") else rejected(workload, *arguments)


@wrong((verdicts, "mark_rejected"))
def the_first_negative_verdict_wins(rejected, workload, *arguments):
    """Breaks AC-291: a rejection counts if no Retry stands before it in the list; ADM-223 must catch it."""
    negative = [
        entry["state"] for entry in workload.checks.entries if entry["state"] in {"Retry", "Rejected"}
    ]
    return rejected(workload, *arguments) if negative[:1] == ["Rejected"] else None


@wrong((verdicts, "evict_retried"))
def gives_up_what_a_check_sends_back(retried, workload, world, current_time, rules):
    """Breaks AC-287: takes Retry for Rejected; ADM-341 must catch it."""
    state = workload.checks.in_state("Retry")
    if not state or not workload.has_quota_reservation or workload.is_evicted:
        return None
    target = Condition(c.DEACTIVATION_TARGET, True, "AdmissionCheck", "a check said Retry")
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(target).status))


@wrong((verdicts, "mark_rejected"))
def sends_back_what_a_check_rejects(_, workload, world, current_time, rules):
    """Breaks AC-291: takes Rejected for Retry; ADM-344 must catch it."""
    refused = workload.checks.in_state("Rejected")
    if not refused or not workload.has_quota_reservation or workload.is_evicted:
        return None
    return rules.evict(
        workload,
        StatusDraft.of(workload, current_time),
        verdicts.Eviction("AdmissionCheck", "rejected"),
        rules,
    )


@wrong((verdicts, "_may_leave"))
def hears_negative_verdicts_without_quota(_, workload):
    """Breaks AC-313: evicts or gives up what holds no quota; ADM-221 should catch it."""
    return not workload.is_evicted


@wrong((verdicts, "_may_leave"))
def evicts_again_for_what_came_during_an_eviction(_, workload):
    """Breaks AC-314: a Retry during the eviction is reset by a second one; ADM-222 may catch it."""
    return workload.has_quota_reservation


@wrong((admitted, "sync"))
def admits_once_checks_have_passed(sync, draft, rules):
    """Breaks AC-285: checks that have passed are enough; ADM-381 must catch it."""
    ready = Checks.of(draft.status).are_all_ready
    if ready and not draft.is_true(c.ADMITTED):
        return draft.set(Condition(c.ADMITTED, True, "Admitted", "The workload is admitted"))
    return sync(draft, rules)


@wrong((verdicts, "admit"))
def admits_what_waits_for_a_queue(admit, workload, world, current_time, rules):
    """Breaks AC-264: what has no quota is Admitted once its checks have passed; ADM-381 must catch it."""
    if workload.is_admitted or not workload.checks.are_all_ready or world.cluster_queue is None:
        return None
    claimed = Condition(c.ADMITTED, True, "Admitted", "The workload is admitted")
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(claimed).status))


@wrong((verdicts, "admit"))
def never_admits_after_a_reservation(_, workload, world, current_time, rules):
    """Breaks AC-285: admits at the reservation or never; ADM-340 must catch it."""
    return


@wrong((verdicts, "admit"))
def admits_without_an_event(admit, *args):
    """Breaks AC-381: admits without an event; ADM-382 should catch it."""
    decision = admit(*args)
    return decision and replace(decision, events=())


@wrong((verdicts, "admit"))
def tells_of_admission_twice(admit, *args):
    """Breaks AC-381: two events for one admission; ADM-382 should catch it."""
    decision = admit(*args)
    return decision and replace(decision, events=decision.events * 2)


@wrong((verdicts, "admit"))
def admits_no_second_time(admit, workload, *arguments):
    """Breaks AC-285: what was admitted and sent back is not admitted again;
    ADM-384[admitted-workload] must catch it.
    """
    return None if workload.condition(c.ADMITTED) else admit(workload, *arguments)


@wrong((eviction, "evict"))
def tells_of_no_eviction(evict, *args):
    """Breaks AC-342: evicts without an event; ADM-050 must catch it."""
    return replace(evict(*args), events=())


@wrong((Checks, "has_negative"))
def reserves_for_what_a_check_sends_back(_, checks):
    """Breaks AC-282: Rejected alone keeps a Workload out of its queue; ADM-454 must catch it."""
    return any(entry["state"] == "Rejected" for entry in checks.entries)


@wrong((Checks, "has_negative"))
def reserves_for_what_a_check_rejects(_, checks):
    """Breaks AC-282: Retry alone keeps a Workload out of its queue;
    ADM-454[Rejected-0-place-job] must catch it.
    """
    return any(entry["state"] == "Retry" for entry in checks.entries)

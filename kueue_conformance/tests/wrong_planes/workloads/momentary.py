"""Wrong for a moment: a state that lasts one write,
or one that ends a write too early (AC-241…243, AC-264, AC-332, AC-341).
"""

from reference_impl.kueue.workload import activity, admitted, eviction, messages, release, verdicts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong

ADMITTED = Condition(c.ADMITTED, True, "Admitted", messages.ADMITTED)
NOT_ADMITTED = Condition(c.ADMITTED, False, "UnsatisfiedChecks", messages.UNSATISFIED)


@wrong((verdicts, "admit"))
def is_admitted_for_one_write(admit, workload, world, current_time, rules):
    """Breaks AC-285: admits a reserved Workload, and takes it back; ADM-340 must catch it."""
    if workload.has_quota_reservation and not workload.is_evicted and not workload.checks.are_all_ready:
        condition = workload.condition(c.ADMITTED)
        if condition is None or condition["status"] == "True":
            claim = NOT_ADMITTED if condition else ADMITTED
            return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(claim).status))
    return admit(workload, world, current_time, rules)


@wrong((verdicts, "admit"))
def is_admitted_for_one_write_by_the_first_answer(admit, workload, world, current_time, rules):
    """Breaks AC-285: one check that has passed admits, for one write; ADM-340 must catch it."""
    entries = workload.checks.entries
    if (
        workload.has_quota_reservation
        and not workload.is_evicted
        and any(entry["state"] == "Ready" for entry in entries)
        and not workload.checks.are_all_ready
    ):
        condition = workload.condition(c.ADMITTED)
        if condition is None or condition["status"] == "True":
            claim = NOT_ADMITTED if condition else ADMITTED
            return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(claim).status))
    return admit(workload, world, current_time, rules)


@wrong((verdicts, "admit"))
def gives_quota_back_before_it_admits(admit, workload, world, current_time, rules):
    """Breaks AC-285: what has passed is reserved once more, to be admitted then; ADM-383 must catch it."""
    done = admit(workload, world, current_time, rules)
    if done is None or not workload.checks.entries:
        return done
    message = "The workload is looked at again"
    return Decision(
        write=ApplyStatus(
            release.give_back(StatusDraft.of(workload, current_time), "Pending", message, rules).status
        )
    )


@wrong((activity, "_requeue"))
def is_admitted_again_when_it_is_requeued(right, workload, current_time):
    """Breaks AC-289: what was admitted before is so again with its quota;
    ADM-384[admitted-workload] must catch it.
    """
    done = right(workload, current_time)
    return done.set(ADMITTED) if workload.condition(c.ADMITTED) else done


@wrong((activity, "_requeue"))
def is_no_longer_evicted_when_it_is_requeued(right, workload, current_time):
    """Breaks AC-266: Evicted ends with the back-off and not with a reservation; ADM-389 should catch it."""
    evicted = Condition(c.EVICTED, False, "QuotaReserved", "Previously evicted")
    return right(workload, current_time).set(evicted)


@wrong((eviction, "evict"))
def gives_quota_back_as_it_evicts(evict, workload, draft, why, rules):
    """Breaks AC-341: eviction and release are one write; ADM-386 must catch it."""
    decision = evict(workload, draft, why, rules)
    if workload.admission is None:
        return decision
    draft_after_eviction = StatusDraft(decision.write.status, draft.generation, draft.current_time)
    evicted = {"reason": why.reason, "message": why.message}
    return Decision(
        write=ApplyStatus(release.after_eviction(draft_after_eviction, evicted, rules).status),
        events=decision.events,
    )


@wrong((eviction, "evict"))
def takes_the_assignment_away_as_it_evicts(evict, workload, draft, why, rules):
    """Breaks AC-341: status.admission goes before the Job has stopped; ADM-386 must catch it."""
    done = evict(workload, draft, why, rules)
    return Decision(
        write=ApplyStatus({k: v for k, v in done.write.status.items() if k != "admission"}),
        events=done.events,
    )


@wrong((eviction, "evict"))
def is_not_admitted_while_it_is_evicted(evict, workload, draft, why, rules):
    """Breaks AC-332: Admitted ends with the eviction and not with the quota; ADM-387 may catch it."""
    decision = evict(workload, draft, why, rules)
    draft_after_eviction = StatusDraft(decision.write.status, draft.generation, draft.current_time)
    return Decision(
        write=ApplyStatus(
            (draft_after_eviction.set(NOT_ADMITTED) if workload.is_admitted else draft_after_eviction).status
        ),
        events=decision.events,
    )


@wrong((admitted, "sync"))
def keeps_admitted_after_the_quota_is_gone(sync, draft, rules):
    """Breaks AC-259: Admitted stays True without quota; ADM-388[admitted-job] must catch it."""
    return draft if draft.is_true(c.ADMITTED) else sync(draft, rules)


@wrong((admitted, "_lost"))
def says_that_checks_lost_the_quota(_, reserved, ready, rules):
    """Breaks AC-259: one reason whether or not the checks have passed; ADM-380 may catch it."""
    return Condition(c.ADMITTED, False, *rules.no_reservation_unsatisfied)


@wrong((admitted, "_lost"))
def says_nothing_of_checks_when_quota_is_lost(_, reserved, ready, rules):
    """Breaks AC-260: the reason does not mention checks that have not passed; ADM-380 may catch it."""
    return Condition(c.ADMITTED, False, "NoReservation", messages.NO_RESERVATION)


@wrong((release, "give_back"))
def gives_quota_back_for_no_reason(right, draft, reason, message, rules):
    """Breaks AC-252: QuotaReserved does not say why; ADM-380 may catch it."""
    return right(draft, reason, "", rules)


@wrong((verdicts, "mark_rejected"))
def is_sent_back_before_it_is_given_up(right, workload, world, current_time, rules):
    """Breaks AC-291: a rejection evicts for the check first, and deactivates then; ADM-061 must catch it."""
    refused = workload.checks.in_state("Rejected")
    if workload.has_quota_reservation and not workload.is_evicted and refused:
        draft = StatusDraft.of(workload, current_time).set(
            Condition(c.DEACTIVATION_TARGET, True, "AdmissionCheck", "rejected")
        )
        return rules.evict(workload, draft, verdicts.Eviction("Preempted", "rejected"), rules)
    return right(workload, world, current_time, rules)


@wrong((release, "give_back"))
def keeps_the_assignment_of_quota_that_is_gone(right, draft, reason, message, rules):
    """Breaks AC-289: status.admission stays without a reservation; ADM-388 must catch it."""
    released = right(draft, reason, message, rules)
    return released.put("admission", draft.status["admission"]) if "admission" in draft.status else released

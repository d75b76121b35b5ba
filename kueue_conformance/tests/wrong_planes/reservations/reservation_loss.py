"""Wrong about quota that a Workload loses, and about what it says then (AC-259…261, AC-301; D-18)."""

from dataclasses import replace
from functools import partial

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.workload import admitted, messages, queue_state, release, verdicts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.workload_context import QueueView

from ...killing.planes import wrong

old, documents, kep = (partial(wrong, dialect=name) for name in ("v0.6", "docs-2024", "kep993"))


@old((QueueView, "is_stopped"))
def takes_a_drain_for_no_stop_of_old(_, queue):
    """Breaks AC-301: in v0.6 leaves reservations alone when it is told to drain;
    ADM-440[HoldAndDrain-workload] must catch it.
    """
    return queue.stop_policy == "Hold"


@old((QueueView, "is_stopped"))
def takes_a_hold_for_no_stop_of_old(_, queue):
    """Breaks AC-429: in v0.6 leaves reservations alone when it is told to hold; ADM-440 must catch it."""
    return queue.stop_policy == "HoldAndDrain"


@old((queue_state, "_queue_state"))
def evicts_reservations_of_old(right, workload, queue, subject, why, current_time, rules):
    """Breaks AC-301: in v0.6 evicts what only holds a reservation; ADM-440 must catch it."""
    if workload.has_quota_reservation and not workload.is_evicted and queue is not None and queue.is_stopped:
        return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)
    return right(workload, queue, subject, why, current_time, rules)


@wrong((admitted, "sync"))
def tells_at_first_that_it_is_not_admitted(right, draft, rules):
    """Breaks AC-264: says Admitted=False of what was never admitted; ADM-441 should catch it."""
    return _set_lost_admission(right(draft, rules), rules, has_admitted_condition=False)


@wrong((admitted, "sync"))
def tells_anew_why_it_is_not_admitted(right, draft, rules):
    """Breaks AC-264: replaces the reason of a loss when quota is reserved again; ADM-441 should catch it."""
    return _set_lost_admission(right(draft, rules), rules, has_admitted_condition=True)


def _set_lost_admission(draft, rules, *, has_admitted_condition):
    """Return the draft with the reason of this moment if
    Admitted is not True, and was `told` of before or was not.
    """
    if draft.is_true(c.ADMITTED) or (draft.condition(c.ADMITTED) is not None) != has_admitted_condition:
        return draft
    ready = Checks.of(draft.status).are_all_ready
    return draft.set(admitted._lost(draft.is_true(c.QUOTA_RESERVED), ready, rules))


@old((admitted, "_lost"))
def says_todays_reason_of_a_loss(right, reserved, ready, rules):
    """Breaks D-18: has in v0.6 the reason of later releases;
    ADM-442[1-checks-retried-NoReservationNoChecks] should catch it.
    """
    return right(
        reserved,
        ready,
        replace(
            rules,
            no_reservation_unsatisfied=(
                "NoReservationUnsatisfiedChecks",
                messages.NO_RESERVATION_UNSATISFIED,
            ),
        ),
    )


@old((admitted, "_lost"))
def says_in_v06_that_all_checks_were_ready(right, reserved, ready, rules):
    """Breaks AC-260: in v0.6 says of every Workload that its checks had passed;
    ADM-442[1-checks-retried-NoReservationNoChecks] should catch it.
    """
    return right(reserved, True, rules)


@old((admitted, "_lost"))
def says_in_v06_that_no_check_was_ready(right, reserved, ready, rules):
    """Breaks AC-259: in v0.6 says of every Workload that
    its checks had not passed; ADM-442 should catch it.
    """
    return right(reserved, False, rules)


@documents((admitted, "_lost"))
def says_the_reason_of_v06(right, reserved, ready, rules):
    """Breaks D-18: has in v0.9 the reason of v0.6; ADM-024 should catch it."""
    return right(
        reserved,
        ready,
        replace(
            rules, no_reservation_unsatisfied=("NoReservationNoChecks", messages.NO_RESERVATION_UNSATISFIED)
        ),
    )


@kep((admitted, "_lost"))
def says_the_reason_of_v06_under_the_kep(right, reserved, ready, rules):
    """Breaks D-18: has under the KEP the reason of v0.6;
    ADM-024[1-checks] should catch it.
    """
    return right(
        reserved,
        ready,
        replace(
            rules, no_reservation_unsatisfied=("NoReservationNoChecks", messages.NO_RESERVATION_UNSATISFIED)
        ),
    )


# Admitted that outlives the quota


def _for_ever(right, draft, rules):
    return draft if draft.is_true(c.ADMITTED) else right(draft, rules)


@wrong((release, "give_back"), (verdicts, "admit"))
def takes_admitted_back_by_a_second_write(right, first, *further_arguments):
    """Breaks AC-259: gives quota back first and says then that it is not admitted; rule AC-259 in ADM-082
    must catch it.
    """
    if right.__name__ == "give_back":
        admitted_condition, released = first.condition(c.ADMITTED), right(first, *further_arguments)
        conditions = [condition for condition in released.conditions if condition["type"] != c.ADMITTED]
        return (
            released
            if admitted_condition is None
            else released.put("conditions", [*conditions, admitted_condition])
        )
    if first.is_admitted and not first.has_quota_reservation:
        _, current_time, rules = further_arguments
        return Decision(
            write=ApplyStatus(
                admitted.sync(StatusDraft.of(first, current_time), rules.admitted_reasons).status
            )
        )
    return right(first, *further_arguments)


@old((admitted, "sync"))
def stays_admitted_in_v06(right, draft, rules):
    """Breaks AC-259: never takes Admitted back in v0.6; ADM-388[admitted-job] must catch it."""
    return _for_ever(right, draft, rules)


@documents((admitted, "sync"))
def stays_admitted_after_a_retry(right, draft, rules):
    """Breaks AC-259: never takes Admitted back in v0.9; ADM-384[admitted-job] must catch it."""
    return _for_ever(right, draft, rules)


@kep((admitted, "sync_whenever_known"))
def stays_admitted_under_the_kep(right, draft, rules):
    """Breaks AC-259: never takes Admitted back under the KEP; ADM-061 must catch it."""
    return _for_ever(right, draft, rules)

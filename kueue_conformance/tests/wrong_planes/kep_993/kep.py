"""Wrong about what only KEP-993 asks for: looking at quota again,
and the delay after a Retry (AC-449…452, AC-474…482).
"""

from functools import partial

from reference_impl.api import instants
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.queueing import pending
from reference_impl.kueue.workload import context_reader, kep, release
from reference_impl.kueue.workload.context_reader import WorldReader
from reference_impl.kueue.workload.decision import ApplyStatus, Decision, ReplaceStatus
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.rules import Eviction
from reference_impl.kueue.workload.triggers import Triggers
from reference_impl.kueue.workload.workload_context import ReservationState

from ...killing import planes

wrong = partial(planes.wrong, dialect="kep993")
RETRY = "Retry"


@wrong((kep, "recheck"))
def never_looks_at_a_reservation_again(_, *args):
    """Breaks AC-474: keeps a reservation that quota no longer covers; ADM-202 must catch it."""


@wrong((kep, "recheck"))
def keeps_the_verdicts_of_a_lost_reservation(_, workload, world, current_time, rules):
    """Breaks AC-474: gives a reservation back and keeps what checks said; ADM-202 must catch it."""
    if (
        world.outlook.objection
        and workload.has_quota_reservation
        and not workload.is_admitted
        and not workload.is_evicted
    ):
        draft = release.give_back(
            StatusDraft.of(workload, current_time), "Pending", world.outlook.objection, rules
        )
        return Decision(write=ReplaceStatus(draft.status))
    return None


@wrong((kep, "recheck"))
def evicts_what_lost_its_reservation(_, workload, world, current_time, rules):
    """Breaks AC-474: evicts in place of giving the reservation back; ADM-339 must catch it."""
    if not world.outlook.objection or workload.is_admitted or workload.is_evicted:
        return None
    why = Eviction("Preempted", world.outlook.objection)
    return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)


@wrong((kep, "recheck"))
def rejects_what_lost_its_reservation(right, workload, world, current_time, rules):
    """Breaks AC-474: gives a reservation back for good; ADM-339 must catch it."""
    if right(workload, world, current_time, rules) is None:
        return None
    message = "The reservation is no longer valid"
    draft = release.give_back(StatusDraft.of(workload, current_time), "OnHold", message, rules)
    return Decision(write=ReplaceStatus(draft.with_checks(Checks()).status))


@wrong((WorldReader, "_outlook"))
def looks_again_only_when_all_have_passed(right, self, workload):
    """Breaks AC-476: looks at a reservation again only at the end; ADM-202 must catch it."""
    return right(self, workload) if workload.checks.are_all_ready else ReservationState()


@wrong((WorldReader, "_outlook"))
def looks_again_until_all_have_passed(right, self, workload):
    """Breaks AC-449: does not look at a reservation when all checks have passed; ADM-209 must catch it."""
    return ReservationState() if workload.checks.are_all_ready else right(self, workload)


@wrong((Triggers, "on_quota"))
def overlooks_changes_of_quota(_, triggers, old, new):
    """Breaks AC-476: does not notice that quota has changed; ADM-202 must catch it."""


@wrong((kep, "delay_over"))
def ends_all_delays_with_the_first(right, workload, world, current_time, rules):
    """Breaks AC-478: takes every Retry back when the first delay is over; ADM-335 must catch it."""
    if right(workload, world, current_time, rules) is None:
        return None
    return _take_delays_back(workload, current_time, {entry["name"] for entry in workload.checks.entries})


@wrong((kep, "delay_over"))
def takes_a_retry_for_ready(right, workload, world, current_time, rules):
    """Breaks AC-451: a check is Ready when its delay is over; ADM-053 must catch it."""
    decision = right(workload, world, current_time, rules)
    if decision is None:
        return None
    entries = [
        {**admission_check, "state": "Ready"} for admission_check in decision.write.status["admissionChecks"]
    ]
    return Decision(write=ApplyStatus({**decision.write.status, "admissionChecks": entries}))


def _take_delays_back(workload, current_time, names):
    entries = tuple(
        kep._pending(entry, current_time) if entry["name"] in names else entry
        for entry in workload.checks.entries
    )
    return Decision(
        write=ApplyStatus(StatusDraft.of(workload, current_time).with_checks(Checks(entries)).status)
    )


@wrong((kep, "_deadlines"))
def ends_delays_with_the_last(right, workload, world):
    """Breaks AC-478: takes no Retry back before the last delay is over; ADM-335 must catch it."""
    result = [*right(workload, world)]
    return [(entry, max(deadline for _, deadline in result)) for entry, _ in result]


@wrong((kep, "_deadlines"))
def takes_one_retry_back(right, workload, world):
    """Breaks AC-478: takes back the first of several Retries, the others never; ADM-335 must catch it."""
    return (
        [*right(workload, world)][:1]
        if len(workload.checks.entries) == len(workload.checks.in_state(RETRY))
        else []
    )


@wrong((kep, "_deadlines"))
def never_takes_a_retry_back(right, workload, world):
    """Breaks AC-451: a check that said Retry says so for ever; ADM-053 must catch it."""
    return []


@wrong((kep, "_deadlines"))
def keeps_the_delay_half_as_long_again(right, workload, world):
    """Breaks AC-451: waits half as long again as the AdmissionCheck says; ADM-053 must catch it."""
    return [
        (entry, instants.parse(entry["lastTransitionTime"]) + 1.5 * world.retry_delays[entry["name"]])
        for entry in workload.checks.in_state(RETRY)
    ]


@wrong((kep, "_deadlines"))
def waits_for_the_delay_of_the_first(right, workload, world):
    """Breaks AC-478: waits for every check as long as for the first; ADM-335 must catch it."""
    result = [*right(workload, world)]
    return [(entry, result[0][1]) for entry, _ in result]


@wrong((kep, "_deadlines"))
def adds_delays_of_the_kep_up(right, workload, world):
    """Breaks AC-478: waits for one check after the other; ADM-335 must catch it."""
    total = sum(world.retry_delays[entry["name"]] for entry in workload.checks.in_state(RETRY))
    return [
        (entry, instants.parse(entry["lastTransitionTime"]) + total)
        for entry in workload.checks.in_state(RETRY)
    ]


@wrong((context_reader, "_minutes"))
def takes_minutes_for_seconds(right, check):
    """Breaks AC-451: takes retryDelayMinutes for seconds; ADM-053 must catch it."""
    return right(check) / 60


@wrong((context_reader, "_minutes"))
def has_no_default(right, check):
    """Breaks AC-480: waits for nothing when the AdmissionCheck names no delay; ADM-054 must catch it."""
    return right(check) if "retryDelayMinutes" in ((check or {}).get("spec") or {}) else 0.0


@wrong((context_reader, "_minutes"))
def always_waits_for_the_default(right, check):
    """Breaks AC-451: waits for 15 minutes whatever the AdmissionCheck says; ADM-053 must catch it."""
    return 15.0


@wrong((context_reader, "_minutes"))
def takes_nothing_for_the_default(right, check):
    """Breaks AC-480: takes a delay of nothing for one that is not named; ADM-336 should catch it."""
    return right(check) or 15.0


planes.instead(
    context_reader,
    "DEFAULT_RETRY_MINUTES",
    10,
    dialect="kep993",
    called="waits_for_ten_minutes",
    says="Breaks AC-480: waits for 10 minutes when the AdmissionCheck names none; ADM-054 must catch it.",
)
planes.instead(
    context_reader,
    "DEFAULT_RETRY_MINUTES",
    20,
    dialect="kep993",
    called="waits_for_twenty_minutes",
    says="Breaks AC-480: waits for 20 minutes when the AdmissionCheck names none; ADM-054 must catch it.",
)


@wrong((kep, "requeue"))
def requeues_what_is_on_hold(right, workload, world, current_time, rules):
    """Breaks AC-478: says that it may be queued while a check says Retry, and admits it once quota is free;
    ADM-053 must catch it.
    """
    return kep.activity.requeue_after_backoff(workload, world, current_time, rules) or _reserve_anyway(
        workload, current_time
    )


def _reserve_anyway(workload, current_time):
    state = (
        workload.checks.in_state(RETRY)
        and not workload.has_quota_reservation
        and workload.requeue_reason == ""
    )
    return (
        _take_delays_back(
            workload, current_time, {entry["name"] for entry in workload.checks.in_state(RETRY)}
        )
        if state
        else None
    )


@wrong((kep, "requeue"))
def never_requeues(right, workload, world, current_time, rules):
    """Breaks AC-478: never says that it may be queued again; ADM-053 must catch it."""


@wrong((kep, "next_delay"))
def never_comes_back(right, *args):
    """Breaks AC-451: does not come back when a delay is over; ADM-053 must catch it."""


@wrong((kep, "next_delay"))
def comes_back_for_the_last_delay(right, workload, world, current_time, rules):
    """Breaks AC-478: comes back when the last of several delays is over; ADM-335 must catch it."""
    ahead = [deadline - current_time for _, deadline in kep._deadlines(workload, world)]
    return Decision(again_after=max(ahead)) if ahead and not workload.has_quota_reservation else None


@wrong((kep, "keep_retry"))
def forgets_who_asked_for_the_delay(right, checks, current_time):
    """Breaks AC-481: brings a Retry back to Pending with the eviction; ADM-337 must catch it."""
    return checks.reset(current_time)


@wrong((kep, "keep_retry"))
def keeps_what_the_others_said(right, checks, current_time):
    """Breaks AC-481: keeps what the other checks have said; ADM-337 must catch it."""
    return checks


@wrong((kep, "keep_retry"))
def keeps_one_retry(right, checks, current_time):
    """Breaks AC-481: of several that said Retry keeps the first; ADM-335 must catch it."""
    remaining_fields = {entry["name"]: entry for entry in checks.in_state(RETRY)[:1]}
    return Checks(
        tuple(remaining_fields.get(entry["name"], entry) for entry in checks.reset(current_time).entries)
    )


@wrong((kep, "keep_retry"))
def moves_the_beginning_of_the_delay(right, checks, current_time):
    """Breaks AC-481: gives the Retry that stays another time and no message; ADM-337 must catch it."""
    after = right(checks, current_time)
    text = {"message": "", "lastTransitionTime": instants.render(current_time + 1)}
    return Checks(tuple({**entry, **text} if entry["state"] == RETRY else entry for entry in after.entries))


@wrong((kep, "set_suspended"))
def says_nothing_at_first(right, *args):
    """Breaks AC-452: says nothing of quota before it is tried; ADM-338 must catch it."""


@wrong((pending, "requeue_on_check_change"))
def looks_again_only_for_others(right, old, new, evaluated):
    """Breaks AC-478: does not look at a Workload again when a Retry was taken back; ADM-053 must catch it."""
    return False

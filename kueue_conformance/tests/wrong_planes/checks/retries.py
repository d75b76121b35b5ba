"""Wrong about how a Workload that a check sends back is tried again: when, and what it is told (AC-268,
AC-275, AC-287…290, AC-348).
"""

from dataclasses import replace

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.workload import activity, context_reader, eviction, kep, messages, release, writing
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import legacy_v0_6 as legacy_workload
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.rules import Eviction

from ...killing.planes import instead, wrong


@wrong((activity, "requeue_after_backoff"))
def requeues_what_has_no_backoff_never(_, workload, world, current_time, rules):
    """Breaks AC-290: what was sent back without a delay is not queued again; ADM-040 must catch it."""
    return


instead(
    activity,
    "BACKING_OFF",
    frozenset({"PodsReadyTimeout"}),
    "Breaks AC-290: forgets AdmissionCheck among the reasons that end; ADM-040 must catch it.",
    called="what_a_check_sent_back_waits_for_ever",
)
instead(
    activity,
    "BACKING_OFF",
    frozenset({"AdmissionCheck"}),
    "Breaks AC-290: forgets PodsReadyTimeout among the reasons that end; ADM-130 must catch it.",
    called="what_failed_for_its_pods_waits_for_ever",
)
instead(
    release,
    "AT_ONCE",
    frozenset({"Preempted", "NodeFailures", "AdmissionCheck"}),
    "Breaks AC-268: says Requeued=True where a check is to blame; ADM-046 should catch it.",
    called="says_at_once_that_it_is_requeued",
)
instead(
    context_reader,
    "DEFAULT_RETRY_MINUTES",
    10,
    "Breaks AC-480: the default delay is ten minutes; ADM-054 must catch it.",
    called="waits_ten_minutes_by_default",
    dialect="kep993",
)


@wrong((release, "after_eviction"))
def does_not_say_that_it_is_not_requeued(_, draft, evicted, rules):
    """Breaks AC-268: gives quota back without Requeued=False; ADM-046 should catch it."""
    return release.give_back(draft, "Pending", evicted["message"], rules)


@wrong((activity, "_requeue"))
def does_not_say_that_the_backoff_is_over(right, workload, current_time):
    """Breaks AC-269: Requeued becomes True for another reason; ADM-046 should catch it."""
    done = right(workload, current_time)
    return done.set(Condition(c.REQUEUED, True, "Requeued", "requeued")) if done.is_true(c.REQUEUED) else done


@wrong((activity, "_requeue"))
def never_says_that_the_backoff_is_over(right, workload, current_time):
    """Breaks AC-290: clears requeueAt and leaves Requeued unchanged; ADM-040 must catch it."""
    return StatusDraft.of(workload, current_time).requeue_at(None)


@wrong((messages, "retry"))
def names_the_first_retry_alone(retry, entries):
    """Breaks AC-276: names one of several checks that say Retry; ADM-044 may catch it."""
    return retry(entries[:1])


@wrong((messages, "retry"))
def names_retries_in_the_wrong_order(retry, entries):
    """Breaks AC-276: names checks from the last to the first; ADM-044 may catch it."""
    return retry(entries[::-1])


@wrong((messages, "_name"))
def names_checks_without_what_they_say(_, entry):
    """Breaks AC-276: leaves the messages of the checks out; ADM-044 may catch it."""
    return f'"{entry["name"]}"'


@wrong((messages, "checks_in_state"))
def always_speaks_of_one_check(right, entries):
    """Breaks AC-276: one noun for one check and for several; ADM-044 may catch it."""
    return right(entries).replace("AdmissionChecks in", "AdmissionCheck in")


def _evicting(event):
    """Return a decision with other events."""

    def evict_with_events(evict, workload, draft, why, rules):
        decision = evict(workload, draft, why, rules)
        return replace(
            decision,
            events=tuple(item for event_of_decision in decision.events for item in event(event_of_decision)),
        )

    return evict_with_events


@wrong((eviction, "evict"))
def tells_of_an_eviction_twice(evict, *args):
    """Breaks AC-381: two events for one eviction; ADM-050 must catch it."""
    return _evicting(lambda item: (item, item))(evict, *args)


@wrong((eviction, "evict"))
def warns_of_an_eviction(evict, *args):
    """Breaks AC-381: the event of an eviction is a Warning; ADM-050 must catch it."""
    return _evicting(lambda item: (replace(item, type="Warning"),))(evict, *args)


@wrong((eviction, "evict"))
def tells_of_an_eviction_by_another_name(evict, *args):
    """Breaks AC-381: the event is Evicted whatever the reason; ADM-050 must catch it."""
    return _evicting(lambda item: (replace(item, reason="Evicted"),))(evict, *args)


@wrong((eviction, "evict"))
def tells_of_an_eviction_without_why(evict, *args):
    """Breaks AC-381: the text of the event says no more than that; ADM-343 may catch it."""
    return _evicting(lambda item: (replace(item, note="Evicted"),))(evict, *args)


@wrong((eviction, "evict"))
def tells_only_of_the_eviction_of_what_is_admitted(evict, workload, *arguments):
    """Breaks AC-342: an eviction before admission has no event; ADM-050 must catch it."""
    return _evicting(lambda item: (item,) if workload.is_admitted else ())(evict, workload, *arguments)


@wrong((eviction, "evict"))
def evicts_for_another_reason(evict, workload, draft, why, rules):
    """Breaks AC-265: the reason is Evicted whatever the cause; ADM-341 must catch it."""
    return evict(workload, draft, replace(why, reason="Evicted"), rules)


@wrong((eviction, "_count"))
def counts_no_eviction(_, draft, why):
    """Breaks AC-340: schedulingStats is never there; ADM-379 may catch it."""
    return draft


@wrong((eviction, "_count"))
def counts_each_eviction_as_the_first(counted, draft, why):
    """Breaks AC-340: the count of a reason stays one; ADM-379 may catch it."""
    done = counted(draft, why)
    lines = [{**line, "count": 1} for line in done.status["schedulingStats"]["evictions"]]
    return done.put("schedulingStats", {"evictions": lines})


@wrong((eviction, "_count"))
def counts_the_last_reason_alone(counted, draft, why):
    """Breaks AC-340: an eviction for another reason replaces what was counted; ADM-379 may catch it."""
    done = counted(draft, why)
    lines = [line for line in done.status["schedulingStats"]["evictions"] if line["reason"] == why.group]
    return done.put("schedulingStats", {"evictions": lines})


@wrong((eviction, "_count"))
def counts_without_what_is_behind(counted, draft, why):
    """Breaks AC-344: the underlying cause is left out; ADM-379 may catch it."""
    return counted(draft, replace(why, cause=""))


@wrong((eviction, "_count"))
def counts_by_the_combined_reason(counted, draft, why):
    """Breaks AC-344: counts DeactivatedDueToAdmissionCheck as a reason of its own; ADM-379 may catch it."""
    return counted(draft, replace(why, counted_as=""))


@wrong((eviction, "_count"))
def counts_only_evictions_by_checks(counted, draft, why):
    """Breaks AC-340: evictions for other reasons are not counted; ADM-379 may catch it."""
    return counted(draft, why) if why.reason == "AdmissionCheck" else draft


@wrong((kep, "delay_over"), (kep, "next_delay"), dialect="kep993")
def never_ends_a_delay_of_the_kep(_, workload, world, current_time, rules):
    """Breaks AC-451: Retry stays though its delay has passed; ADM-053 must catch it."""
    return


@wrong((context_reader, "_minutes"), dialect="kep993")
def takes_the_default_delay_for_every_check(_, check):
    """Breaks AC-478: retryDelayMinutes of the AdmissionCheck is not read; ADM-053 must catch it."""
    return 15.0


@wrong((context_reader, "_minutes"), dialect="kep993")
def waits_twice_as_long_under_the_kep(minutes, check):
    """Breaks AC-451: the delay is doubled; ADM-054 must catch it."""
    return 2 * minutes(check)


@wrong((kep, "requeue"), dialect="kep993")
def reserves_during_a_delay_of_the_kep(_, workload, world, current_time, rules):
    """Breaks AC-479: takes Retry back as soon as the quota is; ADM-053 must catch it."""
    entries = tuple(
        kep._pending(entry, current_time) if entry["state"] == "Retry" else entry
        for entry in workload.checks.entries
    )
    if workload.has_quota_reservation or Checks(entries) == workload.checks:
        return activity.requeue_after_backoff(workload, world, current_time, rules)
    return Decision(
        write=ApplyStatus(StatusDraft.of(workload, current_time).with_checks(Checks(entries)).status)
    )


@wrong((context_reader.WorldReader, "_retry_delays"), dialect="kep993")
def takes_the_longest_delay_of_all_checks(right, self, workload):
    """Breaks AC-451: the delay of another check of the Workload counts; ADM-053 must catch it."""
    delays = right(self, workload)
    return dict.fromkeys(delays, max(delays.values(), default=0.0))


def _applying(field, says, called):
    """Leave a field of the status out of every apply."""
    names = tuple(name for name in writing.APPLIED_FIELDS if name != field)
    instead(writing, "APPLIED_FIELDS", names, says, called=called)


def _saying(kind, says, called):
    """Leave a condition out of every apply."""
    instead(writing, "APPLIED_CONDITIONS", writing.APPLIED_CONDITIONS - {kind}, says, called=called)


_applying(
    "requeueState",
    "Breaks AC-371: requeueState is never written; ADM-041 must catch it.",
    "writes_no_delay_down",
)
_applying(
    "schedulingStats",
    "Breaks AC-371: schedulingStats is never written; ADM-379 may catch it.",
    "writes_no_count_of_evictions",
)
_applying(
    "accumulatedPastExecutionTimeSeconds",
    "Breaks AC-371: the time that ran is never written; ADM-371 must catch it.",
    "writes_no_execution_time",
)
_saying(c.EVICTED, "Breaks AC-371: Evicted is never written; ADM-040 must catch it.", "never_says_evicted")
_saying(
    c.REQUEUED, "Breaks AC-371: Requeued is never written; ADM-046 should catch it.", "never_says_requeued"
)
_saying(
    c.DEACTIVATION_TARGET,
    "Breaks AC-371: DeactivationTarget is never written; ADM-060 must catch it.",
    "never_marks_for_deactivation",
)
_saying(c.ADMITTED, "Breaks AC-371: Admitted is never written; ADM-340 must catch it.", "never_says_admitted")


@wrong((messages, "_name"))
def reads_messages_of_checks_as_formats(right, entry):
    """Breaks AC-383: a percent sign is doubled in the condition; ADM-059 may catch it."""
    return right({**entry, "message": entry["message"].replace("%", "%%")})


instead(
    c,
    "LONGEST_MESSAGE",
    1024,
    "Breaks AC-274: conditions are cut where events are; ADM-058 may catch it.",
    called="cuts_conditions_short",
)


@wrong((legacy_workload, "negative"), dialect="v0.6")
def evicts_what_holds_no_quota(_, workload, world, current_time, rules):
    """Breaks AC-313: evicts for a Retry also what holds no quota; ADM-599 may catch it."""
    state = workload.checks.in_state("Retry")
    why = Eviction("AdmissionCheck", "asked for again")
    return (
        rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)
        if state and not workload.is_evicted
        else None
    )


instead(
    release,
    "AT_ONCE",
    frozenset({"Preempted"}),
    "Breaks AC-269: does not queue again what a failed node has stopped; ADM-600 should catch it.",
    called="leaves_what_lost_its_node",
)

"""Wrong about how a Workload that a check sends back is tried again: when, and what it is told (AC-268, AC-275, AC-287…290, AC-348)."""

from dataclasses import replace

from reference_impl import instants
from reference_impl.checks.entries import Checks
from reference_impl.workload import activity, eviction, kep, messages, release, surroundings, writing
from reference_impl.workload import conditions as c
from reference_impl.workload.conditions import Condition
from reference_impl.workload.decision import ApplyStatus, Decision
from reference_impl.workload.draft import Draft

from ..killing.planes import instead, wrong


def _asked(checks, *states):
    return [
        entry
        for entry in checks.entries
        if entry["state"] in (states or ("Retry",)) and "requeueAfterSeconds" in entry
    ]


def _end(entry, factor=1.0):
    return instants.parse(entry["lastTransitionTime"]) + entry["requeueAfterSeconds"] * factor


@wrong((Checks, "retry_deadline"))
def waits_for_the_earlier_of_two_delays(_, checks):
    """Breaks AC-275: the first delay that ends counts; ADM-045 must catch it."""
    return min(map(_end, _asked(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def waits_for_the_longer_of_two_delays(_, checks):
    """Breaks AC-275: the longest delay counts, though another ends later; ADM-355 must catch it."""
    return max(
        map(_end, sorted(_asked(checks), key=lambda one: one["requeueAfterSeconds"])[-1:]), default=None
    )


@wrong((Checks, "retry_deadline"))
def waits_for_the_first_delay_alone(_, checks):
    """Breaks AC-275: the delay of the first check in the list counts; ADM-045 must catch it."""
    return max(map(_end, _asked(checks)[:1]), default=None)


@wrong((Checks, "retry_deadline"))
def waits_for_the_last_delay_alone(_, checks):
    """Breaks AC-275: the delay of the last check in the list counts; ADM-045 must catch it."""
    return max(map(_end, _asked(checks)[-1:]), default=None)


@wrong((Checks, "retry_deadline"))
def adds_delays_up(_, checks):
    """Breaks AC-275: two delays follow each other; ADM-045 must catch it."""
    asked = _asked(checks)
    more = sum(one["requeueAfterSeconds"] for one in asked) - max(
        (one["requeueAfterSeconds"] for one in asked), default=0
    )
    return max(map(_end, asked)) + more if asked else None


@wrong((Checks, "retry_deadline"))
def knows_no_delay(_, checks):
    """Breaks AC-288: requeueAfterSeconds is not read; ADM-041 must catch it."""
    return


@wrong((Checks, "retry_deadline"))
def waits_half_as_long_again(_, checks):
    """Breaks AC-288: a delay is half as long again; ADM-041 must catch it."""
    return max((_end(one, 1.5) for one in _asked(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def waits_a_minute_less(_, checks):
    """Breaks AC-288: a delay ends a minute early; ADM-041 must catch it."""
    return max((_end(one) - 60 for one in _asked(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def takes_seconds_for_minutes(_, checks):
    """Breaks AC-121: requeueAfterSeconds counts minutes; ADM-041 must catch it."""
    return max((_end(one, 60) for one in _asked(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def doubles_the_delay_of_a_check(_, checks):
    """Breaks AC-348: the delay grows with each retry; ADM-361 must catch it."""
    return max((_end(one, 2 ** one.get("retryCount", 0)) for one in _asked(checks)), default=None)


@wrong((activity, "retry_delay"))
def counts_a_delay_from_now(_, workload, world, now, rules):
    """Breaks AC-348: a delay begins when the verdict is read; ADM-358 must catch it."""
    delays = [one["requeueAfterSeconds"] for one in _asked(workload.checks)]
    if not delays or workload.requeue_at is not None:
        return None
    return Decision(write=ApplyStatus(Draft.of(workload, now).requeue_at(now + max(delays)).status))


@wrong((activity, "retry_delay"))
def waits_though_the_delay_is_over(right, workload, world, now, rules):
    """Breaks AC-348: a delay that is over when it is read is counted from now; ADM-357 must catch it."""
    deadline = workload.checks.retry_deadline()
    if deadline is None or deadline > now or workload.requeue_at is not None:
        return right(workload, world, now, rules)
    again = now + max(one["requeueAfterSeconds"] for one in _asked(workload.checks))
    return Decision(write=ApplyStatus(Draft.of(workload, now).requeue_at(again).status))


@wrong((Checks, "retry_deadline"))
def waits_for_what_a_passed_check_asked(_, checks):
    """Breaks AC-121: requeueAfterSeconds counts for Ready as well; ADM-360 must catch it."""
    return max(map(_end, _asked(checks, "Retry", "Ready")), default=None)


@wrong((Checks, "retry_deadline"))
def waits_for_what_any_check_asked(_, checks):
    """Breaks AC-121: requeueAfterSeconds counts whatever the state; ADM-360 must catch it."""
    return max(map(_end, _asked(checks, "Retry", "Ready", "Pending")), default=None)


@wrong((Checks, "retry_deadline"))
def takes_no_seconds_for_a_minute(right, checks):
    """Breaks AC-348: requeueAfterSeconds 0 means the default; ADM-356 must catch it."""
    return max(
        (_end(one) + (0 if one["requeueAfterSeconds"] else 60) for one in _asked(checks)), default=None
    )


@wrong((Checks, "retry_deadline"))
def waits_a_minute_without_being_asked(right, checks):
    """Breaks AC-348: a Retry without a delay has one; ADM-361 must catch it."""
    ends = [
        instants.parse(one["lastTransitionTime"]) + one.get("requeueAfterSeconds", 60)
        for one in checks.in_state("Retry")
    ]
    return max(ends, default=None)


@wrong((activity, "retry_delay"))
def takes_a_delay_back(_, workload, world, now, rules):
    """Breaks AC-275: requeueAt follows the verdicts also to an earlier time; ADM-359 may catch it."""
    deadline = workload.checks.retry_deadline()
    if deadline is None or deadline <= now or deadline == workload.requeue_at:
        return None
    return Decision(write=ApplyStatus(Draft.of(workload, now).requeue_at(deadline).status))


@wrong((activity, "retry_delay"))
def keeps_the_first_delay(right, workload, *more):
    """Breaks AC-275: once requeueAt is there, a later one is not heard; ADM-355 must catch it."""
    return right(workload, *more) if workload.requeue_at is None else None


@wrong((activity, "backoff_running"))
def evicts_at_once_in_spite_of_a_delay(right, workload, *more):
    """Breaks AC-288: the eviction does not wait for the delay; ADM-220 may catch it."""
    return None if workload.reserved else right(workload, *more)


@wrong((activity, "backoff_running"))
def keeps_waiting_for_a_delay_of_the_past(right, workload, world, now, rules):
    """Breaks AC-288: what has waited long enough goes on waiting; ADM-041 must catch it."""
    return None if workload.requeue_at is None else Decision(again_after=max(workload.requeue_at - now, 3600))


@wrong((activity, "requeued_after_backoff"))
def requeues_what_has_no_backoff_never(_, workload, world, now, rules):
    """Breaks AC-290: what was sent back without a delay is not queued again; ADM-040 must catch it."""
    return


instead(
    activity, "BACKING_OFF", frozenset({"PodsReadyTimeout"}),
    "Breaks AC-290: forgets AdmissionCheck among the reasons that end; ADM-040 must catch it.", called="what_a_check_sent_back_waits_for_ever",
)  # fmt: skip
instead(
    activity, "BACKING_OFF", frozenset({"AdmissionCheck"}),
    "Breaks AC-290: forgets PodsReadyTimeout among the reasons that end; ADM-130 should catch it.", called="what_failed_for_its_pods_waits_for_ever",
)  # fmt: skip
instead(
    release, "AT_ONCE", frozenset({"Preempted", "NodeFailures", "AdmissionCheck"}),
    "Breaks AC-268: says Requeued=True where a check is to blame; ADM-046 should catch it.", called="says_at_once_that_it_is_requeued",
)  # fmt: skip
instead(
    surroundings, "DEFAULT_RETRY_MINUTES", 10,
    "Breaks AC-480: the default delay is ten minutes; ADM-054 must catch it.", called="waits_ten_minutes_by_default", dialect="kep993",
)  # fmt: skip


@wrong((release, "after_eviction"))
def does_not_say_that_it_is_not_requeued(_, draft, evicted, rules):
    """Breaks AC-268: gives quota back without Requeued=False; ADM-046 should catch it."""
    return release.give_back(draft, "Pending", evicted["message"], rules)


@wrong((activity, "_requeued"))
def does_not_say_that_the_backoff_is_over(right, workload, now):
    """Breaks AC-269: Requeued becomes True for another reason; ADM-046 should catch it."""
    done = right(workload, now)
    return done.set(Condition(c.REQUEUED, True, "Requeued", "requeued")) if done.is_true(c.REQUEUED) else done


@wrong((activity, "_requeued"))
def never_says_that_the_backoff_is_over(right, workload, now):
    """Breaks AC-290: clears requeueAt and leaves Requeued as it is; ADM-040 must catch it."""
    return Draft.of(workload, now).requeue_at(None)


@wrong((messages, "retry"))
def names_the_first_retry_alone(retry, entries):
    """Breaks AC-276: names one of several checks that say Retry; ADM-044 may catch it."""
    return retry(entries[:1])


@wrong((messages, "retry"))
def names_retries_in_the_wrong_order(retry, entries):
    """Breaks AC-276: names checks from the last to the first; ADM-044 may catch it."""
    return retry(entries[::-1])


@wrong((messages, "_named"))
def names_checks_without_what_they_say(_, entry):
    """Breaks AC-276: leaves the messages of the checks out; ADM-044 may catch it."""
    return f'"{entry["name"]}"'


@wrong((messages, "checks_in_state"))
def always_speaks_of_one_check(right, entries):
    """Breaks AC-276: one noun for one check and for several; ADM-044 may catch it."""
    return right(entries).replace("AdmissionChecks in", "AdmissionCheck in")


def _evicting(event):
    """Return a decision with other events."""

    def changed(evict, workload, draft, why, rules):
        done = evict(workload, draft, why, rules)
        return replace(done, events=tuple(each for one in done.events for each in event(one)))

    return changed


@wrong((eviction, "evict"))
def tells_of_an_eviction_twice(evict, *args):
    """Breaks AC-381: two events for one eviction; ADM-050 must catch it."""
    return _evicting(lambda one: (one, one))(evict, *args)


@wrong((eviction, "evict"))
def warns_of_an_eviction(evict, *args):
    """Breaks AC-381: the event of an eviction is a Warning; ADM-050 must catch it."""
    return _evicting(lambda one: (replace(one, type="Warning"),))(evict, *args)


@wrong((eviction, "evict"))
def tells_of_an_eviction_by_another_name(evict, *args):
    """Breaks AC-381: the event is Evicted whatever the reason; ADM-050 must catch it."""
    return _evicting(lambda one: (replace(one, reason="Evicted"),))(evict, *args)


@wrong((eviction, "evict"))
def tells_of_an_eviction_without_why(evict, *args):
    """Breaks AC-381: the text of the event says no more than that; ADM-343 may catch it."""
    return _evicting(lambda one: (replace(one, note="Evicted"),))(evict, *args)


@wrong((eviction, "evict"))
def tells_only_of_the_eviction_of_what_is_admitted(evict, workload, *more):
    """Breaks AC-342: an eviction before admission has no event; ADM-050 must catch it."""
    return _evicting(lambda one: (one,) if workload.admitted else ())(evict, workload, *more)


@wrong((eviction, "evict"))
def evicts_for_another_reason(evict, workload, draft, why, rules):
    """Breaks AC-265: the reason is Evicted whatever the cause; ADM-341 must catch it."""
    return evict(workload, draft, replace(why, reason="Evicted"), rules)


@wrong((eviction, "_counted"))
def counts_no_eviction(_, draft, why):
    """Breaks AC-340: schedulingStats is never there; ADM-379 may catch it."""
    return draft


@wrong((eviction, "_counted"))
def counts_each_eviction_as_the_first(counted, draft, why):
    """Breaks AC-340: the count of a reason stays one; ADM-379 may catch it."""
    done = counted(draft, why)
    lines = [{**line, "count": 1} for line in done.status["schedulingStats"]["evictions"]]
    return done.put("schedulingStats", {"evictions": lines})


@wrong((eviction, "_counted"))
def counts_the_last_reason_alone(counted, draft, why):
    """Breaks AC-340: an eviction for another reason replaces what was counted; ADM-379 may catch it."""
    done = counted(draft, why)
    lines = [line for line in done.status["schedulingStats"]["evictions"] if line["reason"] == why.group]
    return done.put("schedulingStats", {"evictions": lines})


@wrong((eviction, "_counted"))
def counts_without_what_is_behind(counted, draft, why):
    """Breaks AC-344: the underlying cause is left out; ADM-379 may catch it."""
    return counted(draft, replace(why, cause=""))


@wrong((eviction, "_counted"))
def counts_by_the_combined_reason(counted, draft, why):
    """Breaks AC-344: counts DeactivatedDueToAdmissionCheck as a reason of its own; ADM-379 may catch it."""
    return counted(draft, replace(why, counted_as=""))


@wrong((eviction, "_counted"))
def counts_only_evictions_by_checks(counted, draft, why):
    """Breaks AC-340: evictions for other reasons are not counted; ADM-379 may catch it."""
    return counted(draft, why) if why.reason == "AdmissionCheck" else draft


@wrong((kep, "delay_over"), (kep, "next_delay"), dialect="kep993")
def never_ends_a_delay_of_the_kep(_, workload, world, now, rules):
    """Breaks AC-451: Retry stays though its delay has passed; ADM-053 must catch it."""
    return


@wrong((surroundings, "_minutes"), dialect="kep993")
def takes_the_default_delay_for_every_check(_, check):
    """Breaks AC-478: retryDelayMinutes of the AdmissionCheck is not read; ADM-053 must catch it."""
    return 15.0


@wrong((surroundings, "_minutes"), dialect="kep993")
def waits_twice_as_long_under_the_kep(minutes, check):
    """Breaks AC-451: the delay is doubled; ADM-054 must catch it."""
    return 2 * minutes(check)


@wrong((kep, "requeued"), dialect="kep993")
def reserves_during_a_delay_of_the_kep(_, workload, world, now, rules):
    """Breaks AC-479: takes Retry back as soon as the quota is; ADM-053 must catch it."""
    entries = tuple(
        kep._pending(one, now) if one["state"] == "Retry" else one for one in workload.checks.entries
    )
    if workload.reserved or Checks(entries) == workload.checks:
        return activity.requeued_after_backoff(workload, world, now, rules)
    return Decision(write=ApplyStatus(Draft.of(workload, now).with_checks(Checks(entries)).status))


@wrong((activity, "backoff_running"))
def does_not_wake_up_when_a_delay_is_over(right, *args):
    """Breaks AC-322: looks at requeueAt only when something changes; ADM-041 must catch it."""
    done = right(*args)
    return done and Decision()


@wrong((surroundings.Surroundings, "_retry_delays"), dialect="kep993")
def takes_the_longest_delay_of_all_checks(right, self, workload):
    """Breaks AC-451: the delay of another check of the Workload counts; ADM-053 must catch it."""
    delays = right(self, workload)
    return dict.fromkeys(delays, max(delays.values(), default=0.0))


def _applying(field, says, called):
    """Leave a field of the status out of every apply."""
    kept = tuple(name for name in writing.APPLIED_FIELDS if name != field)
    instead(writing, "APPLIED_FIELDS", kept, says, called=called)


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
    "accumulatedPastExecutionTimeSeconds", "Breaks AC-371: the time that ran is never written; ADM-371 should catch it.",
    "writes_no_execution_time",
)  # fmt: skip
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

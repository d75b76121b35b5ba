"""ADM: pods that are not ready in time, as Kueue waits for them by default (AC-294, AC-315,
AC-316, Q-480, Q-517).
"""

import pytest

from kueue_conformance import always, pairwise, scenario, within

FORMS = ("workload", "job")
IN_TIME, FIRST_DELAY, LONGEST_DELAY, RECOVERY = 1800, 60, 3600, 60
LIMITED = "limited requeuing"


def admit_late(queue, clock, form="workload"):
    """Return an admitted Workload that waited for its check first; nothing was said of its pods yet."""
    workload = queue.submit_until("prechecked", form)
    clock.advance(clock.hold)
    queue.admit(workload)
    return workload


@pytest.fixture
def workload(make_queue, clock):
    """An admitted Workload that waited for its check first; nothing was said of its pods yet."""
    return admit_late(make_queue(checks=1), clock)


@pytest.fixture
def workload_without_checks(make_queue):
    """A Workload that is admitted whenever quota is reserved for it; nothing was said of its pods yet."""
    workload = make_queue(checks=0).submit()
    within("admit", workload.is_admitted)
    return workload


def fails(workload, clock, attempt):
    """Let an attempt end because no pod is ready in time; return the delay after it."""
    clock.advance(IN_TIME)
    within("prompt", lambda: workload.was_evicted_times(attempt) and workload.was_released())
    return min(FIRST_DELAY * 2 ** (attempt - 1), LONGEST_DELAY)


def fails_to_be_ready(workload, clock):
    """Let the pods be ready for a while, until one of them fails."""
    workload.set_pods_ready(True, "Started")
    clock.advance(IN_TIME)
    workload.set_pods_ready(False, "WaitForRecovery")


def runs_out_of_time(workload, clock, seconds=IN_TIME):
    """Let the time for its pods pass: the Workload stays admitted until that is over, and is evicted then."""
    clock.advance_while(seconds, workload.is_admitted, touched=workload, clause="a")
    within(
        "prompt", lambda: workload.was_evicted_for("PodsReadyTimeout") and workload.was_released(), clause="b"
    )


def fails_until(workload, clock, attempt):
    """Let all attempts before this one fail, and their delays pass."""
    for earlier in range(1, attempt):
        clock.advance(fails(workload, clock, earlier))
        within("prompt", workload.is_admitted)


@scenario(
    "ADM-130",
    "a Workload whose pods are not ready in time loses its quota, and its next attempt waits",
    requirement="kueue-api#pods-in-time",
    shows="AC-244 AC-272 AC-315 Q-341 Q-480 Q-517 S-097",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    needs=("virtual time",),
    revision=2,
    cases=pairwise(form=FORMS),
    clauses={
        "a": "admitted until half an hour is over",
        "b": "then evicted",
        "c": "not reserved at once",
        "d": "reserved after a delay",
    },
)
def test_pods_that_are_not_ready_in_time(make_queue, clock, form):
    workload = admit_late(make_queue(checks=1), clock, form)

    runs_out_of_time(workload, clock)
    clock.advance_almost(FIRST_DELAY - 1)
    always(lambda: workload.was_reserved(1), clause="c")

    clock.advance_rest(FIRST_DELAY)

    within("prompt", lambda: workload.was_reserved(2) and workload.has_states("Pending"), clause="d")


@scenario(
    "ADM-131",
    "deactivation of a Workload evicted for its pods clears its requeueState and keeps the reason",
    requirement="kueue-api#pods-in-time",
    shows="AC-294 AC-315",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="should",
    needs=("virtual time",),
    revision=3,
    clauses={
        "a": "requeueState is removed",
        "b": "it is still evicted for its pods",
        "c": "it is not reported as requeued",
    },
)
def test_deactivation_while_the_next_attempt_waits(workload, clock):
    clock.advance(IN_TIME)
    within("evict", lambda: workload.was_released() and workload.is_waiting_for_requeue())

    workload.deactivate()

    within("settle", lambda: workload.is_waiting_for_requeue().negate(), clause="a")
    always(lambda: workload.has_reason("Evicted", "PodsReadyTimeout"), clause="b")
    always(lambda: workload.has_condition("Requeued", "False", "PodsReadyTimeout"), clause="c")


@scenario(
    "ADM-364",
    "each attempt whose pods are not ready in time doubles the delay, up to an hour",
    requirement="kueue-api#pods-in-time",
    shows="AC-315 AC-347 Q-341",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    needs=("virtual time",),
    cases=pairwise(attempt=(1, 2, 3, 7)),
    clauses={"a": "not tried again before its delay is over", "b": "tried again then"},
)
def test_growing_delay(workload_without_checks, clock, attempt):
    fails_until(workload_without_checks, clock, attempt)

    delay = fails(workload_without_checks, clock, attempt)
    clock.advance_while(
        delay,
        lambda: workload_without_checks.was_reserved(attempt),
        touched=workload_without_checks,
        clause="a",
    )

    within(
        "prompt",
        lambda: workload_without_checks.was_reserved(attempt + 1) and workload_without_checks.is_admitted(),
        clause="b",
    )


@scenario(
    "ADM-365",
    "the requeueState counts attempts whose pods are not ready in time, and keeps the count at the next admission",
    requirement="kueue-api#pods-in-time",
    shows="AC-114 AC-275 AC-315",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="may",
    needs=("virtual time",),
    cases=pairwise(attempt=(1, 2)),
    clauses={"a": "counted when it is evicted", "b": "still so when it is admitted again"},
)
def test_attempts_are_counted(workload_without_checks, clock, attempt):
    fails_until(workload_without_checks, clock, attempt)

    delay = fails(workload_without_checks, clock, attempt)
    within(
        "settle",
        lambda: (
            workload_without_checks.has_requeue_count(attempt)
            and workload_without_checks.is_waiting_for_requeue()
        ),
        clause="a",
    )
    clock.advance(delay)

    within(
        "requeue",
        lambda: workload_without_checks.is_admitted() and workload_without_checks.has_requeue_count(attempt),
        clause="b",
    )


@scenario(
    "ADM-366",
    "a Workload whose pods are ready in time stays admitted",
    requirement="kueue-api#pods-in-time",
    shows="AC-272 AC-315",
    since="0.19",
    needs=("virtual time",),
    clauses={"a": "never evicted"},
)
def test_pods_that_are_ready(workload, clock):
    clock.advance_almost(IN_TIME)

    workload.set_pods_ready(True, "Started")
    clock.advance(2 * IN_TIME)

    always(lambda: workload.is_admitted() and workload.was_ever("Evicted").negate(), clause="a")


@scenario(
    "ADM-367",
    "pods that fail have as long to recover as they had to start, counted from the failure",
    requirement="kueue-api#pods-in-time",
    shows="AC-272 AC-315",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    needs=("virtual time",),
    clauses={"a": "admitted until half an hour is over", "b": "then evicted"},
)
def test_pods_that_do_not_recover(workload, clock):
    fails_to_be_ready(workload, clock)

    runs_out_of_time(workload, clock)


@scenario(
    "ADM-764",
    "pods have the recoveryTimeout to recover each time that they fail, however long they had to start",
    requirement="kueue-api#pods-in-time",
    shows="AC-272 AC-315 Q-480",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    needs=("short recovery", "virtual time"),
    cases=pairwise(recoveries=(0, 1, 3)),
    clauses={
        "a": "admitted until the time for it is over",
        "b": "then evicted",
        "c": "and stays admitted when they recover within the recoveryTimeout",
    },
)
def test_time_to_recover(workload, clock, recoveries):
    for _ in range(recoveries):
        fails_to_be_ready(workload, clock)
        clock.advance_almost(RECOVERY)
        always(workload.is_admitted, clause="c")

    fails_to_be_ready(workload, clock)

    runs_out_of_time(workload, clock, RECOVERY)


@scenario(
    "ADM-368",
    "an eviction by PodsReadyTimeout names the Workload, and is counted by its underlying cause",
    requirement="kueue-api#pods-in-time",
    shows="AC-265 AC-315 AC-344",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="may",
    needs=("virtual time",),
    cases=pairwise(cause=("WaitForStart", "WaitForRecovery")),
    clauses={"a": "the message", "b": "reason and cause are counted", "c": "the event"},
)
def test_text_of_an_eviction_for_pods(kueue_cluster, workload, clock, cause):
    workload.set_pods_ready(False, cause)

    clock.advance(IN_TIME)

    message = f"Exceeded the PodsReady timeout {workload.namespace}/{workload.name}"
    within("evict", lambda: workload.was_released() and workload.has_message("Evicted", message), clause="a")
    within("settle", lambda: workload.has_eviction_counts({("PodsReadyTimeout", cause): 1}), clause="b")
    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text("EvictedDueToPodsReadyTimeout", workload, message),
        clause="c",
    )


@scenario(
    "ADM-369",
    "deactivation resets the count of attempts whose pods were not ready in time",
    requirement="kueue-api#pods-in-time",
    shows="AC-294 AC-295 AC-315",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    needs=("virtual time",),
    clauses={"a": "admitted again without a delay", "b": "the next failure waits as the first one did"},
)
def test_deactivation_forgets_attempts(workload_without_checks, clock):
    fails_until(workload_without_checks, clock, 3)
    workload_without_checks.deactivate()
    within("evict", workload_without_checks.is_rejected)

    workload_without_checks.reactivate()
    within("prompt", workload_without_checks.is_admitted, clause="a")
    clock.advance(IN_TIME)
    within(
        "prompt",
        lambda: workload_without_checks.was_evicted_times(4) and workload_without_checks.is_suspended(),
    )
    clock.advance(FIRST_DELAY)

    within("prompt", workload_without_checks.is_admitted, clause="b")


@scenario(
    "ADM-370",
    "a Retry is no PodsReadyTimeout: the first timeout after it has the first back-off",
    requirement="kueue-api#pods-in-time",
    shows="AC-275 AC-315",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="should",
    needs=("virtual time",),
    clauses={"a": "not reserved before the first delay is over", "b": "reserved then"},
)
def test_retry_is_no_failure_of_pods(make_queue, clock):
    queue = make_queue(checks=1)
    workload = queue.submit_until("admitted")
    queue.checks[0].answer(workload, "Retry")
    within("requeue", lambda: workload.was_reserved(2) and workload.has_states("Pending"))
    queue.admit(workload)

    clock.advance(IN_TIME)
    within("prompt", lambda: workload.was_evicted_times(2) and workload.is_suspended())
    clock.advance_while(FIRST_DELAY, lambda: workload.was_reserved(2), clause="a")

    within("prompt", lambda: workload.was_reserved(3), clause="b")


@scenario(
    "ADM-631",
    "a Workload is deactivated after the last attempt that its backoffLimitCount allows",
    requirement="kueue-api#pods-in-time",
    shows="AC-316 AC-292 AC-294",
    since="0.8",
    without_gates=("DisableWaitForPodsReady",),
    needs=(LIMITED, "virtual time"),
    clauses={
        "a": "it is tried once more",
        "b": "then it is deactivated, and is evicted",
        "c": "and waits for no other attempt",
    },
)
def test_limited_attempts(workload_without_checks, clock):
    fails_until(workload_without_checks, clock, 2)
    always(lambda: workload_without_checks.is_inactive().negate(), clause="a")

    clock.advance(IN_TIME)

    within("evict", workload_without_checks.is_rejected, clause="b")
    within(
        "settle",
        lambda: (
            workload_without_checks.was_released()
            and workload_without_checks.is_waiting_for_requeue().negate()
        ),
        clause="c",
    )
    clock.advance(LONGEST_DELAY)
    always(lambda: workload_without_checks.was_reserved(2), clause="c")


@scenario(
    "ADM-632",
    "the messages of a deactivation for too many attempts have the recorded texts",
    requirement="kueue-api#pods-in-time",
    shows="AC-316 AC-344",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="may",
    needs=(LIMITED, "virtual time"),
    clauses={"a": "that there were too many", "b": "in the event as well"},
)
def test_text_of_limited_attempts(kueue_cluster, workload_without_checks, clock):
    fails_until(workload_without_checks, clock, 2)

    clock.advance(IN_TIME)

    why = "The workload is deactivated due to exceeding the maximum number of re-queuing retries"
    within("evict", lambda: workload_without_checks.has_message("Evicted", why), clause="a")
    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text(
            "EvictedDueToDeactivatedDueToRequeuingLimitExceeded", workload_without_checks, why
        ),
        clause="b",
    )

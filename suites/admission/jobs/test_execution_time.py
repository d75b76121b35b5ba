"""ADM: how long a Workload may run, over all its attempts (AC-100, AC-129, AC-289, AC-317)."""

from kueue_conformance import always, pairwise, scenario, within

FORMS = ("workload", "job")


def admit(queue, workload):
    """Bring a Workload that waits for its only check to Admitted."""
    within("reserve", lambda: workload.is_prechecked() and workload.has_states("Pending", *queue.checks))
    queue.admit(workload)


def runs(queue, workload, clock, seconds):
    """Run for a while, then be sent back to wait for the check again."""
    clock.advance(seconds)
    queue.checks[0].answer(workload, "Retry")
    within("requeue", lambda: workload.is_prechecked() and workload.has_states("Pending"))


@scenario(
    "ADM-371",
    "the maximum execution time counts the time of earlier attempts, and not the time between them",
    requirement=("kep-993#stop-admitted", "kueue-api#execution-time"),
    shows="AC-100 AC-129 AC-289 AC-317",
    since="0.19",
    revision=2,
    cases=pairwise(form=FORMS),
    clauses={"a": "it runs until the sum is reached", "b": "then it is deactivated"},
)
def test_execution_time_adds_up(make_queue, clock, form):
    queue, limit = make_queue(checks=1), 2 * clock.hold
    workload = queue.submit_with_time_limit(form, seconds=limit)
    for _ in range(2):
        admit(queue, workload)
        runs(queue, workload, clock, clock.hold // 4)
        clock.advance(limit)
        always(workload.is_prechecked)
    admit(queue, workload)
    # On a busy machine the earlier attempts take longer than they were meant to: the limit leaves room.
    rest = limit - round(workload.seconds_admitted())

    clock.advance_while(rest, workload.is_admitted, touched=workload, clause="a")

    within("prompt", workload.is_rejected, clause="b")


@scenario(
    "ADM-372",
    "the status of a Workload has the accumulated execution time of earlier attempts",
    requirement="kueue-api#execution-time",
    shows="AC-129 AC-289",
    since="0.9",
    level="may",
    needs=("virtual time",),
    clauses={"a": "after the first attempt", "b": "the sum after the second"},
)
def test_execution_time_is_told(make_queue, clock):
    queue = make_queue(checks=1)
    workload = queue.submit("job")
    quarter = clock.hold // 4
    admit(queue, workload)

    runs(queue, workload, clock, quarter)
    always(lambda: workload.has_past_execution_time(quarter), clause="a")
    admit(queue, workload)
    runs(queue, workload, clock, quarter)

    always(lambda: workload.has_past_execution_time(2 * quarter), clause="b")


@scenario(
    "ADM-373",
    "a Workload that exceeds its maximum execution time has the reason of its deactivation",
    requirement="kep-993#stop-admitted",
    shows="AC-270 AC-317 AC-381",
    since="0.19",
    level="may",
    cases=pairwise(form=FORMS),
    clauses={"a": "the reason of the eviction", "b": "its message", "c": "the event"},
)
def test_text_of_execution_time(kueue_cluster, clock, form):
    workload = kueue_cluster.make_queue(checks=0).submit_with_time_limit(form, seconds=clock.hold)
    within("admit", lambda: workload.was_ever("Admitted"))

    clock.advance(clock.hold)

    reason, message = (
        "MaximumExecutionTimeExceeded",
        "The workload is deactivated due to exceeding the maximum execution time",
    )
    within("evict", lambda: workload.was_evicted_for(f"DeactivatedDueTo{reason}"), clause="a")
    within("evict", lambda: workload.has_message("Evicted", message), clause="b")
    note = f"The maximum execution time ({clock.hold}s) exceeded"
    within("evict", lambda: kueue_cluster.has_event(reason, workload, note=note, type="Warning"), clause="c")


@scenario(
    "ADM-374",
    "a Workload without a maximum execution time keeps running",
    requirement="kep-993#stop-admitted",
    shows="AC-317",
    since="0.19",
    cases=pairwise(form=FORMS),
    clauses={"a": "it stays admitted, while one with a limit is deactivated"},
)
def test_no_limit(make_queue, clock, form):
    queue = make_queue(checks=0)
    limited, workload = queue.submit_with_time_limit(form, seconds=clock.hold // 2), queue.submit(form)
    # On a busy machine the time may be over before the first look.
    within("admit", lambda: limited.was_ever("Admitted") and workload.is_admitted())

    clock.advance(clock.hold)

    within("evict", limited.is_rejected, clause="a")
    always(lambda: workload.is_admitted() and workload.was_ever("Evicted").negate(), clause="a")


@scenario(
    "ADM-557",
    "when the maximum execution time of a Workload is over, its accumulated time is cleared",
    requirement="kueue-api#execution-time",
    shows="AC-129 AC-317",
    since="0.19",
    level="may",
    needs=("virtual time",),
    clauses={"a": "the time of the first attempt is reported", "b": "and no more when it is switched off"},
)
def test_time_is_forgotten(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    workload, quarter = queue.submit_with_time_limit("workload", seconds=clock.hold), clock.hold // 4
    admit(queue, workload)
    runs(queue, workload, clock, quarter)
    always(lambda: workload.has_past_execution_time(quarter), clause="a")
    admit(queue, workload)
    kueue_cluster.release.pods_are_held = True

    clock.advance(clock.hold - quarter)

    within("evict", lambda: workload.was_evicted_for("DeactivatedDueToMaximumExecutionTimeExceeded"))
    always(lambda: workload.has_past_execution_time(0), clause="b")

"""ADM: how long a Retry keeps a Workload out of the queue:
to the second (KEP-993, 45, 157-161; AC-275, AC-288, AC-348).
"""

from kueue_conformance import always, either, pairwise, rows, scenario, within

FORMS = ("workload", "job")
STAGES = ("prechecked", "admitted")


@scenario(
    "ADM-220",
    "a retry delay postpones the eviction, or the next reservation alone",
    requirement="kep-993#hold",
    shows="SC-220 AC-288 D-07 KV-35",
    since="0.15",
    level="may",
    revision=3,
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "quota is kept or given back", "b": "it is not reserved again", "c": "evicted in the end"},
)
def test_delay_defers_the_eviction(make_queue, clock, stage, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until(stage, form)

    began = clock.current_time()
    with clock.during(clock.hold):
        queue.checks[0].answer(workload, "Retry", delay=clock.hold)
        clock.advance(clock.hold // 2)

        observed = either(
            "evict",
            {
                "it is kept": lambda: workload.has_quota_reserved() and workload.was_ever("Evicted").negate(),
                "it is given back": lambda: workload.was_evicted_by_a_check() and workload.is_suspended(),
            },
            until={"it is kept": "<0.19.14, 0.20.7"},
            clause="a",
        )
    holds = workload.has_quota_reserved if observed == "it is kept" else workload.is_suspended
    clock.advance_while(clock.hold, lambda: holds() and workload.was_reserved(1), since=began, clause="b")
    within("prompt", workload.was_evicted_by_a_check, clause="c")


@scenario(
    "ADM-355",
    "of two retry delays the one that ends later counts, also when it is the shorter one",
    requirement="kep-993#hold",
    shows="AC-275 AC-288 AC-321 D-07",
    since="0.15",
    revision=2,
    cases=pairwise(place=(0, 1)),
    clauses={
        "a": "quota is kept during a delay, or given back",
        "b": "no new reservation before all delays are over, of which the second comes where quota is kept",
        "c": "a new one then",
    },
)
def test_later_end_counts(make_queue, clock, place):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    early, late = queue.checks[place], queue.checks[1 - place]
    shorter = clock.hold * 3 // 4

    began, seconds = clock.current_time(), clock.hold
    with clock.during(clock.hold):
        early.answer(workload, "Retry", delay=clock.hold)
        clock.advance(clock.hold // 2)
        observed = either(
            "evict",
            {
                "it is kept": lambda: workload.has_quota_reserved() and workload.was_ever("Evicted").negate(),
                "it is given back": lambda: workload.was_evicted_by_a_check() and workload.is_suspended(),
            },
            clause="a",
        )
    # Where quota is given back at once, a second check has nothing more to answer.
    if observed == "it is kept":
        began, seconds = clock.current_time(), shorter
        late.answer(workload, "Retry", delay=shorter)
    clock.advance_while(seconds, lambda: workload.was_reserved(1), since=began, clause="b")

    within("prompt", lambda: workload.was_reserved(2) and workload.has_states("Pending"), clause="c")


@scenario(
    "ADM-356",
    "a Retry with a delay of zero seconds is a Retry without a delay",
    requirement=("kep-993#hold", "docs-2024#retry-releases"),
    shows="AC-287 AC-348",
    since="0.15",
    cases=pairwise(form=FORMS),
    clauses={"a": "evicted and reserved again at once"},
)
def test_delay_of_nothing(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)

    queue.checks[0].answer(workload, "Retry", delay=0)

    within("prompt", lambda: workload.was_evicted_by_a_check() and workload.was_reserved(2), clause="a")


@scenario(
    "ADM-357",
    "a Retry whose delay is over when it is read is a Retry without a delay",
    requirement=("kep-993#hold", "docs-2024#retry-releases"),
    shows="AC-287 AC-321 AC-348",
    since="0.15",
    cases=pairwise(form=FORMS),
    clauses={"a": "evicted and reserved again at once"},
)
def test_delay_of_the_past(make_queue, clock, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)

    queue.checks[0].answer(
        workload, "Retry", delay=clock.hold, found_at=clock.current_time() - 2 * clock.hold
    )

    within("prompt", lambda: workload.was_evicted_by_a_check() and workload.was_reserved(2), clause="a")


@scenario(
    "ADM-358",
    "a retry delay starts at the time of the verdict, not at the time at which it was read",
    requirement="kep-993#hold",
    shows="AC-288 AC-348",
    since="0.15",
    cases=pairwise(form=FORMS),
    clauses={"a": "no new reservation before the delay is over", "b": "a new one then"},
)
def test_delay_is_counted_from_the_verdict(make_queue, clock, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)
    half = clock.hold // 2

    queue.checks[0].answer(workload, "Retry", delay=clock.hold, found_at=clock.current_time() - half)
    clock.advance_while(half, lambda: workload.was_reserved(1), touched=workload, clause="a")

    within("prompt", lambda: workload.was_reserved(2), clause="b")


@scenario(
    "ADM-359",
    "requeueAt is the time of the verdict plus its delay, and is never moved to an earlier time",
    requirement="kep-993#hold",
    shows="AC-275 AC-288 AC-321",
    since="0.15",
    level="may",
    cases=pairwise(place=(0, 1)),
    clauses={
        "a": "as the first verdict asks",
        "b": "still so when another asks for less",
        "c": "and when the first is taken back",
        "d": "later when another asks for more",
    },
)
def test_requeue_time(make_queue, clock, place):
    queue = make_queue(checks=3)
    workload = queue.submit_until("prechecked")
    first, less, third = queue.checks[place], queue.checks[1 - place], queue.checks[2]

    first.answer(workload, "Retry", delay=clock.hold)
    within("settle", lambda: workload.has_requeue_time_of(first), clause="a")
    less.answer(workload, "Retry", delay=clock.hold // 2)
    always(lambda: workload.has_requeue_time_of(first), clause="b")
    due = workload.current_requeue_state()
    first.answer(workload, "Pending")
    always(lambda: workload.has_requeue_state(due), clause="c")
    third.answer(workload, "Retry", delay=clock.hold * 2)

    within("settle", lambda: workload.has_requeue_time_of(third), clause="d")


@scenario(
    "ADM-360",
    "a delay has effect for a Retry, and none for a check that is Ready",
    requirement="kep-993#hold",
    shows="AC-121 AC-288",
    since="0.15",
    cases=rows("other", ("Ready",), ("Pending",)),
    clauses={"a": "evicted and reserved again at once"},
)
def test_delay_of_another_verdict(make_queue, clock, other):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    queue.checks[0].answer(workload, other, delay=clock.hold)

    queue.checks[1].answer(workload, "Retry")

    within("prompt", lambda: workload.was_evicted_by_a_check() and workload.was_reserved(2), clause="a")


@scenario(
    "ADM-361",
    "the delay of a second Retry starts at its own time, and a second Retry without a delay has none",
    requirement=("kep-993#hold", "kep-993#retry-or-reject"),
    shows="AC-288 AC-290 AC-348",
    since="0.15",
    cases=pairwise(form=FORMS),
    clauses={
        "a": "the second delay counts",
        "b": "reserved when it is over",
        "c": "a third Retry does not wait",
    },
)
def test_second_delay(make_queue, clock, form):
    queue = make_queue(checks=1)
    check, workload = queue.checks[0], queue.submit_until("prechecked", form)
    check.answer(workload, "Retry", delay=clock.hold)
    clock.advance(clock.hold)
    within("prompt", lambda: workload.was_reserved(2) and workload.has_states("Pending"))

    check.answer(workload, "Retry", delay=clock.hold)
    clock.advance_while(clock.hold, lambda: workload.was_reserved(2), touched=workload, clause="a")
    within("prompt", lambda: workload.was_reserved(3) and workload.has_states("Pending"), clause="b")
    check.answer(workload, "Retry")

    within("prompt", lambda: workload.was_reserved(4), clause="c")


@scenario(
    "ADM-362",
    "a Retry that becomes Pending again during its delay evicts nothing, unless it has evicted at once",
    requirement="kep-993#best-effort-decisions",
    shows="AC-288 AC-322 C-24",
    since="0.19",
    level="may",
    revision=2,
    clauses={"a": "never evicted by it, or before it is taken back", "b": "admitted when the check passes"},
)
def test_retry_that_is_undecided_again(make_queue, clock):
    queue = make_queue(checks=1)
    check, workload = queue.checks[0], queue.submit_until("prechecked")
    with clock.during(clock.hold):
        check.answer(workload, "Retry", delay=clock.hold)
        within("settle", workload.is_waiting_for_requeue)
        # At rest: an eviction may come behind the write that sets the time.
        always(workload.is_waiting_for_requeue)
        evicted = bool(workload.was_ever("Evicted"))
        check.answer(workload, "Pending")

    clock.advance(clock.hold)
    within("prompt", workload.is_prechecked, clause="a")
    always(lambda: workload.is_prechecked() and workload.was_evicted_times(int(evicted)), clause="a")
    check.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-363",
    "the retry delay of one Workload does not hold back another",
    requirement="kep-993#hold",
    shows="AC-288",
    since="0.15",
    clauses={"a": "the other one is reserved again at once", "b": "the one still waits"},
)
def test_delays_of_two_workloads(make_queue, clock):
    queue = make_queue(checks=1)
    first, other = queue.submit_until("prechecked"), queue.submit_until("prechecked")
    with clock.during(clock.hold):
        queue.checks[0].answer(first, "Retry", delay=clock.hold)

        queue.checks[0].answer(other, "Retry")

        within("prompt", lambda: other.was_evicted_by_a_check() and other.was_reserved(2), clause="a")
        always(lambda: first.was_reserved(1), clause="b")

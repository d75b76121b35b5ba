"""ADM: a check that answers Retry (KEP-993, 240-241;
documentation, "Admitting Workload"; AC-287…290, D-05…D-07).
"""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")
STAGES = ("prechecked", "admitted")


@scenario(
    "ADM-040",
    "a Workload with a Retry without a delay is evicted, released and reserved again, with its checks Pending",
    requirement=("docs-2024#retry-releases", "kep-993#retry-or-reject"),
    shows="SC-040 AC-287 AC-289 AC-290 AC-340",
    since="0.9",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={
        "a": "it was evicted",
        "b": "it is reserved again",
        "c": "its check is Pending",
        "d": "it is not admitted",
    },
)
def test_retry_starts_anew(make_queue, stage, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until(stage, form)

    queue.checks[0].answer(workload, "Retry")

    within("evict", workload.was_evicted_by_a_check, clause="a")
    within("requeue", lambda: workload.was_released() and workload.is_prechecked(), clause="b")
    within("settle", lambda: workload.has_states("Pending"), clause="c")
    always(lambda: workload.is_admitted().negate(), clause="d")


@scenario(
    "ADM-041",
    "a Workload with a Retry with a delay is not reserved again before the delay is over",
    requirement=("kep-993#no-reservation-on-hold", "kep-993#hold"),
    shows="SC-041 SC-220 AC-288 AC-348 D-07",
    since="0.15",
    revision=2,
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "no new reservation before the delay is over", "b": "a new one afterwards"},
)
def test_delay_is_kept(kueue_cluster, clock, stage, form):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until(stage, form)

    queue.checks[0].answer(workload, "Retry", delay=clock.hold)
    clock.advance_while(clock.hold, lambda: workload.was_reserved(1), touched=workload, clause="a")

    within("prompt", lambda: workload.was_reserved(2) and workload.is_prechecked(), clause="b")


@scenario(
    "ADM-042",
    "retries are counted, and admission does not reset the count",
    requirement="kep-993#retry-or-reject",
    shows="SC-042 AC-345 D-13 D-26",
    level="may",
    since="0.15",
    cases=pairwise(form=FORMS),
    clauses={"a": "one after the first", "b": "two after the second", "c": "still two when admitted"},
)
def test_retries_are_counted(make_queue, form):
    queue = make_queue(checks=1)
    check = queue.checks[0]
    workload = queue.submit_until("prechecked", form)

    check.answer(workload, "Retry")
    within(
        "requeue", lambda: workload.reservation_count() == 2 and workload.has_retried(check, 1), clause="a"
    )
    check.answer(workload, "Retry")
    within(
        "requeue", lambda: workload.reservation_count() == 3 and workload.has_retried(check, 2), clause="b"
    )
    check.answer(workload, "Ready")

    within("admit", lambda: workload.is_admitted() and workload.has_retried(check, 2), clause="c")


@scenario(
    "ADM-043",
    "Retry evicts a Workload whose nodes became unhealthy",
    requirement="docs-2024#retry-evicts",
    shows="SC-043",
    unsupported="topology-aware scheduling",
)
def test_retry_with_unhealthy_nodes(make_queue):
    raise AssertionError("listed until topology-aware scheduling exists")


@scenario(
    "ADM-044",
    "the eviction names every check in Retry with its message, and no other",
    requirement="docs-2024#retry-evicts",
    shows="SC-044 AC-265 AC-276 D-06",
    level="may",
    since="0.18",
    revision=2,
    cases=rows("author", ("first",), ("second",), ("both",)),
    clauses={"a": "they are named, with their messages"},
)
def test_eviction_tells_why(kueue_cluster, author):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    kueue_cluster.release.pods_are_held = True
    message, first, second = kueue_cluster.names.message(), *queue.checks
    asking = {"first": [first], "second": [second], "both": [first, second]}[author]

    workload.set_verdicts(dict.fromkeys(asking, "Retry"), message=message)

    noun = {"first": "AdmissionCheck", "second": "AdmissionCheck", "both": "AdmissionChecks"}[author]
    named = "; ".join(f'"{check.name}" ({message})' for check in asking)
    within(
        "evict",
        lambda: workload.has_message("Evicted", f"Evicted due to {noun} in Retry state: {named}"),
        clause="a",
    )


@scenario(
    "ADM-045",
    "of two retry delays the one that ends later counts",
    requirement="kep-993#hold",
    shows="SC-045 AC-275 AC-288",
    since="0.15",
    revision=3,
    cases=rows("first", ("short",), ("long",)),
    clauses={"a": "no new reservation when the shorter one is over", "b": "a new one when both are"},
)
def test_longer_delay_counts(kueue_cluster, clock, first):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked")

    delays = (clock.hold // 4, clock.hold) if first == "short" else (clock.hold, clock.hold // 4)

    # In one write: where a Retry gives quota back at once, a second one may come after the eviction.
    queue.checks[0].answer_together(
        workload,
        {check.name: "Retry" for check in queue.checks},
        delays={check.name: delay for check, delay in zip(queue.checks, delays, strict=True)},
    )
    clock.advance_while(clock.hold, lambda: workload.was_reserved(1), clause="a")

    within("prompt", lambda: workload.was_reserved(2), clause="b")


@scenario(
    "ADM-046",
    "an evicted Workload is Requeued when its back-off is over",
    requirement="kep-993#retry-or-reject",
    shows="SC-046 AC-268 AC-269 AC-290",
    since="0.9",
    level="should",
    revision=2,
    clauses={"a": "Requeued became False for the check", "b": "and True when the back-off was over"},
)
def test_requeued_condition(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", "job")

    queue.checks[0].answer(workload, "Retry")

    within("requeue", lambda: workload.had_condition("Requeued", "False", "AdmissionCheck"), clause="a")
    within("requeue", lambda: workload.had_condition("Requeued", "True", "BackoffFinished"), clause="b")


@scenario(
    "ADM-047",
    "the penalty of a fairly shared queue is replaced and not stacked",
    requirement="docs-2024#retry-releases",
    shows="SC-047",
    since="0.19",
    needs=("admission fair sharing",),
    clauses={
        "a": "it is reserved again after each Retry",
        "b": "its LocalQueue goes before one that has more reserved",
        "c": "the other waits",
    },
)
def test_fair_sharing_penalty(kueue_cluster):
    check = kueue_cluster.make_check()
    scope = {"admissionMode": "UsageBasedAdmissionFairSharing"}
    queues = kueue_cluster.make_topology("q 4", checks={"": [check]}, admissionScope=scope)
    queues.add_queues(
        **{name: kueue_cluster.make_second_local_queue(queues["q"]) for name in ("other", "third")}
    )
    _, retried = queues.submit_in_turn("q: held(0)2; other: retried(0)1")
    within("react", lambda: retried.is_prechecked() and retried.lists_checks(check))
    for times in (2, 3, 4):
        check.answer(retried, "Retry")
        within(
            "requeue",
            lambda times=times: retried.reservation_count() == times and retried.is_prechecked(),
            clause="a",
        )

    queues.submit_in_turn("third: all(0)1")
    queues.submit_all("q: high(9)1; other: low(0)1")

    queues.delete_workloads("all")

    within("reserve", lambda: queues.has_reserved("held", "low", "retried"), clause="b")
    always(lambda: queues.has_reserved("held", "low", "retried"), clause="c")


@scenario(
    "ADM-048",
    "one Retry among several checks is enough, whatever the other states are",
    requirement=("docs-2024#retry-releases", "docs-2024#retry-evicts"),
    shows="SC-048 AC-287",
    since="0.9",
    cases=pairwise(other_verdict=("Pending", "Ready"), checks=(2, 3), form=FORMS),
    clauses={"a": "it is evicted", "b": "no verdict is left"},
)
def test_one_retry_is_enough(make_queue, other_verdict, checks, form):
    queue = make_queue(checks=checks)
    workload = queue.submit_until("prechecked", form)
    first, *rest = queue.checks
    [check.answer(workload, other_verdict) for check in rest]

    first.answer(workload, "Retry")

    within("evict", workload.was_evicted_by_a_check, clause="a")
    within("requeue", lambda: workload.was_released() and workload.has_no_verdicts(), clause="b")


@scenario(
    "ADM-049",
    "Retry after admission stops a running Job",
    requirement=("docs-2024#retry-evicts", "kep-993#stop-admitted", "kep-993#withdrawn-suspends"),
    shows="AC-287 D-12 CC-051",
    clauses={"a": "the Job is suspended", "b": "the Workload gave its quota back"},
)
def test_retry_stops_a_running_job(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload, job = kueue_cluster.start_job(queue)

    queue.checks[0].answer(workload, "Retry")

    within("evict", job.is_suspended, clause="a")
    within("evict", workload.was_released, clause="b")


@scenario(
    "ADM-050",
    "an eviction by a check emits an event",
    requirement="docs-2024#retry-event",
    shows="AC-287 AC-381",
    since="0.8",
    also=("kep993",),
    revision=2,
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "EvictedDueToAdmissionCheck", "b": "once"},
)
def test_event_of_eviction(kueue_cluster, stage, form):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until(stage, form)

    queue.checks[0].answer(workload, "Retry")

    event = "EvictedDueToAdmissionCheck"
    within("evict", lambda: kueue_cluster.has_event(event, workload, type="Normal"), clause="a")
    within("requeue", workload.was_released)
    always(lambda: kueue_cluster.has_one_event(event, workload), clause="b")


@scenario(
    "ADM-051",
    "an evicted Workload holds its quota until its pods have ended",
    requirement="docs-2024#retry-releases",
    shows="AC-243 AC-289 AC-332 D-24 R-10",
    since="0.9",
    revision=2,
    needs=("no built-in controllers",),
    clauses={"a": "evicted, and quota is still held", "b": "released when the pods are gone"},
)
def test_quota_is_held_until_pods_are_gone(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload, job = kueue_cluster.start_job(queue)
    job.set_pods(1)

    queue.checks[0].answer(workload, "Retry")
    within("evict", lambda: workload.is_evicted() and job.is_suspended(), clause="a")
    always(workload.has_quota_reserved, clause="a")
    job.set_pods(0)

    within("evict", workload.was_released, clause="b")


@scenario(
    "ADM-052",
    "a requested delay is kept even when the check becomes Ready meanwhile",
    requirement="kep-993#hold",
    shows="AC-288 C-24",
    level="may",
    since="0.19",
    revision=4,
    clauses={
        "a": "not admitted before the delay is over, or evicted before that",
        "b": "admitted afterwards",
    },
)
def test_withdrawn_retry_waits_for_the_delay(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    began = clock.current_time()
    with clock.during(clock.hold):
        queue.checks[0].answer(workload, "Retry", delay=clock.hold)
        # Where a Retry evicts at once, that is another write: a Ready before it is no answer after a delay.
        clock.advance(clock.hold // 2)
        within("settle", workload.is_waiting_for_requeue)

        queue.checks[0].answer(workload, "Ready")
    clock.advance_while(
        clock.hold,
        lambda: workload.was_ever("Admitted").negate() or workload.was_evicted_by_a_check(),
        since=began,
        clause="a",
    )

    within("prompt", workload.is_admitted, clause="b")


@scenario(
    "ADM-053",
    "under the KEP the delay of the AdmissionCheck keeps the Workload suspended",
    requirement="kep-993#retry-delay",
    shows="AC-451 AC-478 AC-479 AC-480 AC-481 D-07",
    only=("kep993",),
    needs=("virtual time",),
    revision=2,
    cases=pairwise(minutes=(5, 15), place=(0, 1)),
    clauses={
        "a": "evicted at once, and the other check is undecided",
        "b": "no reservation, and the check says Retry, before the delay is over",
        "c": "undecided and reserved afterwards",
    },
)
def test_kep_delay(kueue_cluster, clock, minutes, place):
    delays = {place: minutes, 1 - place: 60}
    queue = kueue_cluster.make_queue(
        [kueue_cluster.make_check(retry_delay_minutes=delays[index]) for index in (0, 1)]
    )
    workload = queue.submit_until("prechecked")
    first, other = queue.checks[place], queue.checks[1 - place]
    other.answer(workload, "Ready")

    first.answer(workload, "Retry")
    within("evict", lambda: workload.was_released() and workload.has_states("Pending", other), clause="a")
    clock.advance_while(
        minutes * 60, lambda: workload.is_suspended() and workload.has_states("Retry", first), clause="b"
    )

    within("prompt", lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="c")


@scenario(
    "ADM-054",
    "under the KEP the delay is 15 minutes when the AdmissionCheck has none",
    requirement="kep-993#retry-delay",
    shows="AC-451 AC-480",
    only=("kep993",),
    revision=2,
    needs=("virtual time",),
    clauses={"a": "suspended for 15 minutes", "b": "reserved afterwards"},
)
def test_kep_default_delay(make_queue, clock):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked")

    queue.checks[0].answer(workload, "Retry")
    within("evict", workload.was_released)
    clock.advance_while(15 * 60, workload.is_suspended, clause="a")

    within("prompt", workload.is_prechecked, clause="b")


@scenario(
    "ADM-055",
    "other Workloads may use the quota during the retry delay of one",
    requirement="kep-993#hold",
    shows="AC-319 AC-451",
    only=("kep993",),
    needs=("virtual time",),
    clauses={"a": "another Workload is reserved meanwhile"},
)
def test_kep_delay_frees_the_quota(make_queue):
    queue = make_queue(checks=1, cpu="1")
    delayed = queue.submit_until("prechecked", cpu="1")
    queue.checks[0].answer(delayed, "Retry")
    within("evict", delayed.was_released)

    other = queue.submit(cpu="1")

    within("reserve", other.is_prechecked, clause="a")


@scenario(
    "ADM-056",
    "in v0.6 a Retry stays until its controller removes it",
    requirement="kep-993#no-reservation-on-hold",
    shows="AC-346 D-07 D-11",
    until="0.6.2",
    clauses={"a": "evicted and suspended", "b": "not reserved while the check says Retry"},
)
def test_v06_retry_stays(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked")

    queue.checks[0].answer(workload, "Retry")

    within("evict", workload.was_released, clause="a")
    always(lambda: workload.is_suspended() and workload.has_states("Retry"), clause="b")


@scenario(
    "ADM-057",
    "a delay that outlived its Retry is forgotten when the Workload loses its quota",
    requirement="kep-993#hold",
    shows="AC-322 C-24",
    level="should",
    since="0.19",
    clauses={"a": "admitted when the delay is over", "b": "once its quota is gone, no delay is noted"},
)
def test_delay_that_outlived_its_retry(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    with clock.during(clock.hold):
        queue.checks[0].answer(workload, "Retry", delay=clock.hold)
        within("settle", workload.is_waiting_for_requeue)
        queue.checks[0].answer(workload, "Ready")
    clock.advance(clock.hold)
    within("admit", workload.is_admitted, clause="a")

    queue.hold_and_drain()

    within(
        "evict", lambda: workload.was_released() and workload.is_waiting_for_requeue().negate(), clause="b"
    )

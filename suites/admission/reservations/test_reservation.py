"""ADM: from Suspended to Prechecked to Admitted (KEP-993,
"Design details"; documentation, "Admitting Workload").
"""

from kueue_conformance import always, cross, never, pairwise, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-020",
    "a reserved Workload is counted as reserving and not as admitted",
    requirement=("kep-993#stage-one", "docs-2024#all-positive"),
    shows="SC-020 AC-048 AC-049 AC-074 AC-283",
    cases=pairwise(form=FORMS),
    revision=2,
    clauses={
        "a": "quota is reserved",
        "b": "the ClusterQueue counts it",
        "c": "it is not admitted",
        "d": "so does its LocalQueue, and no other",
        "e": "counted as admitted when it is",
        "f": "and not at all when it is over",
    },
)
def test_reserved_is_counted(kueue_cluster, form):
    queue = kueue_cluster.make_queue(checks=2, cpu="10")
    other_queue = kueue_cluster.make_local_queue_in_other_namespace(queue)

    workload = queue.submit(form, cpu="4")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")

    waiting = other_queue.submit(form, cpu="8")
    within("settle", lambda: queue.shows_counts(pending=1, reserving=1, admitted=0), clause="b")
    within("settle", lambda: queue.shows_reserved("4") and queue.shows_used("0"), clause="b")
    within("settle", lambda: queue.shows_counts_locally(pending=0, reserving=1, admitted=0), clause="d")
    within("settle", lambda: other_queue.shows_counts_locally(pending=1, reserving=0, admitted=0), clause="d")
    within(
        "settle",
        lambda: (
            queue.shows_reserved_locally("4")
            and queue.shows_used_locally("0")
            and other_queue.shows_reserved_locally("0")
        ),
        clause="d",
    )
    always(workload.is_prechecked, clause="c")
    [check.answer(workload, "Ready") for check in queue.checks]
    within("admit", workload.is_admitted)
    within("settle", lambda: queue.shows_counts(pending=1, reserving=1, admitted=1), clause="e")
    within("settle", lambda: queue.shows_counts_locally(pending=0, reserving=1, admitted=1), clause="e")
    within(
        "settle",
        lambda: queue.shows_reserved("4") and queue.shows_used("4") and queue.shows_used_locally("4"),
        clause="e",
    )
    workload.finish()
    within("reserve", waiting.is_prechecked, clause="f")
    within("settle", lambda: queue.shows_counts(pending=0, reserving=1, admitted=0), clause="f")
    within("settle", lambda: queue.shows_counts_locally(pending=0, reserving=0, admitted=0), clause="f")
    within(
        "settle",
        lambda: (
            queue.shows_reserved_locally("0")
            and queue.shows_used_locally("0")
            and other_queue.shows_reserved_locally("8")
        ),
        clause="f",
    )


@scenario(
    "ADM-021",
    "a Job starts only when the last check has passed, on the nodes of its flavor",
    requirement=("kep-993#every-check-required", "docs-2024#admitted-when-ready"),
    shows="SC-021 AC-333 AC-361",
    clauses={
        "a": "it stays suspended",
        "b": "it is started",
        "c": "its pods have the node selector of the flavor",
    },
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_job_starts_after_the_last_check(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit("job")
    job = kueue_cluster.job_of(workload)
    within("settle", lambda: workload.lists_checks(*queue.checks) and workload.is_prechecked())

    queue.checks[0].answer(workload, "Ready")
    always(job.is_suspended, clause="a")
    queue.checks[1].answer(workload, "Ready")

    within("admit", job.is_started, clause="b")
    within(
        "settle",
        lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(*queue.flavors)),
        clause="c",
    )


@scenario(
    "ADM-022",
    "a check that passed before the reservation counts: reserved and admitted together",
    requirement="docs-2024#admitted-when-ready",
    shows="SC-022 AC-284 AC-385",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "it is admitted", "b": "by the write that reserves"},
)
def test_early_answer_counts(make_queue, form):
    queue = make_queue(checks=1, cpu="0")
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)
    queue.checks[0].answer(workload, "Ready")
    always(workload.is_suspended)

    queue.set_quota("2")

    within("admit", workload.is_admitted, clause="a")
    within("settle", workload.was_admitted_in_one_write, clause="b")


@scenario(
    "ADM-023",
    "a Workload without checks never has a check listed",
    requirement="kep-993#admitted-without-checks",
    shows="SC-023 AC-358",
    clauses={"a": "the list is empty"},
)
def test_no_checks_no_list(make_queue):
    workload = make_queue(checks=0).submit()

    within("admit", workload.is_admitted)

    always(workload.lists_checks, clause="a")


@scenario(
    "ADM-024",
    "an admitted Workload that loses its quota reports whether its checks had passed",
    requirement="docs-2024#retry-releases",
    shows="SC-023 AC-259 AC-260 D-18",
    since="0.9",
    also=("kep993",),
    level="should",
    revision=2,
    cases=rows("checks", (0,), (1,)),
    clauses={"a": "Admitted is False for want of a reservation"},
)
def test_released_workload_says_why(kueue_cluster, checks):
    reason = ("reason-without-quota", "reason-without-quota-and-checks")[checks]
    queue = kueue_cluster.make_queue(checks=checks)
    workload = queue.submit_until("admitted", "job")
    queue.hold()

    workload.deactivate()

    within(
        "evict",
        lambda: workload.has_condition("Admitted", "False", kueue_cluster.context.dialect.fact(reason)),
        clause="a",
    )


@scenario(
    "ADM-026",
    "a queue on hold keeps newly submitted Workloads, and admits the highest priority first when it is resumed",
    requirement="kep-993#reservation-fits-quota",
    shows="SC-026 AC-429 Q-001",
    clauses={"a": "nothing is admitted", "b": "the highest first"},
)
def test_unheld_queue_takes_the_highest_priority_first(make_queue):
    queue = make_queue(checks=0, cpu="1", stopPolicy="Hold")
    low = queue.submit(cpu="1", priority=1)
    always(low.is_suspended, clause="a")
    high = queue.submit(cpu="1", priority=100)
    always(lambda: low.is_suspended() and high.is_suspended(), clause="a")

    queue.resume()

    within("admit", high.is_admitted, clause="b")
    always(low.is_suspended, clause="b")


@scenario(
    "ADM-027",
    "reconciling a Workload that holds quota changes nothing",
    requirement="kep-993#best-effort-decisions",
    shows="SC-027",
    cases=pairwise(checks=(0, 1), form=FORMS),
    clauses={"a": "nothing of its state is written"},
)
def test_nothing_is_written_without_need(kueue_cluster, checks, form):
    queue = kueue_cluster.make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", {0: workload.is_admitted, 1: workload.is_prechecked}[checks])
    kueue_cluster.context.rest()
    before = workload.state()

    workload.touch()

    always(lambda: workload.state() == before, clause="a")


@scenario(
    "ADM-028",
    "Workloads that wait for their checks hold quota, so that later ones wait for quota",
    requirement=("kep-993#reservation-fits-quota", "kep-993#not-reserved-at-first"),
    shows="AC-441",
    gates=("FinishOrphanedWorkloads",),
    cases=pairwise(form=FORMS),
    clauses={
        "a": "the first is reserved",
        "b": "the second waits",
        "c": "it is reserved when the first is done",
    },
)
def test_reservations_fit_the_quota(make_queue, form):
    queue = make_queue(checks=1, cpu="1")
    first = queue.submit(form, cpu="1")
    within("reserve", first.is_prechecked, clause="a")

    second = queue.submit(form, cpu="1")
    always(second.is_suspended, clause="b")
    first.delete()

    within("reserve", second.is_prechecked, clause="c")


@scenario(
    "ADM-029",
    "checks may be answered in any order and all at once",
    requirement=("kep-993#order-is-irrelevant", "docs-2024#concurrent"),
    shows="AC-454 CC-087",
    cases=rows("order", *((order,) for order in ("123", "132", "213", "231", "312", "321"))).also_drawn(
        order="231"
    ),
    clauses={
        "a": "every check can answer as soon as quota is reserved",
        "b": "the last one admits",
        "c": "and none before it",
    },
    revision=2,
)
def test_any_order_of_answers(make_queue, order):
    queue = make_queue(checks=3)
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")
    *early, last = (queue.checks[int(number) - 1] for number in order)

    [check.answer(workload, "Ready") for check in early]
    always(workload.is_prechecked, clause="c")
    last.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-030",
    "a new message of a Pending check does not change the Workload's conditions",
    requirement="docs-2024#four-states",
    shows="AC-286",
    clauses={"a": "it stays Prechecked", "b": "Ready admits it"},
    revision=2,
)
def test_progress_message_changes_nothing(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    queue.checks[0].answer(workload, "Pending", message=kueue_cluster.names.message())

    always(workload.is_prechecked, clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-031",
    "a Job has events about the states of its checks",
    requirement="docs-2024#four-states",
    shows="AC-286 AC-382 C-08",
    since="0.19",
    level="may",
    clauses={"a": "the event UpdatedAdmissionCheck has the message"},
)
def test_progress_is_told_to_the_owner(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit("job")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    message = kueue_cluster.names.message()

    queue.checks[0].answer(workload, "Pending", message=message)

    within(
        "react", lambda: kueue_cluster.has_event("UpdatedAdmissionCheck", workload, note=message), clause="a"
    )


@scenario(
    "ADM-624",
    "the messages of several checks reach the Job in one event",
    requirement="docs-2024#four-states",
    shows="AC-286 AC-382 C-08",
    since="0.19",
    level="may",
    clauses={"a": "the name and the message of each that has not passed"},
)
def test_progress_of_several_checks(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=3)
    workload = queue.submit_until("prechecked", "job")
    first, second, passed = queue.checks

    states = {first.name: "Pending", second.name: "Pending", passed.name: "Ready"}
    first.answer_together(workload, states, message="half done")

    messages = f"{first.name}: half done", f"{second.name}: half done"
    events, texts = (
        kueue_cluster.events_of(workload),
        ["; ".join(order) for order in (messages, messages[::-1])],
    )
    within("react", lambda: events.has_text("UpdatedAdmissionCheck", *texts, on="Job"), clause="a")


@scenario(
    "ADM-032",
    "reservation and admission emit one event each",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-283 AC-285 AC-380 AC-381",
    revision=2,
    cases=pairwise(checks=(0, 1), form=FORMS),
    clauses={"a": "QuotaReserved", "b": "Admitted, and not before it is so", "c": "no other one"},
)
def test_events_of_admission(kueue_cluster, checks, form):
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit(form)
    within("reserve", {0: workload.is_admitted, 1: workload.is_prechecked}[checks])
    events = kueue_cluster.events_of(workload)
    within("settle", lambda: events.has_events("QuotaReserved"), clause="a")
    within("settle", lambda: events.has_events("Admitted", times=1 - checks), clause="b")
    always(lambda: events.has_events("QuotaReserved"), clause="a")
    always(lambda: events.has_events("Admitted", times=1 - checks), clause="b")

    [check.answer(workload, "Ready") for check in queue.checks]

    within("admit", lambda: events.has_events("Admitted"), clause="b")
    always(lambda: events.has_events("QuotaReserved") and events.has_events("Admitted"), clause="c")


@scenario(
    "ADM-033",
    "a finished Workload frees its quota for the next pending one",
    requirement="kep-993#reservation-fits-quota",
    shows="SC-108 AC-296",
    cases=pairwise(form=FORMS).also_drawn().also_beside_namesakes(),
    clauses={"a": "it is not counted any more", "b": "the next is admitted"},
    revision=2,
)
def test_finished_work_frees_quota(make_queue, form):
    queue = make_queue(checks=0, cpu="1")
    first = queue.submit(form, cpu="1")
    within("admit", first.is_admitted)
    second = queue.submit(form, cpu="1")
    always(second.is_suspended)

    first.finish()

    within("admit", second.is_admitted, clause="b")
    within("settle", lambda: queue.shows_counts(pending=0, reserving=1, admitted=1), clause="a")


@scenario(
    "ADM-036",
    "a Finished Workload does not change, whatever its checks answer afterwards",
    requirement="kueue-api#ends",
    shows="AC-320",
    cases=pairwise(state=("Retry", "Rejected"), form=FORMS),
    clauses={"a": "it is not evicted", "b": "it is not deactivated"},
)
def test_finished_work_is_left_alone(make_queue, state, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("admitted", form)
    workload.finish()
    within("settle", workload.is_finished)

    queue.checks[0].answer(workload, state)

    never(lambda: workload.was_ever("Evicted"), clause="a")
    always(lambda: workload.is_inactive().negate(), clause="b")


@scenario(
    "ADM-037",
    "a Workload whose Job is deleted is Finished",
    requirement="kueue-api#ends",
    shows="AC-297",
    level="should",
    since="0.19",
    revision=3,
    clauses={
        "a": "it is Finished because it has no owner",
        "b": "Kueue's finalizer is gone",
        "c": "another's stays",
    },
)
def test_orphan_is_finished(make_queue):
    workload = make_queue(checks=0).submit()
    within("admit", workload.is_admitted)

    workload.add_foreign_finalizer()
    workload.label_as_orphan()

    within("settle", lambda: workload.has_reason("Finished", "OwnerNotFound"), clause="a")
    within("settle", lambda: workload.has_kueue_finalizer().negate(), clause="b")
    always(workload.has_foreign_finalizer, clause="c")


@scenario(
    "ADM-590",
    "the messages about a Workload whose Job is deleted have the recorded texts",
    requirement="kueue-api#ends",
    shows="AC-271 AC-297",
    level="may",
    since="0.19",
    clauses={"a": "the condition Finished has it"},
)
def test_text_of_an_orphan(make_queue):
    workload = make_queue(checks=0).submit()
    within("admit", workload.is_admitted)

    workload.label_as_orphan()

    within(
        "settle",
        lambda: workload.has_message("Finished", "The workload's owner no longer exists"),
        clause="a",
    )


@scenario(
    "ADM-034",
    "a Workload whose requests exceed the quota of its queue stays pending, and reports it",
    requirement="kep-993#stage-one",
    shows="AC-251 AC-282",
    cases=pairwise(form=FORMS),
    revision=2,
    clauses={"a": "it waits", "b": "the reason is Pending", "c": "one that fits does not wait"},
)
def test_too_large_workload_waits(make_queue, form):
    queue = make_queue(checks=1, cpu="1")

    workload = queue.submit(form, cpu="2")

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="b")
    fitting = queue.submit(form, cpu="1")
    within("reserve", fitting.is_prechecked, clause="c")
    always(workload.is_suspended, clause="a")


@scenario(
    "ADM-763",
    "the conditions of a pending Workload have the generation of its spec after each change of it",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-273",
    since="0.9",
    level="should",
    cases=rows("cause", ("quota",), ("queue on hold",)),
    clauses={"a": "that of its creation", "b": "that of a change, though it has to wait as before"},
)
def test_generation_of_conditions(kueue_cluster, cause):
    queue = kueue_cluster.make_queue(cpu="0")
    if cause == "queue on hold":
        queue.hold()
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    within("settle", lambda: workload.has_observed_generation("QuotaReserved"), clause="a")

    workload.set_priority(30)

    within("settle", lambda: workload.has_observed_generation("QuotaReserved"), clause="b")
    always(lambda: workload.has_condition("QuotaReserved", "False"), clause="b")

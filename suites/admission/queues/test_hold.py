"""ADM: stopping a queue takes reservations back (KEP-993; AC-301…304, AC-412, AC-429…432)."""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")
STOPS = (
    ("cluster-queue", "Hold"),
    ("cluster-queue", "HoldAndDrain"),
    ("local-queue", "Hold"),
    ("local-queue", "HoldAndDrain"),
)


def one_admitted_and_one_reserved(queue, form):
    """Submit two Workloads, and have the check pass the first of them."""
    admitted, reserved = queue.submit(form), queue.submit(form)
    within("settle", lambda: admitted.lists_checks(*queue.checks) and reserved.lists_checks(*queue.checks))
    queue.admit(admitted)
    return admitted, reserved


@scenario(
    "ADM-091",
    "Hold releases reservations and lets admitted Workloads run",
    requirement="kep-993#hold",
    shows="SC-229 AC-301 AC-302 AC-429 R-08",
    cases=pairwise(form=FORMS),
    clauses={"a": "the reserved one waits", "b": "the admitted one runs on", "c": "no eviction took place"},
)
def test_hold_cancels_reservations(kueue_cluster, form):
    queue = kueue_cluster.make_queue(checks=1)
    admitted, reserved = one_admitted_and_one_reserved(queue, form)

    queue.hold()

    within("evict", reserved.is_suspended, clause="a")
    always(admitted.is_admitted, clause="b")
    always(lambda: reserved.was_ever("Evicted").negate(), clause="c")


@scenario(
    "ADM-092",
    "a check that passed before a Hold still counts when the queue is resumed",
    requirement="docs-2024#admitted-when-ready",
    shows="SC-229 AC-301 AC-385",
    since="0.9",
    level="should",
    clauses={"a": "the verdict is kept", "b": "admitted at once"},
)
def test_ready_check_survives_hold(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    queue.checks[0].answer(workload, "Ready")
    queue.hold()
    within("evict", workload.is_suspended)
    always(lambda: workload.has_states("Ready", queue.checks[0]), clause="a")
    queue.checks[1].answer(workload, "Ready")

    queue.resume()

    within("requeue", workload.is_admitted, clause="b")


@scenario(
    "ADM-093",
    "Hold of a LocalQueue releases reservations and lets admitted Workloads run",
    requirement="kep-993#hold",
    shows="AC-304 AC-429 AC-432",
    since="0.8",
    also=("kep993",),
    cases=pairwise(form=FORMS),
    clauses={"a": "the reserved one waits", "b": "the admitted one runs on"},
)
def test_local_queue_hold(make_queue, form):
    queue = make_queue(checks=1)
    admitted, reserved = one_admitted_and_one_reserved(queue, form)

    queue.hold_local()

    within("evict", reserved.is_suspended, clause="a")
    always(admitted.is_admitted, clause="b")


@scenario(
    "ADM-094",
    "a new Workload of a stopped queue stays pending",
    requirement="kep-993#hold",
    shows="AC-412 AC-430 AC-431 AC-253",
    cases=rows("policy", ("Hold",), ("HoldAndDrain",)),
    revision=2,
    clauses={
        "a": "it waits",
        "b": "the queue reports that it is stopped",
        "c": "it is admitted when the queue is resumed",
        "d": "which is active again",
    },
)
def test_new_workload_of_a_stopped_queue(make_queue, policy):
    queue = make_queue(checks=0, stopPolicy=policy)

    workload = queue.submit()

    within("settle", lambda: queue.is_inactive("Stopped"), clause="b")
    always(workload.is_suspended, clause="a")
    queue.resume()
    within("admit", workload.is_admitted, clause="c")
    within("settle", queue.is_active, clause="d")


@scenario(
    "ADM-230",
    "a Workload is reserved again at once when a Hold ends",
    requirement="kep-993#hold",
    shows="SC-229 AC-301",
    cases=pairwise(form=FORMS),
    clauses={"a": "it is Prechecked"},
)
def test_reserved_again_after_hold(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)
    queue.hold()
    within("evict", workload.is_suspended)

    queue.resume()

    within("requeue", workload.is_prechecked, clause="a")


@scenario(
    "ADM-415",
    "every stop policy releases a reservation without an eviction, and the checks keep their states",
    requirement="kep-993#hold",
    shows="AC-301 AC-304 AC-398 AC-429 AC-430",
    since="0.8",
    also=("kep993",),
    cases=rows("queue_kind policy", *STOPS),
    clauses={
        "a": "it waits",
        "b": "its quota is free",
        "c": "it was not evicted, and no delay is set",
        "d": "the verdict stays",
        "e": "it is reserved again when the queue is resumed",
    },
)
def test_stop_takes_reservations_back(make_queue, queue_kind, policy):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked", "job")
    queue.checks[0].answer(workload, "Ready")

    queue.set_stop_policy(queue_kind, policy)

    within("evict", workload.is_suspended, clause="a")
    within("settle", lambda: queue.shows_reserved("0") and queue.shows_counts(reserving=0), clause="b")
    always(
        lambda: workload.was_ever("Evicted").negate() and workload.has_condition("Requeued", "").negate(),
        clause="c",
    )
    always(lambda: workload.has_states("Ready", queue.checks[0]), clause="d")
    queue.resume_queue(queue_kind)
    within("requeue", lambda: workload.is_prechecked() and workload.was_reserved(2), clause="e")


@scenario(
    "ADM-416",
    "a stopped LocalQueue admits no Workload until it is resumed",
    requirement="kep-993#hold",
    shows="AC-253 AC-432 AC-435 AC-437",
    since="0.8",
    also=("kep993",),
    cases=rows("policy when", ("Hold", "before"), ("HoldAndDrain", "before"), ("Hold", "after")),
    clauses={
        "a": "a pending Workload stays pending",
        "b": "users see why",
        "c": "it is admitted when the LocalQueue is resumed",
    },
)
def test_stopped_local_queue(make_queue, policy, when):
    queue, waiting = make_queue(cpu="1"), []
    running = queue.submit(cpu="1", priority=10)
    within("admit", running.is_admitted)
    submit = lambda: waiting.append(queue.submit(cpu="1"))  # noqa: E731
    stop = lambda: queue.set_stop_policy("local-queue", policy)  # noqa: E731

    [act() for act in {"before": (submit, stop), "after": (stop, submit)}[when]]
    within("settle", lambda: queue.is_inactive_locally("Stopped"), clause="b")
    running.delete()
    within("settle", lambda: waiting[0].has_condition("QuotaReserved", "False"), clause="a")
    always(waiting[0].is_suspended, clause="a")
    queue.resume_queue("local-queue")

    within("requeue", waiting[0].is_admitted, clause="c")
    within("settle", queue.is_active_locally, clause="c")


@scenario(
    "ADM-420",
    "a reservation that is released has the reason in its condition",
    requirement="kep-993#hold",
    shows="AC-254 AC-305",
    level="may",
    since="0.19",
    cases=rows(
        "event cause text",
        ("cluster-queue-stopped", "suspended", "ClusterQueue {} is stopped"),
        ("local-queue-stopped", "suspended", "LocalQueue {} is stopped"),
        ("cluster-queue-deleted", "misconfigured", "ClusterQueue {} is terminating or missing"),
        ("local-queue-deleted", "misconfigured", "LocalQueue {} is terminating or missing"),
    ),
    clauses={"a": "the message of QuotaReserved at that time"},
)
def test_texts_of_cancelled_reservations(kueue_cluster, event, cause, text):
    queue, reason = kueue_cluster.make_queue(1), kueue_cluster.unreserved_reason(cause)
    workload = queue.submit_until("prechecked")

    {
        "cluster-queue-stopped": lambda: queue.set_stop_policy("cluster-queue", "Hold"),
        "local-queue-stopped": lambda: queue.set_stop_policy("local-queue", "Hold"),
        "cluster-queue-deleted": queue.delete,
        "local-queue-deleted": queue.delete_local,
    }[event]()

    within(
        "evict",
        lambda: workload.had_message("QuotaReserved", reason, text.format(queue.name)),
        clause="a",
    )

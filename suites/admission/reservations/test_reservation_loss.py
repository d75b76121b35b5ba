"""ADM: conditions and events of a Workload that loses its quota (AC-259…261, AC-301, AC-305; D-18)."""

from kueue_conformance import always, cross, pairwise, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-440",
    "a ClusterQueue with HoldAndDrain releases reservations as one with Hold does, in every release",
    requirement="kep-993#hold",
    shows="AC-301 AC-430",
    cases=cross(policy=("Hold", "HoldAndDrain"), form=FORMS),
    clauses={
        "a": "the reservation is released",
        "b": "without an eviction",
        "c": "it is reserved again when the queue is resumed, and admitted",
    },
)
def test_drain_takes_reservations_back(make_queue, policy, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)

    queue.set_stop_policy("cluster-queue", policy)

    within("evict", workload.is_suspended, clause="a")
    within("settle", lambda: queue.shows_reserved("0") and queue.shows_counts(reserving=0), clause="a")
    always(lambda: workload.is_suspended() and workload.was_ever("Evicted").negate(), clause="b")
    queue.resume_queue("cluster-queue")
    within("requeue", lambda: workload.is_prechecked() and workload.was_reserved(2), clause="c")
    queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-441",
    "Admitted is absent before the first admission, and keeps the reason of its loss until the next one",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-260 AC-264 D-18",
    since="0.9",
    until="<0.20.0-devel",
    without_gates=("UnadmittedWorkloadsObservability",),
    level="should",
    cases=pairwise(form=FORMS),
    clauses={
        "a": "no condition before",
        "b": "the reason of the loss, while quota is reserved again",
        "c": "admitted again",
    },
)
def test_admitted_follows_admissions(kueue_cluster, form):
    queue = kueue_cluster.make_queue(checks=1, cpu="0")
    workload = queue.submit(form, cpu="1")
    within(
        "settle",
        lambda: workload.lists_checks(*queue.checks) and workload.has_condition("QuotaReserved", "False"),
    )
    always(lambda: workload.has_no_condition("Admitted"), clause="a")
    queue.set_quota("1")
    within("reserve", workload.is_prechecked)
    always(lambda: workload.has_no_condition("Admitted"), clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted)

    queue.hold_and_drain()
    within("evict", workload.is_suspended)
    queue.resume()

    within("requeue", lambda: workload.is_prechecked() and workload.has_states("Pending"))
    always(lambda: workload.has_condition("Admitted", "False", "NoReservationUnsatisfiedChecks"), clause="b")
    queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-442",
    "in v0.6 a Job that lost its quota reports whether a check had not passed",
    requirement="docs-2024#retry-releases",
    shows="AC-259 AC-260 D-18",
    until="0.6.2",
    level="should",
    cases=rows(
        "checks example reason",
        (0, "stopped", "NoReservation"),
        (1, "stopped", "NoReservation"),
        (1, "retried", "NoReservationNoChecks"),
    ),
    clauses={"a": "Admitted is False for this reason"},
)
def test_v06_reasons_of_a_loss(make_queue, checks, example, reason):
    queue = make_queue(checks=checks)
    workload = queue.submit_until("admitted", "job")

    {"stopped": queue.hold_and_drain, "retried": lambda: queue.checks[0].answer(workload, "Retry")}[example]()

    within(
        "evict",
        lambda: workload.is_suspended() and workload.has_condition("Admitted", "False", reason),
        clause="a",
    )
    always(lambda: workload.has_condition("Admitted", "False", reason), clause="a")

"""ADM: queues that are deleted (AC-305, AC-421, AC-427)."""

from kueue_conformance import always, either, pairwise, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-085",
    "a ClusterQueue without admitted Workloads can be deleted",
    requirement="kep-993#not-reserved-at-first",
    shows="SC-085 AC-427",
    cases=pairwise(checks=(0, 1)),
    level="should",
    clauses={"a": "it is gone"},
)
def test_idle_queue_is_deleted(make_queue, checks):
    queue = make_queue(checks=checks, cpu="0")
    queue.submit(cpu="1")
    within("settle", lambda: queue.shows_counts(pending=1))

    queue.delete()

    within("settle", queue.is_gone, clause="a")


@scenario(
    "ADM-086",
    "a ClusterQueue stays until the Workload it admitted through a check is done",
    requirement="kep-993#stage-one",
    shows="SC-086 AC-421 AC-427",
    clauses={"a": "it stays", "b": "it is gone afterwards"},
)
def test_busy_queue_is_held(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    queue.admit(workload)

    queue.delete()
    within("settle", queue.is_inactive, clause="a")
    always(lambda: queue.is_gone().negate(), clause="a")
    workload.finish()

    within("settle", queue.is_gone, clause="b")


@scenario(
    "ADM-087",
    "a terminating ClusterQueue continues to count its Workloads",
    requirement="kep-993#stage-one",
    shows="SC-087 AC-427",
    level="may",
    clauses={"a": "one of two is left"},
)
def test_terminating_queue_counts(make_queue):
    queue = make_queue(checks=0)
    first, other = queue.submit(), queue.submit()
    within("admit", lambda: first.is_admitted() and other.is_admitted())

    queue.delete()
    first.finish()

    within("settle", lambda: queue.shows_counts(admitted=1), clause="a")


@scenario(
    "ADM-088",
    "a ClusterQueue does not wait for Workloads that only hold a reservation",
    requirement="kep-993#stage-one",
    shows="SC-088 AC-305 AC-427",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "it is gone", "b": "the reservation is released"},
)
def test_reservation_does_not_hold_the_queue(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit(form)
    within("reserve", workload.is_prechecked)
    always(workload.is_prechecked)

    queue.delete()

    within("settle", queue.is_gone, clause="a")
    within("evict", workload.is_suspended, clause="b")


@scenario(
    "ADM-830",
    "a ClusterQueue is deleted although its LocalQueue was deleted while a Workload was about to be admitted",
    requirement="kueue-api#quirks",
    shows="KV-73 AC-427",
    since="0.9",
    level="may",
    cases=rows("verdict", ("while it waits",), ("with the verdict",), ("after the verdict",)),
    clauses={"a": "it is gone when the Workload is"},
)
def test_local_queue_goes_before_the_admission(make_queue, verdict):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    if verdict == "after the verdict":
        queue.admit(workload)
    queue.delete_local()
    if verdict == "with the verdict":
        queue.checks[0].answer(workload, "Ready")

    queue.delete()
    workload.delete()

    within("settle", queue.is_gone, clause="a")


@scenario(
    "ADM-089",
    "a deleted ClusterQueue is gone as soon as its last Workload finishes",
    requirement="kep-993#stage-one",
    shows="SC-089",
    level="may",
    cases=pairwise(form=FORMS),
    revision=2,
    clauses={"a": "it is gone", "b": "it stays until then"},
)
def test_last_workload_frees_the_queue(make_queue, form):
    queue = make_queue(checks=0)
    workload = queue.submit(form)
    within("admit", workload.is_admitted)

    queue.delete()
    always(lambda: queue.is_gone().negate(), clause="b")
    workload.finish()

    within("settle", queue.is_gone, clause="a")


@scenario(
    "ADM-095",
    "a reservation is released when its LocalQueue is deleted",
    requirement="kep-993#hold",
    shows="AC-305",
    since="0.8",
    also=("kep993",),
    level="should",
    clauses={"a": "it waits"},
)
def test_deleted_local_queue_takes_the_reservation(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit()
    within("reserve", workload.is_prechecked)

    queue.delete_local()

    within("evict", workload.is_suspended, clause="a")


@scenario(
    "ADM-443",
    "a pending Workload is admitted through a LocalQueue that stays, and not through one that is being deleted",
    requirement="kep-993#not-reserved-at-first",
    shows="Q-061 AC-253",
    cases=pairwise(form=FORMS),
    clauses={
        "a": "a later one of another LocalQueue is admitted",
        "b": "it stays pending and reports that its queue is missing",
    },
)
def test_deleted_local_queue_admits_nothing(kueue_cluster, form):
    queue = kueue_cluster.make_queue(cpu="0")
    workload = queue.submit(form, cpu="1")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue).submit(form, cpu="1")
    within("settle", lambda: queue.shows_counts(pending=2))

    queue.delete_local()
    missing = f"LocalQueue {queue.name} "
    within("settle", lambda: workload.has_message_containing("QuotaReserved", missing), clause="b")
    queue.set_quota("2")

    within("admit", other.is_admitted, clause="a")
    always(
        lambda: workload.is_suspended() and workload.has_message_containing("QuotaReserved", missing),
        clause="b",
    )


@scenario(
    "ADM-444",
    "a deleted ClusterQueue admits no Workload until it is created again",
    requirement="kep-993#not-reserved-at-first",
    shows="Q-064 AC-253",
    cases=pairwise(form=FORMS),
    clauses={
        "a": "a Workload created afterwards stays pending and reports that its queue is missing",
        "b": "it is admitted when that is made",
    },
)
def test_deleted_cluster_queue_admits_nothing(kueue_cluster, form):
    queue = kueue_cluster.make_queue()
    earlier = queue.submit(form)
    within("admit", earlier.is_admitted)
    earlier.delete()
    queue.delete()
    within("settle", queue.is_gone)

    workload = queue.submit(form)

    within(
        "settle",
        lambda: workload.has_message_containing("QuotaReserved", f"ClusterQueue {queue.name} "),
        clause="a",
    )
    always(workload.is_suspended, clause="a")
    kueue_cluster.make_cluster_queue_for(queue, [])
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-563",
    "a Workload in a deleted ClusterQueue stays pending, with or without a message, until the queue is created again",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-253 AC-281 Q-064",
    since="0.19",
    also=("kep993",),
    level="should",
    cases=rows("where queues", ("alone", "q 2"), ("in a cohort", "all { q 2, other 2 }")),
    clauses={
        "a": "it reports that its queue is missing or inactive, or keeps its message",
        "b": "it is admitted when the queue is made again",
    },
)
def test_queue_is_deleted_under_what_waits(kueue_cluster, clock, where, queues):
    queue = kueue_cluster.make_topology(queues)["q"]
    workload = queue.submit(cpu="5")
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    clock.advance_budget("react")
    message = workload.condition("QuotaReserved")["message"]

    queue.delete()
    within("settle", queue.is_gone)
    clock.advance_budget("react")

    either(
        "settle",
        {
            "it is reported": lambda: workload.has_message_containing(
                "QuotaReserved", f"ClusterQueue {queue.name} "
            ),
            "it says what it said": lambda: workload.has_message("QuotaReserved", message),
        },
        clause="a",
    )
    kueue_cluster.make_cluster_queue_for(queue, [])
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-445",
    "a drained Workload is not reported as requeued because its queue is deleted",
    requirement="kep-993#hold",
    shows="AC-306 AC-307",
    since="0.8",
    also=("kep993",),
    level="should",
    cases=rows(
        "queue_kind reason", ("cluster-queue", "ClusterQueueStopped"), ("local-queue", "LocalQueueStopped")
    ),
    clauses={"a": "Requeued stays False for the stop"},
)
def test_deleted_queue_does_not_go_on(make_queue, queue_kind, reason):
    queue = make_queue()
    workload = queue.submit("job")
    within("admit", workload.is_admitted)
    queue.set_stop_policy(queue_kind, "HoldAndDrain")
    within("evict", lambda: workload.is_suspended() and workload.has_condition("Requeued", "False", reason))

    {"cluster-queue": queue.delete, "local-queue": queue.delete_local}[queue_kind]()
    within("settle", lambda: workload.has_message_containing("QuotaReserved", "doesn't exist"))
    workload.touch()

    always(lambda: workload.has_condition("Requeued", "False", reason), clause="a")

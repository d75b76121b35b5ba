"""ADM: HoldAndDrain evicts what a queue has admitted (AC-303…307, AC-430…434)."""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-082",
    "HoldAndDrain of a ClusterQueue evicts admitted Workloads, which are admitted again afterwards",
    requirement="kep-993#hold",
    shows="SC-082 AC-303 AC-306 AC-430 S-035",
    cases=pairwise(form=FORMS),
    clauses={"a": "evicted because the ClusterQueue was stopped", "b": "it waits", "c": "admitted again"},
)
def test_cluster_queue_drains(make_queue, form):
    queue = make_queue(checks=0)
    workload = queue.submit(form)
    within("admit", workload.is_admitted)
    always(workload.is_admitted)

    queue.hold_and_drain()
    within("evict", lambda: workload.was_evicted_for("ClusterQueueStopped"), clause="a")
    within("evict", workload.is_suspended, clause="b")
    queue.resume()

    within("requeue", workload.is_admitted, clause="c")


@scenario(
    "ADM-083",
    "HoldAndDrain of a LocalQueue evicts admitted Workloads, which are admitted again afterwards",
    requirement="kep-993#hold",
    shows="SC-083 AC-304 AC-307 AC-432 S-036",
    since="0.8",
    also=("kep993",),
    cases=pairwise(form=FORMS),
    clauses={"a": "users see why", "b": "evicted because the LocalQueue was stopped", "c": "admitted again"},
)
def test_local_queue_drains(make_queue, form):
    queue = make_queue(checks=0)
    workload = queue.submit(form)
    within("admit", workload.is_admitted)

    queue.hold_and_drain_local()
    within("settle", lambda: queue.is_inactive_locally("Stopped"), clause="a")
    within(
        "evict", lambda: workload.was_evicted_for("LocalQueueStopped") and workload.is_suspended(), clause="b"
    )
    queue.resume_local()

    within("requeue", workload.is_admitted, clause="c")


@scenario(
    "ADM-084",
    "a drained Workload is Requeued when its queue is restarted, with that reason, and not before",
    requirement="kep-993#hold",
    shows="SC-084 AC-268 AC-306 AC-307",
    since="0.8",
    also=("kep993",),
    level="should",
    revision=3,
    cases=rows(
        "queue_kind stopped reason last_policy",
        *(
            (queue_kind, f"{word}Stopped", f"{word}Restarted", last_policy)
            for queue_kind, word in (("cluster-queue", "ClusterQueue"), ("local-queue", "LocalQueue"))
            for last_policy in ("HoldAndDrain", "Hold")
        ),
    ),
    clauses={
        "a": "Requeued is True for the restart",
        "b": "it is False while the queue is stopped, also when it is only held in the end",
    },
)
def test_requeued_after_restart(kueue_cluster, queue_kind, stopped, reason, last_policy):
    queue = kueue_cluster.make_queue(checks=0)
    workload = queue.submit("job")
    within("admit", workload.is_admitted)

    queue.set_stop_policy(queue_kind, "HoldAndDrain")
    within("evict", workload.is_suspended)
    queue.set_stop_policy(queue_kind, last_policy)
    workload.touch()
    always(lambda: workload.has_condition("Requeued", "False", stopped), clause="b")
    queue.resume_queue(queue_kind)

    within("requeue", lambda: workload.had_condition("Requeued", "True", reason), clause="a")


@scenario(
    "ADM-417",
    "a stop does not affect Workloads that are evicted already",
    requirement="kep-993#hold",
    shows="AC-303 AC-433 AC-434",
    since="0.9",
    also=("kep993",),
    cases=pairwise(queue_kind=("cluster-queue", "local-queue")),
    clauses={"a": "the first reason stays", "b": "it was evicted once"},
)
def test_drain_of_an_evicted_workload(kueue_cluster, queue_kind):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted")
    kueue_cluster.release.pods_are_held = True
    workload.deactivate()
    within("evict", workload.is_evicted)
    before = workload.condition("Evicted")

    queue.set_stop_policy(queue_kind, "HoldAndDrain")

    within("settle", lambda: queue.is_stopped(queue_kind))
    always(lambda: workload.condition("Evicted") == before, clause="a")
    always(lambda: kueue_cluster.events_of(workload).count_of("EvictedDueTo") == 1, clause="b")


@scenario(
    "ADM-418",
    "the reason of a Workload whose LocalQueue and ClusterQueue are both stopped is the LocalQueue",
    requirement="kep-993#hold",
    shows="AC-304 AC-432",
    since="0.8",
    also=("kep993",),
    level="should",
    clauses={
        "a": "evicted because the LocalQueue was stopped",
        "b": "it waits for both",
        "c": "admitted again when both are resumed",
    },
)
def test_both_queues_are_stopped(make_queue):
    queue = make_queue()
    workload = queue.submit()
    within("admit", workload.is_admitted)

    queue.set_stop_policy("local-queue", "Hold")
    queue.set_stop_policy("cluster-queue", "Hold")
    queue.set_stop_policy("local-queue", "HoldAndDrain")
    within(
        "evict", lambda: workload.was_evicted_for("LocalQueueStopped") and workload.is_suspended(), clause="a"
    )
    queue.resume_queue("local-queue")
    always(workload.is_suspended, clause="b")
    queue.resume_queue("cluster-queue")

    within("requeue", workload.is_admitted, clause="c")


@scenario(
    "ADM-424",
    "the effects of a stop have the recorded texts",
    requirement="kep-993#hold",
    shows="AC-252 AC-260 AC-265 AC-268 AC-269 AC-306 AC-307",
    since="0.19",
    level="may",
    cases=rows(
        "queue_kind stopped restarted",
        (
            "cluster-queue",
            "The ClusterQueue is stopped",
            "The ClusterQueue was restarted after being stopped",
        ),
        ("local-queue", "The LocalQueue is stopped", "The LocalQueue was restarted after being stopped"),
    ),
    clauses={
        "a": "Evicted, QuotaReserved and Requeued",
        "b": "Admitted",
        "c": "Requeued when the queue is resumed",
    },
)
def test_texts_of_stops(make_queue, queue_kind, stopped, restarted):
    queue = make_queue()
    workload = queue.submit("job")
    within("admit", workload.is_admitted)

    queue.set_stop_policy(queue_kind, "HoldAndDrain")
    within("evict", lambda: workload.is_suspended() and workload.has_message("Evicted", stopped), clause="a")
    within("settle", lambda: workload.had_message("QuotaReserved", "", stopped), clause="a")
    within("settle", lambda: workload.has_message("Requeued", stopped), clause="a")
    within("settle", lambda: workload.has_message("Admitted", "The workload has no reservation"), clause="b")
    queue.resume_queue(queue_kind)

    within("requeue", lambda: workload.has_message("Requeued", restarted), clause="c")

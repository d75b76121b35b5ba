"""ADM: missing, stopped and deleted queues (AC-253, AC-301…307, AC-428…432)."""

from kueue_conformance import always, listed, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-080", "a Workload whose queue is missing waits, and says which one",
    requirement="kep-993#not-reserved-at-first", shows="SC-080 AC-253 AC-281", level="should",
    cases=listed("missing", ("no-local-queue",), ("no-cluster-queue",)), clauses={"a": "Inadmissible", "b": "it waits"},
)  # fmt: skip
def test_missing_queue(kueue_cluster, missing):
    queue = (
        kueue_cluster.queue_without_local()
        if missing == "no-local-queue"
        else kueue_cluster.queue_without_cluster_queue()
    )

    workload = queue.submit()

    within("settle", lambda: workload.has_reason("QuotaReserved", "Inadmissible"), clause="a")
    always(workload.is_suspended, clause="b")


@scenario(
    "ADM-081", "granular reasons of waiting",
    requirement="kep-993#not-reserved-at-first", shows="SC-081", level="may", unsupported="UnadmittedWorkloadsObservability",
)  # fmt: skip
def test_granular_reasons(make_queue):
    raise AssertionError("listed until the alpha gate exists")


@scenario(
    "ADM-082", "HoldAndDrain of a ClusterQueue evicts what was admitted and lets it in again afterwards",
    requirement="kep-993#hold", shows="SC-082 AC-303 AC-306 AC-430", cases=pairwise(form=FORMS),
    clauses={"a": "evicted because the ClusterQueue was stopped", "b": "it waits", "c": "admitted again"},
)  # fmt: skip
def test_cluster_queue_drains(make_queue, form):
    queue = make_queue(checks=0)
    workload = queue.submit(form)
    within("admit", workload.is_admitted)

    queue.drains()
    within("evict", lambda: workload.was_evicted_for("ClusterQueueStopped"), clause="a")
    within("evict", workload.is_suspended, clause="b")
    queue.resumes()

    within("requeue", workload.is_admitted, clause="c")


@scenario(
    "ADM-083", "HoldAndDrain of a LocalQueue evicts what was admitted and lets it in again afterwards",
    requirement="kep-993#hold", shows="SC-083 AC-304 AC-307 AC-432", since="0.8", also=("kep993",), cases=pairwise(form=FORMS),
    clauses={"a": "users see why", "b": "evicted because the LocalQueue was stopped", "c": "admitted again"},
)  # fmt: skip
def test_local_queue_drains(make_queue, form):
    queue = make_queue(checks=0)
    workload = queue.submit(form)
    within("admit", workload.is_admitted)

    queue.users_drain()
    within("settle", lambda: queue.users_see_inactive("Stopped"), clause="a")
    within(
        "evict", lambda: workload.was_evicted_for("LocalQueueStopped") and workload.is_suspended(), clause="b"
    )
    queue.users_resume()

    within("requeue", workload.is_admitted, clause="c")


@scenario(
    "ADM-084", "a drained Workload is told why it may come back",
    requirement="kep-993#hold", shows="SC-084 AC-306 AC-307", since="0.8", also=("kep993",), level="may",
    cases=listed("what reason", ("cluster-queue", "ClusterQueueRestarted"), ("local-queue", "LocalQueueRestarted")),
    clauses={"a": "Requeued is True for the restart"},
)  # fmt: skip
def test_requeued_after_restart(make_queue, what, reason):
    queue = make_queue(checks=0)
    workload = queue.submit()
    within("admit", workload.is_admitted)
    stop, start = {
        "cluster-queue": (queue.drains, queue.resumes),
        "local-queue": (queue.users_drain, queue.users_resume),
    }[what]

    stop()
    within("evict", workload.is_suspended)
    start()

    within("requeue", lambda: workload.was_told("Requeued", "True", reason), clause="a")


@scenario(
    "ADM-085", "a ClusterQueue without admitted Workloads can be deleted",
    requirement="kep-993#not-reserved-at-first", shows="SC-085 AC-427", cases=pairwise(checks=(0, 1)), level="should",
    clauses={"a": "it is gone"},
)  # fmt: skip
def test_idle_queue_is_deleted(make_queue, checks):
    queue = make_queue(checks=checks, cpu="0")
    queue.submit(cpu="1")
    within("settle", lambda: queue.counts(pending=1))

    queue.delete()

    within("settle", queue.is_gone, clause="a")


@scenario(
    "ADM-086", "a ClusterQueue stays until the Workload it admitted through a check is done",
    requirement="kep-993#stage-one", shows="SC-086 AC-421 AC-427", level="should", clauses={"a": "it stays", "b": "it is gone afterwards"},
)  # fmt: skip
def test_busy_queue_is_held(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    queue.checks[0].answers(workload, "Ready")
    within("admit", workload.is_admitted)

    queue.delete()
    within("settle", lambda: queue.is_inactive("Terminating"), clause="a")
    always(lambda: queue.is_gone().denied(), clause="a")
    workload.finish()

    within("settle", queue.is_gone, clause="b")


@scenario(
    "ADM-087", "a terminating ClusterQueue goes on counting",
    requirement="kep-993#stage-one", shows="SC-087 AC-427", level="may", clauses={"a": "one of two is left"},
)  # fmt: skip
def test_terminating_queue_counts(make_queue):
    queue = make_queue(checks=0)
    one, other = queue.submit(), queue.submit()
    within("admit", lambda: one.is_admitted() and other.is_admitted())

    queue.delete()
    one.finish()

    within("settle", lambda: queue.counts(admitted=1), clause="a")


@scenario(
    "ADM-088", "a ClusterQueue does not wait for Workloads that only hold a reservation",
    requirement="kep-993#stage-one", shows="SC-088 AC-305 AC-427", level="should", cases=pairwise(form=FORMS),
    clauses={"a": "it is gone", "b": "the reservation is given back"},
)  # fmt: skip
def test_reservation_does_not_hold_the_queue(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit(form)
    within("reserve", workload.is_prechecked)

    queue.delete()

    within("settle", queue.is_gone, clause="a")
    within("evict", workload.is_suspended, clause="b")


@scenario(
    "ADM-089", "a deleted ClusterQueue is gone as soon as its last Workload finishes",
    requirement="kep-993#stage-one", shows="SC-089", level="may", cases=pairwise(form=FORMS), revision=2,
    clauses={"a": "it is gone", "b": "it stays until then"},
)  # fmt: skip
def test_last_workload_frees_the_queue(make_queue, form):
    queue = make_queue(checks=0)
    workload = queue.submit(form)
    within("admit", workload.is_admitted)

    queue.delete()
    always(lambda: queue.is_gone().denied(), clause="b")
    workload.finish()

    within("settle", queue.is_gone, clause="a")


@scenario(
    "ADM-090", "the latency of a preemption is measured",
    requirement="kep-993#reserved-is-victim", shows="SC-090", level="may", unsupported="preemption",
)  # fmt: skip
def test_eviction_latency(make_queue):
    raise AssertionError("listed until preemption exists")


@scenario(
    "ADM-091", "Hold takes reservations back and lets admitted Workloads run",
    requirement="kep-993#hold", shows="SC-229 AC-301 AC-302 AC-429 R-08", cases=pairwise(form=FORMS),
    clauses={"a": "the reserved one waits", "b": "the admitted one runs on", "c": "no eviction took place"},
)  # fmt: skip
def test_hold_cancels_reservations(kueue_cluster, form):
    queue = kueue_cluster.queue(checks=1)
    admitted, reserved = queue.submit(form), queue.submit(form)
    within("settle", lambda: admitted.lists_checks(*queue.checks) and reserved.lists_checks(*queue.checks))
    queue.checks[0].answers(admitted, "Ready")
    within("admit", admitted.is_admitted)

    queue.holds()

    within("evict", reserved.is_suspended, clause="a")
    always(admitted.is_admitted, clause="b")
    always(lambda: reserved.was_ever("Evicted").denied(), clause="c")


@scenario(
    "ADM-092", "a check that passed before a Hold counts when the queue goes on",
    requirement="docs-2024#admitted-when-ready", shows="SC-229 AC-301 AC-385", since="0.9", level="should",
    clauses={"a": "the verdict is kept", "b": "admitted at once"},
)  # fmt: skip
def test_ready_check_survives_hold(kueue_cluster):
    queue = kueue_cluster.queue(checks=2)
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    queue.checks[0].answers(workload, "Ready")
    queue.holds()
    within("evict", workload.is_suspended)
    always(lambda: workload.has_states("Ready", queue.checks[0]), clause="a")
    queue.checks[1].answers(workload, "Ready")

    queue.resumes()

    within("requeue", workload.is_admitted, clause="b")


@scenario(
    "ADM-093", "Hold of a LocalQueue takes reservations back and lets admitted Workloads run",
    requirement="kep-993#hold", shows="AC-304 AC-429 AC-432", since="0.8", also=("kep993",), cases=pairwise(form=FORMS),
    clauses={"a": "the reserved one waits", "b": "the admitted one runs on"},
)  # fmt: skip
def test_local_queue_hold(make_queue, form):
    queue = make_queue(checks=1)
    admitted, reserved = queue.submit(form), queue.submit(form)
    within("settle", lambda: admitted.lists_checks(*queue.checks) and reserved.lists_checks(*queue.checks))
    queue.checks[0].answers(admitted, "Ready")
    within("admit", admitted.is_admitted)

    queue.users_hold()

    within("evict", reserved.is_suspended, clause="a")
    always(admitted.is_admitted, clause="b")


@scenario(
    "ADM-094", "a new Workload of a stopped queue waits",
    requirement="kep-993#hold", shows="AC-430 AC-253", cases=listed("policy", ("Hold",), ("HoldAndDrain",)),
    clauses={"a": "it waits", "b": "the queue says that it is stopped"},
)  # fmt: skip
def test_new_workload_of_a_stopped_queue(make_queue, policy):
    queue = make_queue(checks=0, stopPolicy=policy)

    workload = queue.submit()

    within("settle", lambda: queue.is_inactive("Stopped"), clause="b")
    always(workload.is_suspended, clause="a")


@scenario(
    "ADM-095", "a reservation is given back when its LocalQueue is deleted",
    requirement="kep-993#hold", shows="AC-305", since="0.8", also=("kep993",), level="should", clauses={"a": "it waits"},
)  # fmt: skip
def test_deleted_local_queue_takes_the_reservation(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit()
    within("reserve", workload.is_prechecked)

    queue.delete_local()

    within("evict", workload.is_suspended, clause="a")

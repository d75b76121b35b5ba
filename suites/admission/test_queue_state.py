"""ADM: missing, stopped and deleted queues (AC-253, AC-301…307, AC-428…432)."""

from kueue_conformance import always, listed, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-080", "a Workload whose queue is missing waits, and says which one",
    requirement="kep-993#not-reserved-at-first", shows="SC-080 AC-253 AC-281", revision=2, cases=listed(
        "missing kind", ("no-local-queue", "LocalQueue"), ("no-cluster-queue", "ClusterQueue")
    ),
    clauses={"a": "Inadmissible", "b": "it waits", "c": "the message has kind and name", "d": "it is admitted when that is made"},
)  # fmt: skip
def test_missing_queue(kueue_cluster, missing, kind):
    queue, complete = kueue_cluster.incomplete_queue(missing)

    workload = queue.submit()

    within("settle", lambda: workload.has_reason("QuotaReserved", "Inadmissible"), clause="a")
    always(workload.is_suspended, clause="b")
    always(lambda: workload.says("QuotaReserved", f"{kind} {queue.name} "), clause="c")
    complete()
    within("admit", workload.is_admitted, clause="d")


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
    "ADM-084", "a drained Workload is told why it may come back, and not before it may",
    requirement="kep-993#hold", shows="SC-084 AC-268 AC-306 AC-307", since="0.8", also=("kep993",), level="should", revision=2,
    cases=listed(
        "what stopped reason", ("cluster-queue", "ClusterQueueStopped", "ClusterQueueRestarted"),
        ("local-queue", "LocalQueueStopped", "LocalQueueRestarted"),
    ),
    clauses={"a": "Requeued is True for the restart", "b": "it is False while the queue is stopped"},
)  # fmt: skip
def test_requeued_after_restart(kueue_cluster, what, stopped, reason):
    queue = kueue_cluster.queue(checks=0)
    workload = queue.submit("job")
    within("admit", workload.is_admitted)

    queue.stops(what, "HoldAndDrain")
    within("evict", workload.is_suspended)
    workload.touch()
    always(lambda: workload.has_condition("Requeued", "False", stopped), clause="b")
    queue.goes_on(what)

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
    requirement="kep-993#hold", shows="AC-412 AC-430 AC-431 AC-253", cases=listed("policy", ("Hold",), ("HoldAndDrain",)), revision=2,
    clauses={"a": "it waits", "b": "the queue says that it is stopped", "c": "it is admitted when the queue goes on", "d": "which is active again"},
)  # fmt: skip
def test_new_workload_of_a_stopped_queue(make_queue, policy):
    queue = make_queue(checks=0, stopPolicy=policy)

    workload = queue.submit()

    within("settle", lambda: queue.is_inactive("Stopped"), clause="b")
    always(workload.is_suspended, clause="a")
    queue.resumes()
    within("admit", workload.is_admitted, clause="c")
    within("settle", queue.is_active, clause="d")


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


STOPS = (
    ("cluster-queue", "Hold"), ("cluster-queue", "HoldAndDrain"), ("local-queue", "Hold"), ("local-queue", "HoldAndDrain"),
)  # fmt: skip


@scenario(
    "ADM-415", "whatever the policy, a stop takes a reservation back without an eviction, and the checks keep what they said",
    requirement="kep-993#hold", shows="AC-301 AC-304 AC-398 AC-429 AC-430", since="0.8", also=("kep993",), cases=listed("what policy", *STOPS),
    clauses={
        "a": "it waits", "b": "its quota is free", "c": "it was not evicted, and no delay is set", "d": "the verdict stays",
        "e": "it is reserved again when the queue goes on",
    },
)  # fmt: skip
def test_stop_takes_reservations_back(make_queue, what, policy):
    queue = make_queue(checks=2)
    workload = queue.brings_to("prechecked", "job")
    queue.checks[0].answers(workload, "Ready")

    queue.stops(what, policy)

    within("evict", workload.is_suspended, clause="a")
    within("settle", lambda: queue.reserves("0") and queue.counts(reserving=0), clause="b")
    always(
        lambda: workload.was_ever("Evicted").denied() and workload.has_condition("Requeued", "").denied(),
        clause="c",
    )
    always(lambda: workload.has_states("Ready", queue.checks[0]), clause="d")
    queue.goes_on(what)
    within("requeue", lambda: workload.is_prechecked() and workload.was_reserved(2), clause="e")


@scenario(
    "ADM-416", "a LocalQueue that is stopped lets nothing in until it goes on",
    requirement="kep-993#hold", shows="AC-253 AC-432 AC-435 AC-437", since="0.8", also=("kep993",),
    cases=listed("policy when", ("Hold", "before"), ("HoldAndDrain", "before"), ("Hold", "after")),
    clauses={"a": "what waits stays", "b": "users see why", "c": "it is admitted when the LocalQueue goes on"},
)  # fmt: skip
def test_stopped_local_queue(make_queue, policy, when):
    queue, waiting = make_queue(cpu="1"), []
    running = queue.submit(cpu="1", priority=10)
    within("admit", running.is_admitted)
    submit = lambda: waiting.append(queue.submit(cpu="1"))  # noqa: E731
    stop = lambda: queue.stops("local-queue", policy)  # noqa: E731

    [act() for act in {"before": (submit, stop), "after": (stop, submit)}[when]]
    within("settle", lambda: queue.users_see_inactive("Stopped"), clause="b")
    running.delete()
    within("settle", lambda: waiting[0].has_reason("QuotaReserved", "Inadmissible"), clause="a")
    always(waiting[0].is_suspended, clause="a")
    queue.goes_on("local-queue")

    within("requeue", waiting[0].is_admitted, clause="c")
    within("settle", queue.users_see_active, clause="c")


@scenario(
    "ADM-417", "a stop changes nothing for what is evicted already",
    requirement="kep-993#hold", shows="AC-303 AC-433 AC-434", since="0.9", also=("kep993",), cases=pairwise(what=("cluster-queue", "local-queue")),
    clauses={"a": "the first reason stays", "b": "it was evicted once"},
)  # fmt: skip
def test_drain_of_an_evicted_workload(kueue_cluster, what):
    queue = kueue_cluster.queue(checks=1)
    workload = queue.brings_to("admitted")
    kueue_cluster.release.pods_are_held = True
    workload.deactivate()
    within("evict", workload.is_evicted)
    before = workload.condition("Evicted")

    queue.stops(what, "HoldAndDrain")

    within("settle", lambda: queue.says_stopped(what))
    always(lambda: workload.condition("Evicted") == before, clause="a")
    always(lambda: kueue_cluster.events_of(workload).count_of("EvictedDueTo") == 1, clause="b")


@scenario(
    "ADM-418", "of a stopped LocalQueue and a stopped ClusterQueue the LocalQueue is the reason",
    requirement="kep-993#hold", shows="AC-304 AC-432", since="0.8", also=("kep993",), level="should",
    clauses={"a": "evicted because the LocalQueue was stopped", "b": "it waits for both", "c": "admitted again when both go on"},
)  # fmt: skip
def test_both_queues_are_stopped(make_queue):
    queue = make_queue()
    workload = queue.submit()
    within("admit", workload.is_admitted)

    queue.stops("local-queue", "Hold")
    queue.stops("cluster-queue", "Hold")
    queue.stops("local-queue", "HoldAndDrain")
    within(
        "evict", lambda: workload.was_evicted_for("LocalQueueStopped") and workload.is_suspended(), clause="a"
    )
    queue.goes_on("local-queue")
    always(workload.is_suspended, clause="b")
    queue.goes_on("cluster-queue")

    within("requeue", workload.is_admitted, clause="c")


@scenario(
    "ADM-419", "what keeps a Workload from being queued is told word for word",
    requirement="kep-993#not-reserved-at-first", shows="AC-253", level="may", since="0.19",
    cases=listed(
        "blocker text",
        ("no-local-queue", "LocalQueue {} doesn't exist"), ("stopped-local-queue", "LocalQueue {} is inactive"),
        ("no-cluster-queue", "ClusterQueue {} doesn't exist"), ("stopped-cluster-queue", "ClusterQueue {} is inactive"),
    ),
    clauses={"a": "the message of QuotaReserved"},
)  # fmt: skip
def test_texts_of_blockers(kueue_cluster, blocker, text):
    queue = kueue_cluster.blocked_queue(blocker)

    workload = queue.submit()

    within("settle", lambda: workload.says_just("QuotaReserved", text.format(queue.name)), clause="a")
    always(lambda: workload.says_just("QuotaReserved", text.format(queue.name)), clause="a")


@scenario(
    "ADM-420", "a reservation that is taken back says why",
    requirement="kep-993#hold", shows="AC-254 AC-305", level="may", since="0.19",
    cases=listed(
        "cause text",
        ("cluster-queue-stopped", "ClusterQueue {} is stopped"), ("local-queue-stopped", "LocalQueue {} is stopped"),
        ("cluster-queue-deleted", "ClusterQueue {} is terminating or missing"), ("local-queue-deleted", "LocalQueue {} is terminating or missing"),
    ),
    clauses={"a": "the message of QuotaReserved at that time"},
)  # fmt: skip
def test_texts_of_cancelled_reservations(make_queue, cause, text):
    queue = make_queue(checks=1)
    workload = queue.brings_to("prechecked")

    {
        "cluster-queue-stopped": lambda: queue.stops("cluster-queue", "Hold"),
        "local-queue-stopped": lambda: queue.stops("local-queue", "Hold"),
        "cluster-queue-deleted": queue.delete, "local-queue-deleted": queue.delete_local,
    }[cause]()  # fmt: skip

    within(
        "evict",
        lambda: workload.was_told_in("QuotaReserved", "Inadmissible", text.format(queue.name)),
        clause="a",
    )


@scenario(
    "ADM-421", "an eviction is over when quota is reserved again, and is remembered",
    requirement="kep-993#stage-one", shows="AC-266 AC-283", cases=listed("what", ("cluster-queue-stopped",), ("deactivated",)),
    since="0.9", also=("kep993",),
    clauses={"a": "Evicted is True until then", "b": "False afterwards, with the message of before"},
)  # fmt: skip
def test_eviction_is_over(kueue_cluster, what):
    queue = kueue_cluster.queue()
    workload = queue.submit()
    within("admit", workload.is_admitted)
    out, back = {
        "cluster-queue-stopped": (queue.drains, queue.resumes),
        "deactivated": (workload.deactivate, workload.reactivate),
    }[what]
    out()
    within("evict", workload.is_suspended)
    always(workload.is_evicted, clause="a")
    message = workload.condition("Evicted")["message"]
    kueue_cluster.release.pods_are_held = True

    back()

    within("requeue", workload.is_admitted)
    always(lambda: workload.has_condition("Evicted", "False", "QuotaReserved"), clause="b")
    always(lambda: workload.says("Evicted", message), clause="b")


@scenario(
    "ADM-422", "a gate that stays keeps a Workload out after others were taken away",
    requirement="kep-993#hold", shows="AC-163 AC-256 AC-299", since="0.19", clauses={"a": "it waits", "b": "it is admitted without the last one"},
)  # fmt: skip
def test_one_of_two_gates(make_queue):
    queue = make_queue()
    workload = queue.submit(
        annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/one,example.com/two"}
    )
    within("settle", lambda: workload.has_reason("QuotaReserved", "AdmissionGated"))

    workload.changes(metadata={"annotations": {"kueue.x-k8s.io/admission-gated-by": "example.com/two"}})
    always(
        lambda: workload.is_suspended() and workload.has_reason("QuotaReserved", "AdmissionGated"), clause="a"
    )
    workload.ungate()

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-423", "evictions are counted by their reason",
    requirement="kep-993#stop-admitted", shows="AC-340 AC-342", since="0.19", level="should", clauses={"a": "one line for each reason, with its count"},
)  # fmt: skip
def test_evictions_are_counted(make_queue):
    queue = make_queue()
    workload = queue.submit()
    within("admit", workload.is_admitted)

    for what in ("cluster-queue-stopped", "local-queue-stopped", "cluster-queue-stopped"):
        queue.sends_back(workload, what)
        within("requeue", workload.is_admitted)

    within(
        "settle",
        lambda: workload.counts_evictions({("ClusterQueueStopped", ""): 2, ("LocalQueueStopped", ""): 1}),
        clause="a",
    )


@scenario(
    "ADM-424", "what a stop does is told word for word",
    requirement="kep-993#hold", shows="AC-252 AC-260 AC-265 AC-268 AC-269 AC-306 AC-307", since="0.19", level="may",
    cases=listed(
        "what stopped restarted",
        ("cluster-queue", "The ClusterQueue is stopped", "The ClusterQueue was restarted after being stopped"),
        ("local-queue", "The LocalQueue is stopped", "The LocalQueue was restarted after being stopped"),
    ),
    clauses={"a": "Evicted, QuotaReserved and Requeued", "b": "Admitted", "c": "Requeued when the queue goes on"},
)  # fmt: skip
def test_texts_of_stops(make_queue, what, stopped, restarted):
    queue = make_queue()
    workload = queue.submit("job")
    within("admit", workload.is_admitted)

    queue.stops(what, "HoldAndDrain")
    within("evict", lambda: workload.is_suspended() and workload.says_just("Evicted", stopped), clause="a")
    within("settle", lambda: workload.was_told_in("QuotaReserved", "Pending", stopped), clause="a")
    within("settle", lambda: workload.says_just("Requeued", stopped), clause="a")
    within("settle", lambda: workload.says_just("Admitted", "The workload has no reservation"), clause="b")
    queue.goes_on(what)

    within("requeue", lambda: workload.says_just("Requeued", restarted), clause="c")

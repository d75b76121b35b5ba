"""ADM: queues that are missing, stopped or for other
namespaces keep a Workload out (AC-031, AC-253, AC-281).
"""

from kueue_conformance import always, cross, rows, scenario, within

SELECTED = {"kueue-conformance.dev/selected": "yes"}
WITH_GPU = {
    "name": "main",
    "image": "registry.k8s.io/pause:3.10",
    "resources": {"requests": {"cpu": "1", "example.com/gpu": "1"}},
}
PODS_WITH_GPU = {
    "name": "main",
    "count": 1,
    "template": {"spec": {"restartPolicy": "Never", "containers": [WITH_GPU]}},
}
"""Pods of which no resource group covers a resource."""


@scenario(
    "ADM-080",
    "a Workload whose queue is missing stays pending, and reports that queue",
    requirement="kep-993#not-reserved-at-first",
    shows="SC-080 AC-253 AC-281 S-102",
    revision=2,
    cases=rows("missing kind", ("no-local-queue", "LocalQueue"), ("no-cluster-queue", "ClusterQueue")),
    clauses={
        "a": "QuotaReserved is False",
        "b": "it waits",
        "c": "the message has kind and name",
        "d": "it is admitted when that is made",
    },
)
def test_missing_queue(kueue_cluster, missing, kind):
    queue, complete = kueue_cluster.make_incomplete_queue(missing)

    workload = queue.submit()

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="b")
    always(lambda: workload.has_message_containing("QuotaReserved", f"{kind} {queue.name} "), clause="c")
    complete()
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-081",
    "a Workload without quota has the reason of its cause, as the release names it",
    requirement="kep-993#not-reserved-at-first",
    shows="SC-081 AC-251 AC-253 KV-05 KV-06 KV-07 KV-09 KV-10",
    since="0.9",
    also=("kep993",),
    level="should",
    cases=rows(
        "circumstances cause",
        ("others hold the quota", "waiting-for-quota"),
        ("more than the queue will ever have", "exceeds-max-quota"),
        ("a resource of no group", "no-matching-flavor"),
        ("no LocalQueue", "misconfigured"),
        ("no ClusterQueue", "misconfigured"),
        ("a stopped LocalQueue", "suspended"),
        ("a stopped ClusterQueue", "suspended"),
    ),
    clauses={"a": "the reason of QuotaReserved", "b": "it is not admitted, and from v0.20 on says so"},
)
def test_reason_of_the_cause(kueue_cluster, circumstances, cause):
    workload = CIRCUMSTANCES[circumstances](kueue_cluster)

    within("settle", lambda: workload.is_unreserved_for(cause), clause="a")
    always(lambda: workload.is_unreserved_for(cause), clause="a")
    if kueue_cluster.context.dialect.fact("names-causes"):
        always(lambda: workload.has_condition("Admitted", "False", "NoReservation"), clause="b")
    else:
        always(lambda: workload.has_no_condition("Admitted"), clause="b")


def _behind_a_holder(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    within("admit", queue.submit(cpu="1").is_admitted)
    return queue.submit(cpu="1")


def _without_a_queue(missing):
    def submit(kueue_cluster):
        queue, _ = kueue_cluster.make_incomplete_queue(missing)
        return queue.submit()

    return submit


def _in_a_stopped_queue(stopped):
    return lambda kueue_cluster: kueue_cluster.make_blocked_queue(stopped).submit()


CIRCUMSTANCES = {
    "others hold the quota": _behind_a_holder,
    "more than the queue will ever have": lambda kueue_cluster: kueue_cluster.make_queue(cpu="1").submit(
        cpu="2"
    ),
    "a resource of no group": lambda kueue_cluster: kueue_cluster.make_queue().submit(
        podSets=[PODS_WITH_GPU]
    ),
    "no LocalQueue": _without_a_queue("no-local-queue"),
    "no ClusterQueue": _without_a_queue("no-cluster-queue"),
    "a stopped LocalQueue": _in_a_stopped_queue("stopped-local-queue"),
    "a stopped ClusterQueue": _in_a_stopped_queue("stopped-cluster-queue"),
}


@scenario(
    "ADM-797",
    "a Workload that has quota says that its checks are not ready, and after its loss that it has no reservation",
    requirement="docs-2024#admitted-when-ready",
    shows="KV-03 KV-04",
    since="0.20.0-devel",
    also=("kep993",),
    gates=("UnadmittedWorkloadsObservability",),
    level="should",
    cases=cross(form=("workload", "job")),
    clauses={"a": "checks are not ready", "b": "it has no reservation", "c": "it is admitted later"},
)
def test_why_it_is_not_admitted(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)

    within(
        "settle",
        lambda: workload.has_condition("Admitted", "False", "UnsatisfiedAdmissionChecks"),
        clause="a",
    )
    queue.hold_and_drain()
    within("evict", lambda: workload.has_condition("Admitted", "False", "NoReservation"), clause="b")
    queue.resume()
    within("requeue", lambda: workload.was_reserved(2), clause="c")
    queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-404",
    "a Workload stays pending until its LocalQueue and ClusterQueue are created, and then gets quota",
    requirement="kep-993#not-reserved-at-first",
    shows="Q-062 Q-064 AC-253",
    cases=rows("missing", ("no-local-queue",), ("no-cluster-queue",)),
    clauses={"a": "it waits", "b": "it is admitted"},
)
def test_queue_is_made_later(kueue_cluster, missing):
    queue, complete = kueue_cluster.make_incomplete_queue(missing)
    workload = queue.submit()
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")

    complete()

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-405",
    "a ClusterQueue admits Workloads of the namespaces that it selects",
    requirement="kep-993#not-reserved-at-first",
    shows="Q-050 Q-214 AC-031",
    clauses={"a": "another namespace waits", "b": "until it is selected"},
)
def test_selected_namespaces(kueue_cluster):
    queue = kueue_cluster.make_queue(namespaceSelector={"matchLabels": SELECTED})
    workload = queue.submit()
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")

    kueue_cluster.label_namespace(SELECTED)

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-419",
    "the reasons for which a Workload is not queued have the recorded texts",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-253",
    level="may",
    since="0.19",
    cases=rows(
        "blocker text",
        ("no-local-queue", "LocalQueue {} doesn't exist"),
        ("stopped-local-queue", "LocalQueue {} is inactive"),
        ("no-cluster-queue", "ClusterQueue {} doesn't exist"),
        ("stopped-cluster-queue", "ClusterQueue {} is inactive"),
    ),
    clauses={"a": "the message of QuotaReserved"},
)
def test_texts_of_blockers(kueue_cluster, blocker, text):
    queue = kueue_cluster.make_blocked_queue(blocker)

    workload = queue.submit()

    within("settle", lambda: workload.has_message("QuotaReserved", text.format(queue.name)), clause="a")
    always(lambda: workload.has_message("QuotaReserved", text.format(queue.name)), clause="a")


@scenario(
    "ADM-554",
    "a Workload of a stopped queue stays pending, reports that queue, and is admitted when it is resumed",
    requirement=("kep-993#not-reserved-at-first", "kep-993#hold"),
    shows="AC-253 AC-281 AC-430 AC-432",
    since="0.9",
    cases=rows("queue_kind kind", ("local-queue", "LocalQueue"), ("cluster-queue", "ClusterQueue")),
    clauses={
        "a": "QuotaReserved is False",
        "b": "the message has kind and name",
        "c": "it waits",
        "d": "it is admitted when the queue is resumed",
    },
)
def test_queue_that_takes_nobody(kueue_cluster, queue_kind, kind):
    queue = kueue_cluster.make_blocked_queue(f"stopped-{queue_kind}")

    workload = queue.submit()

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    within(
        "settle",
        lambda: workload.has_message_containing("QuotaReserved", f"{kind} {queue.name} "),
        clause="b",
    )
    always(
        lambda: (
            workload.is_suspended()
            and workload.has_message_containing("QuotaReserved", f"{kind} {queue.name} ")
        ),
        clause="c",
    )
    queue.resume_queue(queue_kind)
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-555",
    "a Workload whose ClusterQueue cannot be used reports it",
    requirement=("kep-993#not-reserved-at-first", "docs-2024#missing-or-inactive-check"),
    shows="AC-253 AC-281 AC-414 AC-425",
    since="0.9",
    level="should",
    clauses={
        "a": "QuotaReserved is False, with the name of the ClusterQueue",
        "b": "reserved when it can be used",
    },
)
def test_queue_that_cannot_be_used(kueue_cluster):
    check = kueue_cluster.make_check(active=False)
    queue = kueue_cluster.make_queue([check])
    within("settle", queue.is_inactive_for_inactive_checks)

    workload = queue.submit()

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(
        lambda: workload.has_message_containing("QuotaReserved", f"ClusterQueue {queue.name} "), clause="a"
    )
    check.set_active()
    within("reserve", workload.is_prechecked, clause="b")


@scenario(
    "ADM-592",
    "a Workload whose job is on hold gets no quota until its integration reports that the job waits for quota",
    requirement="kep-993#hold",
    shows="AC-257 VIS-506 Q-003",
    since="0.19",
    level="should",
    clauses={"a": "a later Workload is admitted", "b": "it waits", "c": "it is admitted then"},
)
def test_job_on_hold(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    inadmissible = queue.submit(cpu="1", priority=9)
    within("settle", lambda: inadmissible.has_condition("QuotaReserved", "False"))
    inadmissible.set_waiting_reason("OnHold")
    within("settle", lambda: queue.shows_counts(pending=0))
    later = queue.submit(cpu="1", priority=1)

    queue.set_quota("2")

    within("admit", later.is_admitted, clause="a")
    always(lambda: inadmissible.has_reason("QuotaReserved", "OnHold"), clause="b")
    inadmissible.set_waiting_reason("Pending")
    within("requeue", inadmissible.is_admitted, clause="c")

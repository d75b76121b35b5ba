"""ADM: the priority class that a Job is given after its Workload was made (AC-097, AC-098)."""

from kueue_conformance import always, either, rows, scenario, within

PODS, HIGH = 5, 1000
LABEL = "kueue.x-k8s.io/priority-class"


@scenario(
    "ADM-635",
    "a Job that gets a priority class while its Workload holds quota runs when its check has passed",
    requirement="kep-993#green-light",
    shows="AC-098 AC-333",
    since="0.19",
    cases=rows("pods", (None,), (PODS,)),
    clauses={
        "a": "the Workload keeps its priority and its quota, and the Job waits for the check",
        "b": "then it is admitted, and the Job runs",
    },
)
def test_class_comes_while_quota_is_reserved(kueue_cluster, pods):
    queue, important = kueue_cluster.make_queue(checks=1), kueue_cluster.make_priority_class(HIGH)
    of_pods = {} if pods is None else {"priorityClassName": kueue_cluster.make_pod_priority_class(pods)}
    workload = queue.submit_until("prechecked", "job", template=of_pods)
    job = kueue_cluster.job_of(workload)

    job.set_priority_class(important)

    always(
        lambda: workload.has_spec(priority=pods or 0) and workload.is_prechecked() and job.is_suspended(),
        clause="a",
    )
    queue.checks[0].answer(workload, "Ready")
    within("admit", lambda: workload.is_admitted() and job.is_started(), clause="b")


@scenario(
    "ADM-636",
    "a pending Workload with the priority of its pods does not take over the priority class that its Job gets",
    requirement="kueue-api#priority",
    shows="AC-097 AC-098",
    since="0.19",
    level="should",
    clauses={"a": "it keeps value and class", "b": "and its place in the queue"},
)
def test_class_comes_to_that_of_pods(kueue_cluster):
    queue, important = kueue_cluster.make_queue(cpu="1"), kueue_cluster.make_priority_class(HIGH)
    of_pods = kueue_cluster.make_pod_priority_class(PODS)
    running = queue.submit_until("admitted", cpu="1")
    before = queue.submit(cpu="1", priority=PODS + 1)
    workload = queue.submit("job", cpu="1", template={"priorityClassName": of_pods})
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))

    kueue_cluster.job_of(workload).set_priority_class(important)

    reference = {"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": of_pods}
    always(lambda: workload.has_spec(priority=PODS, priorityClassRef=reference), clause="a")
    running.finish()
    within("requeue", before.is_admitted, clause="b")
    always(workload.is_suspended, clause="b")


@scenario(
    "ADM-781",
    "a Job whose priority label is removed while its Workload holds quota runs, or is not reconciled",
    requirement="kueue-api#quirks",
    shows="KV-53 AC-098",
    since="0.19",
    level="may",
    clauses={
        "a": "the Workload keeps its class and is admitted",
        "b": "its Job runs, or nothing is done for it",
        "c": "it runs when it has the label again",
    },
)
def test_class_is_taken_while_quota_is_reserved(kueue_cluster, clock):
    queue, important = kueue_cluster.make_queue(checks=1), kueue_cluster.make_priority_class(HIGH)
    workload = queue.submit_until("prechecked", "job", labels={LABEL: important})
    job = kueue_cluster.job_of(workload)

    job.try_to_remove_priority_class()

    clock.advance_budget("react")
    queue.checks[0].answer(workload, "Ready")
    within("admit", lambda: workload.is_admitted() and workload.has_spec(priority=HIGH), clause="a")
    clock.advance_budget("react")
    either(
        "settle",
        {
            "it runs": job.is_started,
            "it is not reconciled": lambda: workload.is_admitted() and job.is_suspended(),
        },
        until={"it is not reconciled": "<0.19.3, 0.20.0"},
        clause="b",
    )
    job.set_priority_class(important)
    within("requeue", job.is_started, clause="c")


@scenario(
    "ADM-789",
    "from v0.20 on a Job that names a missing priority class has an event that names it",
    requirement="kueue-api#priority",
    shows="KV-20 C-28",
    since="0.20.0-devel",
    level="should",
    clauses={"a": "an event names the class", "b": "no Workload is created"},
)
def test_missing_class_has_an_event(kueue_cluster):
    queue, missing = kueue_cluster.make_queue(), kueue_cluster.names.name("class")

    workload = queue.submit("job", labels={LABEL: missing})

    events, reason = kueue_cluster.events_of(workload), "WorkloadPriorityClassNotFound"
    text = f'WorkloadPriorityClass "{missing}" not found'
    within("react", lambda: events.has_event_with_text(reason, text), clause="a")
    always(lambda: workload.exists().negate(), clause="b")


@scenario(
    "ADM-703",
    "a pending Workload has the priority of its pods, or none, when its Job names no class any more",
    requirement="kueue-api#priority",
    shows="AC-097 AC-098 AC-331",
    since="0.19",
    cases=rows("pods", (None,), (PODS,)),
    clauses={
        "a": "the value and the class of the label are gone, or a webhook keeps the label",
        "b": "the priority that it has by then orders the queue",
    },
)
def test_class_is_taken_from_a_waiting_job(kueue_cluster, pods):
    queue, important = kueue_cluster.make_queue(cpu="1"), kueue_cluster.make_priority_class(HIGH)
    of_pods = None if pods is None else kueue_cluster.make_pod_priority_class(pods)
    template = {"priorityClassName": of_pods} if of_pods else {}
    running = queue.submit_until("admitted", cpu="1")
    workload = queue.submit("job", cpu="1", template=template, labels={LABEL: important})
    between = queue.submit(cpu="1", priority=PODS + 1)
    within(
        "settle",
        lambda: workload.has_spec(priority=HIGH) and between.has_condition("QuotaReserved", "False"),
    )

    answer = kueue_cluster.job_of(workload).try_to_remove_priority_class()

    reference = of_pods and {"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": of_pods}
    observed = either(
        "settle",
        {
            "it is followed": lambda: workload.has_spec(priority=pods or 0, priorityClassRef=reference),
            "it is refused": lambda: not answer.is_accepted and workload.has_spec(priority=HIGH),
        },
        clause="a",
    )
    first, second = {"it is followed": (between, workload), "it is refused": (workload, between)}[observed]
    running.finish()
    within("requeue", first.is_admitted, clause="b")
    always(second.is_suspended, clause="b")
    first.finish()
    within("requeue", second.is_admitted, clause="b")

"""JIN: the queue and the priority class that a job names: later, anew, in each state of its Workload."""

from kueue_conformance import always, cross, never, scenario, within

FOLLOWS = "integrations#follows-changes"
EVICTED = "integrations#stops-at-eviction"


@scenario(
    "JIN-081",
    "a suspended job that names a queue only later has a Workload from then on",
    requirement="integrations#starts-when-admitted",
    shows="JI-009 JI-016",
    since="0.19",
    clauses={"a": "it has no Workload before", "b": "it has one then", "c": "with which it runs"},
)
def test_queue_later(make_queue, integration):
    queue, other = make_queue(), make_queue()
    job, managed = integration.submit(None), integration.submit(other)
    within("react", managed.has_one_workload)
    always(job.has_no_workload, clause="a")

    job.set_queue(queue)

    within("react", job.has_one_workload, clause="b")
    within("start", job.is_running, clause="c")


@scenario(
    "JIN-082",
    "an evicted job that names another WorkloadPriorityClass is admitted again with its priority",
    requirement=FOLLOWS,
    shows="JI-018 JI-055",
    since="0.19",
    clauses={
        "a": "its Workload has the new class and value",
        "b": "the job runs again",
        "c": "by the same Workload",
    },
)
def test_other_priority_after_eviction(make_queue, integration, kueue_cluster):
    low, high = kueue_cluster.make_priority_class(1), kueue_cluster.make_priority_class(9)
    job = integration.start_job(make_queue(), priority_class=low)
    uid = job.workload_uid
    job.workload.deactivate()
    within("evict", job.is_suspended)
    job.end_pods()
    within("evict", job.has_no_quota)

    job.set_priority_class(high)
    within("react", lambda: job.has_priority_in_workload(high, 9), clause="a")
    job.workload.reactivate()

    within("requeue", job.is_running, clause="b")
    always(lambda: job.has_workload(uid), clause="c")


@scenario(
    "JIN-083",
    "a waiting job that names a WorkloadPriorityClass only later has its priority",
    requirement=FOLLOWS,
    shows="JI-053",
    since="0.19",
    clauses={"a": "its Workload has the class and its value", "b": "it is the same Workload"},
)
def test_priority_class_later(make_queue, integration, kueue_cluster):
    name = kueue_cluster.make_priority_class(9)
    job = integration.submit(make_queue(cpu="0"))
    within("react", job.has_one_workload)
    uid = job.workload_uid

    job.set_priority_class(name)

    within("react", lambda: job.has_priority_in_workload(name, 9), clause="a")
    always(lambda: job.has_workload(uid), clause="b")


@scenario(
    "JIN-084",
    "a job whose WorkloadPriorityClass does not exist waits for it",
    requirement="integrations#says-what-runs",
    shows="JI-008 JI-017",
    since="0.19",
    clauses={
        "a": "it does not run before",
        "b": "its Workload has the class and its value when that is made",
        "c": "it runs then",
    },
)
def test_missing_priority_class(make_queue, integration, kueue_cluster):
    queue, name = make_queue(), kueue_cluster.names.name("priority")
    job, other = integration.submit(queue, priority_class=name), integration.submit(queue)
    within("start", other.is_running)
    never(job.is_running, clause="a")

    kueue_cluster.make_priority_class(9, name)

    within("recover", lambda: job.has_priority_in_workload(name, 9), clause="b")
    within("recover", job.is_running, clause="c")


@scenario(
    "JIN-085",
    "a running job that names another WorkloadPriorityClass has its priority, and runs on",
    requirement=FOLLOWS,
    shows="JI-018",
    since="0.19",
    clauses={"a": "its Workload has the new class and value", "b": "the job was started once, and runs"},
)
def test_other_priority_while_it_runs(make_queue, integration, kueue_cluster):
    low, high = kueue_cluster.make_priority_class(1), kueue_cluster.make_priority_class(9)
    job = integration.start_job(make_queue(), priority_class=low)

    job.set_priority_class(high)

    within("react", lambda: job.has_priority_in_workload(high, 9), clause="a")
    always(lambda: job.is_running() and job.was_started(1), clause="b")


@scenario(
    "JIN-086",
    "a job whose queue is stopped and drained is suspended, and runs again when the queue is resumed",
    requirement=EVICTED,
    shows="JI-030 JI-037",
    since="0.19",
    cases=cross(stopped=("cluster-queue", "local-queue")),
    clauses={"a": "it is suspended", "b": "it does not run before", "c": "it runs then"},
)
def test_stopped_queue(make_queue, integration, stopped):
    queue = make_queue()
    job = integration.start_job(queue)

    queue.set_stop_policy(stopped, "HoldAndDrain")

    within("evict", job.is_suspended, clause="a")
    job.end_pods()
    within("evict", job.has_no_quota)
    never(job.is_running, clause="b")
    queue.resume_queue(stopped)
    within("requeue", job.is_running, clause="c")


@scenario(
    "JIN-087",
    "a waiting job that names a queue which does not exist runs when it names one that does",
    requirement=FOLLOWS,
    shows="JI-050",
    since="0.19",
    clauses={"a": "it does not run before", "b": "its Workload names the last queue", "c": "it runs there"},
)
def test_missing_queue(make_queue, integration, kueue_cluster):
    queue, other = make_queue(cpu="0"), make_queue()
    missing = kueue_cluster.missing_queue()
    job = integration.submit(queue)
    within("react", job.has_one_workload)
    job.set_queue(missing)
    within("react", lambda: job.workload.has_spec(queueName=missing.name))
    never(job.is_running, clause="a")

    job.set_queue(other)

    within("react", lambda: job.workload.has_spec(queueName=other.name), clause="b")
    within("start", job.is_running, clause="c")

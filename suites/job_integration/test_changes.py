"""JIN: a job that its user changes, while its Workload waits and while it runs."""

from kueue_conformance import always, never, scenario, within

FOLLOWS = "integrations#follows-changes"


@scenario(
    "JIN-050",
    "a waiting job that names another queue is moved there",
    requirement=FOLLOWS,
    shows="JI-050",
    clauses={"a": "its Workload names the new queue", "b": "it is admitted there, and runs"},
)
def test_other_queue(make_queue, integration):
    queue, other = make_queue(cpu="0"), make_queue()
    job = integration.submit(queue)
    within("react", job.has_one_workload)

    job.set_queue(other)

    within("react", lambda: job.workload.has_spec(queueName=other.name), clause="a")
    within("start", job.is_running, clause="b")


@scenario(
    "JIN-051",
    "a waiting job that needs fewer pods is admitted with those",
    requirement=FOLLOWS,
    shows="JI-051",
    clauses={"a": "its Workload says so", "b": "it is the only one", "c": "it fits then, and runs"},
)
def test_fewer_pods(make_queue, integration):
    job = integration.submit(make_queue(cpu="2"), parallelism=3)
    within("react", job.has_one_workload)

    job.set_parallelism(2)

    within("react", job.is_described_by_its_workload, clause="a")
    always(job.has_one_workload, clause="b")
    within("start", job.is_running, clause="c")


@scenario(
    "JIN-052",
    "a waiting job whose pods request less is admitted with that",
    requirement=FOLLOWS,
    shows="JI-051",
    clauses={"a": "its Workload says so", "b": "it fits then, and runs"},
)
def test_smaller_pods(make_queue, integration):
    job = integration.submit(make_queue(cpu="2"), cpu="3")
    within("react", job.has_one_workload)

    job.set_cpu("1")

    within("react", job.is_described_by_its_workload, clause="a")
    within("start", job.is_running, clause="b")


@scenario(
    "JIN-053",
    "a waiting job that names another WorkloadPriorityClass has its priority",
    requirement=FOLLOWS,
    shows="JI-053",
    since="0.13",
    clauses={"a": "its Workload has the new class and value"},
)
def test_other_priority(make_queue, integration, kueue_cluster):
    low, high = kueue_cluster.make_priority_class(1), kueue_cluster.make_priority_class(9)
    job = integration.submit(make_queue(cpu="0"), priority_class=low)
    within("react", lambda: job.has_priority_in_workload(low, 1))

    job.set_priority_class(high)

    within("react", lambda: job.has_priority_in_workload(high, 9), clause="a")


@scenario(
    "JIN-054",
    "a running job that is changed to run fewer pods holds quota for those alone",
    requirement=FOLLOWS,
    shows="JI-052 JI-054",
    clauses={"a": "it runs, and its Workload says what runs", "b": "by one Workload"},
)
def test_changed_while_it_runs(make_queue, integration):
    job = integration.start_job(make_queue(), parallelism=3)

    job.set_parallelism(2)
    within("react", job.is_suspended)
    job.end_pods()

    within("recover", lambda: job.is_running() and job.is_described_by_its_workload(), clause="a")
    within("recover", job.has_one_workload, clause="b")


@scenario(
    "JIN-055",
    "labels that others put on a job and its Workload stay",
    requirement="integrations#nothing-of-others",
    shows="JI-082",
    since="0.9",
    clauses={"a": "they are on the job after it was started and stopped", "b": "and on its Workload"},
)
def test_labels_of_others(queue, integration):
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    job.set_label("example.com/note", "mine")
    job.workload.annotate("example.com/note", "mine")
    queue.checks[0].answer(job.workload, "Ready")
    within("start", job.is_running)

    job.workload.deactivate()

    within("evict", job.is_suspended)
    always(lambda: job.has_label("example.com/note", "mine"), clause="a")
    always(lambda: job.workload.has_annotation("example.com/note", "mine"), clause="b")


@scenario(
    "JIN-056",
    "a job that is suspended while it waits, and resumed, does not run before it is Admitted",
    requirement="integrations#starts-when-admitted",
    shows="JI-013",
    clauses={"a": "it does not stay resumed", "b": "it runs when it fits"},
)
def test_suspended_and_resumed(make_queue, integration):
    queue = make_queue(cpu="0")
    job = integration.submit(queue)
    within("react", job.has_one_workload)
    job.suspend()
    job.resume()

    within("react", job.is_suspended, clause="a")
    never(job.is_running, clause="a")
    queue.set_quota("10")
    within("start", job.is_running, clause="b")


@scenario(
    "JIN-057",
    "a job that is changed while a check of its Workload is Pending does not run by the quota of what it was",
    requirement=FOLLOWS,
    shows="JI-054 JI-056",
    since="0.19",
    clauses={
        "a": "it has another Workload, which says what it needs",
        "b": "it does not run while that waits",
        "c": "the first Workload holds no quota",
    },
)
def test_changed_while_it_is_checked(make_queue, integration):
    queue = make_queue(checks=1, cpu="2")
    job = integration.submit_until_reserved(queue)
    uid = job.workload_uid

    job.set_cpu("3")

    within(
        "react",
        lambda: job.has_another_workload_than(uid) and job.is_described_by_its_workload(),
        clause="a",
    )
    never(job.is_running, clause="b")
    always(job.has_no_quota, clause="c")


@scenario(
    "JIN-058",
    "an evicted job that is changed is admitted again with what it needs then",
    requirement=FOLLOWS,
    shows="JI-051 JI-055",
    since="0.19",
    clauses={"a": "it runs again", "b": "its Workload says what runs", "c": "by one Workload"},
)
def test_changed_after_eviction(make_queue, integration):
    job = integration.start_job(make_queue(), parallelism=3)
    job.workload.deactivate()
    within("evict", job.is_suspended)
    job.end_pods()
    within("evict", job.has_no_quota)

    job.set_parallelism(2)
    within("react", job.is_described_by_its_workload, clause="b")
    job.workload.reactivate()

    within("requeue", job.is_running, clause="a")
    always(job.is_described_by_its_workload, clause="b")
    always(job.has_one_workload, clause="c")


@scenario(
    "JIN-059",
    "a job that has lost its Workload has a new one when no pod is left, and not before",
    requirement="integrations#quota-last",
    shows="JI-066",
    since="0.19",
    clauses={"a": "the job is suspended", "b": "it has no Workload while pods are left", "c": "and one then"},
)
def test_no_second_workload_beside_pods(make_queue, integration):
    job = integration.start_job(make_queue())
    job.workload.force_delete()
    within("react", job.is_suspended, clause="a")

    always(job.has_no_workload, clause="b")

    job.end_pods()
    within("recover", job.has_one_workload, clause="c")

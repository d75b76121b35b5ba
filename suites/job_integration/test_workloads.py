"""JIN: the Workload of a job: whose it is, what it is called, and what it says of the pods."""

from kueue_conformance import always, cross, never, scenario, within

OWNED = "integrations#one-workload"
SAID = "integrations#says-what-runs"
PASSED_ON = "integrations#passes-on"
PARAMETERS = "provreq.kueue.x-k8s.io/"


@scenario(
    "JIN-001",
    "a job with a queue has one Workload, which it controls",
    requirement=OWNED,
    shows="JI-002 JI-003",
    clauses={"a": "one is made", "b": "its controller is the job, by uid", "c": "it stays the only one"},
)
def test_one_workload(queue, integration):
    job = integration.submit(queue)

    within("react", job.has_one_workload, clause="a")
    always(job.is_controller_of_its_workload, clause="b")
    always(job.has_one_workload, clause="c")


@scenario(
    "JIN-002",
    "the Workload of a job names the LocalQueue of the job",
    requirement=SAID,
    shows="JI-005",
    clauses={"a": "it has its name"},
)
def test_queue_name(queue, integration):
    job = integration.submit(queue)

    within("react", lambda: job.workload.has_spec(queueName=queue.name), clause="a")


@scenario(
    "JIN-003",
    "the pod sets of a Workload say how many pods run, and what each of them requests",
    requirement=SAID,
    shows="JI-006",
    clauses={"a": "counts, containers and requests are those of the job"},
    cases=cross(pods=(1, 3)),
)
def test_pod_sets(queue, integration, pods):
    job = integration.submit(queue, parallelism=pods, cpu="250m")

    within("react", job.is_described_by_its_workload, clause="a")


@scenario(
    "JIN-004",
    "a job that takes the place of an earlier one of its name while the integration is down gets a Workload of its own",
    requirement=OWNED,
    shows="JI-004 JI-063 JI-073",
    clauses={"a": "it has one, which it controls", "b": "it runs when that is Admitted"},
)
def test_namesake(make_queue, integration):
    queue = make_queue()
    earlier = integration.start_job(queue)

    with integration.delay_start():
        earlier.delete()
        within("cleanup", earlier.is_gone)
        job = integration.submit(queue, name=earlier.name)

    within("recover", lambda: job.has_one_workload() and job.is_controller_of_its_workload(), clause="a")
    within("recover", lambda: job.workload.is_admitted() and job.is_running(), clause="b")


@scenario(
    "JIN-005",
    "the quota of a Workload is kept from others only as long as the job needs it: Kueue's finalizer is on the Workload",
    level="should",
    requirement=OWNED,
    shows="JI-007",
    clauses={"a": "the Workload has the finalizer"},
)
def test_finalizer(queue, integration):
    job = integration.submit(queue)

    within("react", job.workload.has_kueue_finalizer, clause="a")


@scenario(
    "JIN-006",
    "the Workload of a job has the priority of the WorkloadPriorityClass that the job names",
    requirement=SAID,
    shows="JI-008",
    since="0.9",
    clauses={"a": "it has the class and its value"},
)
def test_priority_class(queue, integration, kueue_cluster):
    name = kueue_cluster.make_priority_class(1000)

    job = integration.submit(queue, priority_class=name)

    within("react", lambda: job.has_priority_in_workload(name, 1000), clause="a")


@scenario(
    "JIN-007",
    "a job without a queue is left alone",
    requirement="integrations#nothing-of-others",
    shows="JI-009",
    clauses={
        "a": "it has no Workload",
        "b": "it is not suspended",
        "c": "nothing of it is written",
        "d": "one with a queue has a Workload meanwhile",
    },
)
def test_no_queue(queue, integration):
    job = integration.submit(None, suspended=False)
    other = integration.submit(queue)

    within("react", other.has_one_workload, clause="d")

    always(job.has_no_workload, clause="a")
    always(job.is_running, clause="b")
    never(job.was_written, clause="c")


@scenario(
    "JIN-008",
    "several jobs have a Workload each, and those that fit run",
    requirement=OWNED,
    shows="JI-002 JI-081",
    clauses={"a": "each that fits runs", "b": "the other does not", "c": "each has one Workload"},
)
def test_several_jobs(make_queue, integration):
    queue = make_queue(cpu="2")
    first, second = integration.submit(queue), integration.submit(queue)
    within("start", lambda: first.is_running() and second.is_running(), clause="a")

    third = integration.submit(queue)

    within("react", third.has_one_workload, clause="c")
    never(third.is_running, clause="b")
    always(lambda: first.has_one_workload() and second.has_one_workload(), clause="c")
    always(third.has_one_workload, clause="c")


@scenario(
    "JIN-130",
    "how long a job may run is in its Workload, which Kueue ends the job by",
    level="may",
    requirement=PASSED_ON,
    shows="JI-098",
    since="0.19",
    clauses={"a": "the seconds of the label are its limit"},
)
def test_execution_time(queue, integration):
    job = integration.submit(queue, labels={"kueue.x-k8s.io/max-exec-time-seconds": "3600"})

    within("react", lambda: job.workload.has_spec(maximumExecutionTimeSeconds=3600), clause="a")


@scenario(
    "JIN-131",
    "parameters of ProvisioningRequests that a job names are in its Workload, and its other annotations are not",
    level="may",
    requirement=PASSED_ON,
    shows="JI-099",
    since="0.19",
    clauses={"a": "annotations with the prefix are copied", "b": "and no others"},
)
def test_provisioning_parameters(queue, integration):
    others = f"others.{PARAMETERS}zone"
    job = integration.submit(queue, annotations={f"{PARAMETERS}zone": "a", others: "b"})

    within("react", lambda: job.workload.has_annotation(f"{PARAMETERS}zone", "a"), clause="a")
    always(lambda: job.workload.has_annotation(others, None), clause="b")

"""JIN: prebuilt Workloads, jobs of jobs, several replicas, and the rights of an integration."""

from kueue_conformance import always, never, scenario, within

PREBUILT = "integrations#prebuilt"
CHILDREN = "integrations#child-jobs"
REPLICAS = "integrations#replicas"
LABEL = "kueue.x-k8s.io/prebuilt-workload-name"


@scenario(
    "JIN-116",
    "a job that names a Workload that is there already adopts it, and runs when that is Admitted",
    requirement=PREBUILT,
    shows="JI-093",
    needs=("job.capabilities: PrebuiltWorkloads",),
    since="0.19",
    clauses={"a": "the job controls the Workload", "b": "it is the only one", "c": "the job runs by it"},
)
def test_prebuilt(make_queue, integration):
    queue, name = make_queue(checks=1), integration.new_workload_name()
    like = integration.submit_until_reserved(queue)
    workload = integration.prebuild_workload(name, queue, like)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    job = integration.submit(queue, labels={LABEL: name})

    within("react", job.has_one_workload, clause="b")
    always(job.is_controller_of_its_workload, clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("start", job.is_running, clause="c")


@scenario(
    "JIN-117",
    "a job that names a Workload which does not exist is suspended, and waits for that",
    requirement=PREBUILT,
    shows="JI-093 JI-102",
    needs=("job.capabilities: PrebuiltWorkloads",),
    since="0.19",
    clauses={
        "a": "it is suspended",
        "b": "it has no Workload",
        "c": "it runs when the named one is Admitted",
    },
)
def test_missing_prebuilt(make_queue, integration):
    queue, name = make_queue(), integration.new_workload_name()
    like = integration.submit(queue)
    within("start", like.is_running)
    job = integration.submit(queue, labels={LABEL: name}, suspended=False)
    within("react", job.is_suspended, clause="a")
    always(job.has_no_workload, clause="b")

    integration.prebuild_workload(name, queue, like)

    within("recover", job.is_running, clause="c")


@scenario(
    "JIN-118",
    "a job whose prebuilt Workload asks for something else does not run, and the Workload is Finished",
    requirement=PREBUILT,
    shows="JI-093 JI-102",
    needs=("job.capabilities: PrebuiltWorkloads",),
    since="0.19",
    clauses={"a": "the Workload is Finished, OutOfSync", "b": "the job does not run"},
)
def test_other_prebuilt(make_queue, integration):
    queue, name = make_queue(), integration.new_workload_name()
    like = integration.submit(queue)
    within("start", like.is_running)
    workload = integration.prebuild_workload(name, queue, like)
    within("admit", workload.is_admitted)

    job = integration.submit(queue, labels={LABEL: name}, parallelism=3)

    within("react", lambda: workload.has_condition("Finished", "True", "OutOfSync"), clause="a")
    never(job.is_running, clause="b")


@scenario(
    "JIN-119",
    "a job that names the Workload of another job does not run by it",
    requirement=PREBUILT,
    shows="JI-102",
    needs=("job.capabilities: PrebuiltWorkloads",),
    since="0.19",
    clauses={"a": "the Workload stays that of the other job", "b": "the job does not run"},
)
def test_prebuilt_of_another_job(make_queue, integration):
    queue = make_queue()
    other = integration.start_job(queue)

    job = integration.submit(queue, labels={LABEL: other.workload.name})

    never(job.is_running, clause="b")
    always(other.is_controller_of_its_workload, clause="a")


@scenario(
    "JIN-120",
    "a job of a job has no Workload of its own, and does not run while the one above waits",
    requirement=CHILDREN,
    shows="JI-096",
    needs=("job.capabilities: ChildJobs",),
    since="0.19",
    clauses={"a": "it is suspended", "b": "it has no Workload"},
)
def test_child_waits(make_queue, integration):
    queue = make_queue(cpu="0")
    parent = integration.submit(queue)
    within("react", parent.has_one_workload)

    child = integration.submit(queue, parent=parent, suspended=False)

    within("react", child.is_suspended, clause="a")
    always(child.has_no_workload, clause="b")


@scenario(
    "JIN-121",
    "a job of a job runs while the Workload of the one above is Admitted",
    requirement=CHILDREN,
    shows="JI-096",
    needs=("job.capabilities: ChildJobs",),
    since="0.19",
    clauses={"a": "it runs", "b": "it has no Workload"},
)
def test_child_runs(make_queue, integration):
    queue = make_queue()
    parent = integration.start_job(queue)

    child = integration.submit(queue, parent=parent, suspended=False)

    always(child.is_running, clause="a")
    always(child.has_no_workload, clause="b")


@scenario(
    "JIN-124",
    "two replicas make one Workload for a job, and start it once",
    requirement=REPLICAS,
    shows="JI-078",
    needs=("job.capabilities: Replicas",),
    since="0.19",
    clauses={"a": "it runs", "b": "it was started once", "c": "it has one Workload"},
)
def test_two_replicas(make_queue, integration):
    queue = make_queue(checks=1)
    integration.start_second()

    job = integration.submit_until_reserved(queue)
    queue.checks[0].answer(job.workload, "Ready")

    within("takeover", job.is_running, clause="a")
    always(lambda: job.was_started(1), clause="b")
    always(job.has_one_workload, clause="c")


@scenario(
    "JIN-125",
    "when a replica is killed the other one stops and releases what is evicted",
    requirement=REPLICAS,
    shows="JI-078",
    needs=("job.capabilities: Replicas",),
    since="0.19",
    clauses={
        "a": "an evicted job is suspended within 60 s (budget 'takeover')",
        "b": "its quota is given back",
    },
)
def test_replica_killed(make_queue, integration):
    job = integration.start_job(make_queue())
    integration.start_second()

    integration.kill()
    job.workload.deactivate()

    within("takeover", job.is_suspended, clause="a")
    job.end_pods()
    within("takeover", job.has_no_quota, clause="b")


@scenario(
    "JIN-126",
    "an integration asks the API server for nothing but what it needs",
    level="should",
    requirement="integrations#rights",
    shows="JI-062",
    since="0.19",
    needs=("garbage collection",),
    clauses={"a": "its role, or that of every integration, grants all of it"},
)
def test_rights(make_queue, integration):
    job = integration.start_job(make_queue())
    job.workload.deactivate()
    within("evict", job.is_suspended)
    job.end_pods()
    within("evict", job.has_no_quota)
    job.delete()
    within("cleanup", job.has_no_workload)

    always(integration.has_used_usual_rights_only, clause="a")

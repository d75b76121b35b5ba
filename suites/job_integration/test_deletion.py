"""JIN: jobs and Workloads that are deleted: no quota is left, and nothing runs without its Workload."""

from kueue_conformance import always, cross, never, scenario, within

LEAVES = "integrations#leaves-nothing"
LONE = "integrations#nothing-without-workload"


@scenario(
    "JIN-060",
    "a job that is deleted leaves no quota held, whatever it was doing",
    requirement=LEAVES,
    shows="JI-060",
    clauses={"a": "it holds no quota", "b": "its Workload does not outlive it for long"},
    cases=cross(state=("waiting", "reserved", "running", "finished")),
)
def test_deleted(make_queue, integration, state):
    queue = (
        make_queue(checks=1) if state == "reserved" else make_queue(cpu="0" if state == "waiting" else "1")
    )
    if state in ("running", "finished"):
        job = integration.start_job(queue)
    else:
        job = integration.submit(queue)
        within("reserve", job.has_one_workload)
    if state == "finished":
        job.succeed()
        within("react", job.workload.is_finished)

    job.delete()

    within("cleanup", job.has_no_quota, clause="a")
    within("cleanup", job.has_no_workload, clause="b")


@scenario(
    "JIN-061",
    "a running job whose Workload is deleted is stopped, and runs again with a new one",
    requirement=LONE,
    shows="JI-061",
    clauses={"a": "it is suspended", "b": "it has a new Workload", "c": "with which it runs"},
)
def test_workload_deleted(make_queue, integration):
    job = integration.start_job(make_queue())
    first = job.workload
    uid = first.object["metadata"]["uid"]

    first.delete_workload()

    within("react", job.is_suspended, clause="a")
    job.end_pods()
    within("recover", lambda: job.has_another_workload_than(uid), clause="b")
    within("recover", job.is_running, clause="c")


@scenario(
    "JIN-062",
    "a job that is deleted and created again does not run by the admission of the first",
    requirement=LONE,
    shows="JI-063",
    clauses={"a": "the second one does not run while its own Workload waits"},
)
def test_recreated(make_queue, integration):
    queue = make_queue(cpu="1")
    first = integration.start_job(queue)
    queue.set_quota("0")
    first.delete()
    within("cleanup", first.is_gone)

    second = integration.submit(queue, name=first.name)

    within("react", second.has_one_workload)
    never(second.is_running, clause="a")


@scenario(
    "JIN-063",
    "a job that is created again unsuspended is suspended, although the first one was Admitted",
    requirement=LONE,
    shows="JI-011 JI-063",
    clauses={"a": "the second one is suspended", "b": "and stays so"},
)
def test_recreated_unsuspended(make_queue, integration):
    queue = make_queue(cpu="1")
    first = integration.start_job(queue)
    queue.set_quota("0")
    first.delete()
    within("cleanup", first.is_gone)

    second = integration.submit(queue, name=first.name, suspended=False)

    within("react", second.is_suspended, clause="a")
    always(second.is_suspended, clause="b")


@scenario(
    "JIN-064",
    "a job that is deleted while the integration is down leaves no Workload behind",
    requirement=(LEAVES, "integrations#restart-safe"),
    shows="JI-060 JI-073",
    clauses={"a": "it holds no quota", "b": "its Workload is gone"},
)
def test_deleted_while_down(make_queue, integration):
    job = integration.start_job(make_queue())

    with integration.delay_start():
        job.delete()

    within("recover", job.has_no_quota, clause="a")
    within("recover", job.has_no_workload, clause="b")

"""JIN: jobs and Workloads that are deleted: no quota is left, and nothing runs without its Workload."""

from kueue_conformance import always, cross, never, scenario, within

LEAVES = "integrations#leaves-nothing"
LONE = "integrations#nothing-without-workload"


@scenario(
    "JIN-060",
    "a job that is deleted leaves no quota held, whatever it was doing",
    requirement=LEAVES,
    shows="JI-060",
    needs=("garbage collection",),
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
    needs=("garbage collection",),
    clauses={"a": "it holds no quota", "b": "its Workload is gone"},
)
def test_deleted_while_down(make_queue, integration):
    job = integration.start_job(make_queue())

    with integration.delay_start():
        job.delete()

    within("recover", job.has_no_quota, clause="a")
    within("recover", job.has_no_workload, clause="b")


@scenario(
    "JIN-065",
    "a job that is deleted while it is evicted leaves no quota held",
    requirement=LEAVES,
    shows="JI-060 JI-064",
    since="0.19",
    needs=("garbage collection",),
    clauses={"a": "it holds no quota", "b": "its Workload does not outlive it for long"},
    cases=cross(pods=("left", "gone")),
)
def test_deleted_while_evicted(make_queue, integration, pods):
    job = integration.start_job(make_queue())
    job.workload.deactivate()
    within("evict", job.is_suspended)
    if pods == "gone":
        job.end_pods()
        within("evict", job.has_no_quota)

    job.delete()

    within("cleanup", job.has_no_quota, clause="a")
    within("cleanup", job.has_no_workload, clause="b")


@scenario(
    "JIN-066",
    "a job that is being deleted is not started",
    requirement=LEAVES,
    shows="JI-064",
    since="0.19",
    needs=("garbage collection",),
    clauses={"a": "it does not run", "b": "when it is gone it has no Workload"},
)
def test_being_deleted(make_queue, integration):
    queue = make_queue(cpu="0")
    job, other = integration.submit(queue), integration.submit(queue)
    within("react", lambda: job.has_one_workload() and other.has_one_workload())
    job.keep()
    job.delete()

    queue.set_quota("10")

    within("start", other.is_running)
    never(job.is_running, clause="a")
    job.let_go()
    within("cleanup", job.has_no_workload, clause="b")


@scenario(
    "JIN-067",
    "a suspended job whose Workload is deleted has a new one, with which it runs",
    requirement=LONE,
    shows="JI-065",
    since="0.19",
    clauses={"a": "it has a new Workload", "b": "it runs when that is Admitted"},
    cases=cross(state=("waiting", "reserved")),
)
def test_workload_of_suspended_job_deleted(make_queue, integration, state):
    queue = make_queue(cpu="0") if state == "waiting" else make_queue(checks=1)
    job = integration.submit(queue)
    within("react", job.has_one_workload)
    if state == "reserved":
        within("reserve", job.workload.is_prechecked)
    uid = job.workload_uid

    job.workload.delete_workload()

    within("recover", lambda: job.has_another_workload_than(uid), clause="a")
    queue.set_quota("10")
    for check in queue.checks:
        within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
        check.answer(job.workload, "Ready")
    within("start", job.is_running, clause="b")


@scenario(
    "JIN-068",
    "a running job whose Workload is removed by force is suspended, and runs again with a new one",
    requirement=LONE,
    shows="JI-061 JI-065",
    since="0.19",
    clauses={"a": "it is suspended", "b": "it has a new Workload", "c": "with which it runs"},
)
def test_workload_removed_by_force(make_queue, integration):
    job = integration.start_job(make_queue())
    uid = job.workload_uid

    job.workload.force_delete()

    within("react", job.is_suspended, clause="a")
    job.end_pods()
    within("recover", lambda: job.has_another_workload_than(uid), clause="b")
    within("recover", job.is_running, clause="c")


@scenario(
    "JIN-069",
    "a second Workload of a job is deleted",
    requirement="integrations#one-workload",
    shows="JI-002 JI-065",
    since="0.19",
    clauses={"a": "one Workload is left", "b": "with which the job runs"},
)
def test_second_workload(make_queue, integration):
    queue = make_queue(checks=1)
    job = integration.submit_until_reserved(queue)

    job.add_workload()

    within("react", job.has_one_workload, clause="a")
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    queue.checks[0].answer(job.workload, "Ready")
    within("start", job.is_running, clause="b")

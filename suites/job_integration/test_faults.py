"""JIN: an API server that refuses, fails and forgets, and an integration that is killed in the middle."""

from kueue_conformance import always, cross, never, scenario, within

FAULTY = "integrations#fault-tolerant"
RESTARTED = "integrations#restart-safe"
FAULTS = ("faults",)
TIMES = 3


@scenario(
    "JIN-070",
    "a job is started although the API server refuses to at first",
    requirement=FAULTY,
    shows="JI-070 JI-074",
    needs=FAULTS,
    clauses={"a": "the start is refused", "b": "it runs in the end", "c": "and was started once"},
    cases=cross(code=(409, 429, 500)),
)
def test_refused_start(queue, integration, faults, code):
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    faults.refuse_writes(integration.resource, code, times=TIMES)

    queue.checks[0].answer(job.workload, "Ready")

    within("recover", lambda: faults.have_struck(TIMES), clause="a")
    within("recover", job.is_running, clause="b")
    always(lambda: job.was_started(1), clause="c")


@scenario(
    "JIN-071",
    "a job has one Workload although the answer to its creation is lost",
    requirement=FAULTY,
    shows="JI-071",
    needs=FAULTS,
    clauses={"a": "the creation meets the fault", "b": "it has one Workload", "c": "with which it runs"},
    cases=cross(how=("failed after it", "cut after it", 500)),
)
def test_lost_creation(make_queue, integration, faults, how):
    queue = make_queue()
    faults.disturb_writes("Workload", how, times=1)

    job = integration.submit(queue)

    within("recover", faults.have_struck, clause="a")
    within("recover", job.is_running, clause="c")
    always(job.has_one_workload, clause="b")


@scenario(
    "JIN-072",
    "a job is started although the watch of Workloads ends with the event of its admission",
    requirement=FAULTY,
    shows="JI-072",
    needs=FAULTS,
    clauses={"a": "the watch ends", "b": "the job runs"},
    cases=cross(ending=("expired", "cut")),
)
def test_cut_watch(queue, integration, faults, ending):
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    faults.lose_events(ending)

    queue.checks[0].answer(job.workload, "Ready")

    within("recover", faults.have_struck, clause="a")
    within("recover", job.is_running, clause="b")


@scenario(
    "JIN-073",
    "a job is started although the integration was down when its Workload was Admitted",
    requirement=RESTARTED,
    shows="JI-073",
    clauses={"a": "the job runs", "b": "by the same Workload"},
)
def test_restart_before_start(queue, integration):
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    integration.kill()
    queue.checks[0].answer(job.workload, "Ready")

    integration.start()

    within("recover", job.is_running, clause="a")
    always(job.has_one_workload, clause="b")


@scenario(
    "JIN-074",
    "a job whose Workload was evicted while the integration was down is stopped, and its quota given back",
    requirement=RESTARTED,
    shows="JI-030 JI-073",
    since="0.9",
    clauses={"a": "the job is suspended", "b": "its quota is given back when no pod is left"},
)
def test_restart_after_eviction(make_queue, integration):
    job = integration.start_job(make_queue())
    integration.kill()
    job.workload.deactivate()

    integration.start()

    within("recover", job.is_suspended, clause="a")
    job.end_pods()
    within("recover", job.has_no_quota, clause="b")


@scenario(
    "JIN-075",
    "a job that is created unsuspended while the integration is down is suspended when it is back",
    requirement=RESTARTED,
    shows="JI-011 JI-073",
    clauses={"a": "it is suspended", "b": "and stays so"},
)
def test_created_while_down(make_queue, integration):
    with integration.delay_start():
        job = integration.submit(make_queue(cpu="0"), suspended=False)

    within("recover", job.is_suspended, clause="a")
    always(job.is_suspended, clause="b")


@scenario(
    "JIN-076",
    "a job is stopped although the API server refuses to at first",
    requirement=FAULTY,
    shows="JI-070",
    needs=FAULTS,
    since="0.9",
    clauses={
        "a": "the stop is refused",
        "b": "no quota is given back before it",
        "c": "it is suspended in the end",
    },
)
def test_refused_stop(make_queue, integration, faults):
    job = integration.start_job(make_queue())
    faults.refuse_writes(integration.resource, 500, times=TIMES)

    job.workload.deactivate()

    within("recover", lambda: faults.have_struck(TIMES), clause="a")
    within("recover", job.is_suspended, clause="c")
    always(job.workload.has_quota_reserved, clause="b")


@scenario(
    "JIN-077",
    "a job that cannot be written does not hold up another one",
    requirement="integrations#isolation",
    shows="JI-081",
    needs=FAULTS,
    clauses={"a": "the start of one is refused", "b": "the other one runs", "c": "the first one does not"},
)
def test_isolation(make_queue, integration, faults):
    queue, name = make_queue(), integration.new_name()
    faults.refuse_writes_on(integration.resource, name, 500)
    first = integration.submit(queue, name=name)
    within("recover", faults.have_struck, clause="a")

    second = integration.submit(queue)

    within("recover", second.is_running, clause="b")
    never(first.is_running, clause="c")


@scenario(
    "JIN-078",
    "a job that changes while a restarted API server is away is followed",
    requirement=FAULTY,
    shows="JI-072",
    needs=("server restart",),
    clauses={"a": "the job runs"},
)
def test_server_restart(queue, integration, faults):
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))

    faults.restart_server()
    queue.checks[0].answer(job.workload, "Ready")

    within("recover", job.is_running, clause="a")


@scenario(
    "JIN-080",
    "nothing is written while nothing changes",
    requirement="integrations#quiet",
    shows="JI-080",
    since="0.9",
    clauses={"a": "no request writes"},
    cases=cross(state=("waiting", "reserved", "evicted")),
)
def test_idle(make_queue, integration, clock, state):
    queue = (
        make_queue(checks=1) if state == "reserved" else make_queue(cpu="0" if state == "waiting" else "1")
    )
    job = integration.start_job(queue) if state == "evicted" else integration.submit(queue)
    within("react", job.has_one_workload)
    if state == "evicted":
        job.workload.deactivate()
        within("evict", job.is_suspended)
        job.end_pods()
        within("evict", job.has_no_quota)
    clock.settle()

    with integration.observe_requests() as window:
        clock.advance(clock.hold)

    always(window.has_no_writes, clause="a")

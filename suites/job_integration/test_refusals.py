"""JIN: writes of Workloads that are refused, and what happens while the integration is away."""

from kueue_conformance import always, cross, scenario, within

FAULTY = "integrations#fault-tolerant"
RESTARTED = "integrations#restart-safe"
FAULTS = ("faults",)
TIMES = 3


@scenario(
    "JIN-090",
    "the quota of an evicted job is given back although the API server refuses that at first",
    requirement=FAULTY,
    shows="JI-070 JI-075",
    needs=FAULTS,
    since="0.19",
    clauses={"a": "the write is refused", "b": "the quota is given back in the end"},
    cases=cross(code=(409, 429, 500)),
)
def test_refused_release(make_queue, integration, faults, code):
    # Without pods: what an integration tells of their readiness would meet the fault before.
    job = integration.submit(make_queue())
    within("start", job.is_running)
    faults.refuse_writes("Workload/status", code, times=TIMES)

    job.workload.deactivate()

    within("recover", lambda: faults.have_struck(TIMES), clause="a")
    within("recover", job.has_no_quota, clause="b")


@scenario(
    "JIN-091",
    "the Workload of a job that has ended is Finished although the API server refuses that at first",
    requirement=FAULTY,
    shows="JI-070 JI-075",
    needs=FAULTS,
    since="0.19",
    clauses={"a": "the write is refused", "b": "it is Finished in the end"},
    cases=cross(code=(409, 429, 500)),
)
def test_refused_finish(make_queue, integration, faults, code):
    job = integration.start_job(make_queue())
    faults.refuse_writes("Workload/status", code, times=TIMES)

    job.succeed()

    within("recover", lambda: faults.have_struck(TIMES), clause="a")
    within("recover", job.workload.is_finished, clause="b")


@scenario(
    "JIN-092",
    "a job that is deleted leaves no Workload although the API server refuses to let it go at first",
    requirement=FAULTY,
    shows="JI-060 JI-075",
    needs=(*FAULTS, "garbage collection"),
    since="0.19",
    clauses={"a": "a write is refused", "b": "there is no Workload in the end"},
    cases=cross(code=(409, 500)),
)
def test_refused_finalizer(make_queue, integration, faults, code):
    job = integration.start_job(make_queue())
    faults.refuse_writes("Workload", code, times=TIMES)

    job.delete()

    within("recover", lambda: faults.have_struck(TIMES), clause="a")
    within("recover", job.has_no_workload, clause="b")


@scenario(
    "JIN-093",
    "a job that is changed is followed although the watch of jobs ends with that event",
    requirement=FAULTY,
    shows="JI-072 JI-076",
    needs=FAULTS,
    since="0.19",
    clauses={"a": "the watch ends", "b": "the Workload says what the job needs"},
    cases=cross(ending=("expired", "cut")),
)
def test_cut_watch_of_jobs(make_queue, integration, faults, ending):
    job = integration.submit(make_queue(cpu="0"), parallelism=3)
    within("react", job.has_one_workload)
    faults.lose_events_of(integration.resource, 410 if ending == "expired" else 0)

    job.set_parallelism(2)

    within("recover", faults.have_struck, clause="a")
    within("recover", job.is_described_by_its_workload, clause="b")


@scenario(
    "JIN-094",
    "an evicted job whose last pod ends while the integration is down gives its quota back",
    requirement=RESTARTED,
    shows="JI-032 JI-073",
    since="0.19",
    clauses={"a": "the quota is kept while pods are left", "b": "and given back after the restart"},
)
def test_pods_end_while_down(make_queue, integration):
    job = integration.start_job(make_queue())
    job.workload.deactivate()
    within("evict", job.is_suspended)
    always(job.workload.has_quota_reserved, clause="a")

    with integration.delay_start():
        job.end_pods()

    within("recover", job.has_no_quota, clause="b")


@scenario(
    "JIN-095",
    "a job that runs is left alone when the integration is started again",
    requirement=RESTARTED,
    shows="JI-015 JI-077",
    since="0.19",
    clauses={"a": "it runs, and was started once", "b": "it is not written"},
)
def test_restart_while_it_runs(make_queue, integration, clock):
    job = integration.start_job(make_queue())
    clock.settle()
    integration.kill()

    with integration.observe_requests() as window:
        integration.start()
        clock.advance(clock.hold)

    always(lambda: job.is_running() and job.was_started(1), clause="a")
    always(window.has_no_writes, clause="b")


@scenario(
    "JIN-096",
    "a job whose Workload was deleted while the integration was down is stopped, and has a new one",
    requirement=RESTARTED,
    shows="JI-061 JI-073",
    since="0.19",
    clauses={"a": "the job is suspended", "b": "it runs again with another Workload"},
)
def test_workload_deleted_while_down(make_queue, integration):
    job = integration.start_job(make_queue())
    uid = job.workload_uid
    integration.kill()
    job.workload.delete_workload()

    integration.start()

    within("recover", job.is_suspended, clause="a")
    job.end_pods()
    within("recover", lambda: job.has_another_workload_than(uid) and job.is_running(), clause="b")


@scenario(
    "JIN-097",
    "a job that is changed while the integration is down is followed",
    requirement=RESTARTED,
    shows="JI-051 JI-073",
    since="0.19",
    clauses={"a": "its Workload says what it needs", "b": "it runs when that fits"},
)
def test_changed_while_down(make_queue, integration):
    job = integration.submit(make_queue(cpu="2"), parallelism=3)
    within("react", job.has_one_workload)

    with integration.delay_start():
        job.set_parallelism(2)

    within("recover", job.is_described_by_its_workload, clause="a")
    within("recover", job.is_running, clause="b")

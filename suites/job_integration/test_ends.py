"""JIN: a job that ends well or not, and what becomes of its Workload."""

from kueue_conformance import always, cross, scenario, within

ENDS = "integrations#finished"


@scenario(
    "JIN-040",
    "the Workload of a job that ends is Finished, for the reason that its end has",
    requirement=ENDS,
    shows="JI-040 JI-041",
    since="0.9",
    clauses={"a": "it is Finished, Succeeded or Failed", "b": "its quota is free"},
    cases=cross(end=("well", "badly")),
)
def test_ends(make_queue, integration, end):
    queue = make_queue(cpu="1")
    job = integration.start_job(queue)
    waiting = integration.submit(queue)

    {"well": job.succeed, "badly": job.fail}[end]()

    reason = {"well": "Succeeded", "badly": "Failed"}[end]
    within("react", lambda: job.workload.has_condition("Finished", "True", reason), clause="a")
    within("start", waiting.is_running, clause="b")


@scenario(
    "JIN-041",
    "a job that has ended is not started again, and gets no other Workload",
    requirement=ENDS,
    shows="JI-044",
    clauses={"a": "it was started once", "b": "it has one Workload, which stays Finished"},
)
def test_over(make_queue, integration, clock):
    job = integration.start_job(make_queue())
    job.succeed()
    within("react", job.workload.is_finished)

    clock.advance(clock.hold)

    always(lambda: job.was_started(1), clause="a")
    always(lambda: job.has_one_workload() and job.workload.is_finished(), clause="b")


@scenario(
    "JIN-042",
    "Finished is written once",
    requirement="integrations#quiet",
    shows="JI-043",
    clauses={"a": "nothing is written after it"},
)
def test_written_once(make_queue, integration, clock):
    job = integration.start_job(make_queue())
    job.succeed()
    within("react", job.workload.is_finished)
    clock.settle()

    with integration.observe_requests() as window:
        clock.advance(clock.hold)

    always(window.has_no_writes, clause="a")


@scenario(
    "JIN-043",
    "a job that ends while the integration is down has a Finished Workload when it is back",
    requirement=(ENDS, "integrations#restart-safe"),
    shows="JI-040 JI-073",
    clauses={"a": "it is Finished"},
)
def test_ends_while_down(make_queue, integration):
    job = integration.start_job(make_queue())

    with integration.delay_start():
        job.succeed()

    within("recover", job.workload.is_finished, clause="a")


@scenario(
    "JIN-044",
    "a job whose pods end well while it is evicted has a Finished Workload, and is not started again",
    requirement=ENDS,
    shows="JI-040 JI-045",
    since="0.19",
    clauses={"a": "its Workload is Finished", "b": "it was started once"},
)
def test_ends_while_evicted(make_queue, integration):
    job = integration.start_job(make_queue())
    job.workload.deactivate()
    within("evict", job.is_suspended)

    job.succeed()

    within("react", lambda: job.workload.has_condition("Finished", "True", "Succeeded"), clause="a")
    job.workload.reactivate()
    always(lambda: job.was_started(1), clause="b")


@scenario(
    "JIN-045",
    "a job that ends before it was started has a Finished Workload, and is never started",
    requirement=ENDS,
    shows="JI-041 JI-045",
    since="0.19",
    cases=cross(waits=("for quota", "for a check")),
    clauses={"a": "its Workload is Finished, Failed", "b": "it is never started"},
)
def test_ends_before_it_starts(make_queue, integration, waits):
    queue = make_queue(cpu="0") if waits == "for quota" else make_queue(checks=1)
    job = integration.submit(queue)
    within("react", job.has_one_workload)
    if waits == "for a check":
        within("reserve", job.workload.is_prechecked)

    job.fail()

    within("react", lambda: job.workload.has_condition("Finished", "True", "Failed"), clause="a")
    queue.set_quota("10")
    always(lambda: job.was_started(0), clause="b")


@scenario(
    "JIN-046",
    "the Workload of a job that has ended can be deleted, and no other one takes its place",
    requirement=ENDS,
    shows="JI-042 JI-044",
    since="0.19",
    clauses={"a": "it is gone", "b": "there is no other one", "c": "the job was started once"},
)
def test_finished_workload_deleted(make_queue, integration):
    job = integration.start_job(make_queue())
    job.succeed()
    within("react", job.workload.is_finished)

    job.workload.delete_workload()

    within("cleanup", job.has_no_workload, clause="a")
    always(job.has_no_workload, clause="b")
    always(lambda: job.was_started(1), clause="c")


@scenario(
    "JIN-047",
    "the Workload of a job that has ended is let go",
    level="should",
    requirement=ENDS,
    shows="JI-042",
    since="0.19",
    clauses={"a": "it is Finished, and has no finalizer of Kueue"},
)
def test_finished_workload_let_go(make_queue, integration):
    job = integration.start_job(make_queue())

    job.succeed()

    within(
        "cleanup",
        lambda: job.workload.is_finished() and job.workload.has_kueue_finalizer().negate(),
        clause="a",
    )


@scenario(
    "JIN-048",
    "a job that ends before Kueue has written its Workload has a Finished Workload",
    requirement=ENDS,
    shows="JI-041 JI-045",
    since="0.19",
    needs=("restart of Kueue",),
    clauses={"a": "its Workload is Finished, Failed"},
)
def test_ends_before_kueue_writes(kueue_cluster, make_queue, integration):
    queue = make_queue()

    with kueue_cluster.without_control_plane():
        job = integration.submit(queue)
        within("react", job.has_one_workload)
        job.fail()

        within("react", lambda: job.workload.has_condition("Finished", "True", "Failed"), clause="a")

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

"""JIN: a job starts when its Workload is Admitted, and not before."""

from kueue_conformance import always, cross, never, scenario, within

GATED = "integrations#starts-when-admitted"


@scenario(
    "JIN-010",
    "a job does not run while its Workload waits for quota",
    requirement=GATED,
    shows="JI-010",
    clauses={"a": "its Workload is made", "b": "it does not run"},
)
def test_waits_for_quota(make_queue, integration):
    queue = make_queue(cpu="0")

    job = integration.submit(queue)

    within("react", job.has_one_workload, clause="a")
    never(job.is_running, clause="b")


@scenario(
    "JIN-011",
    "a job does not run while a check of its Workload is Pending, and runs when the last one is Ready",
    requirement=GATED,
    shows="JI-010 JI-012",
    clauses={"a": "it does not run with quota alone", "b": "it runs when it is Admitted"},
)
def test_waits_for_checks(make_queue, integration):
    queue = make_queue(checks=2)
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    queue.checks[0].answer(job.workload, "Ready")

    never(job.is_running, clause="a")

    queue.checks[1].answer(job.workload, "Ready")
    within("start", job.is_running, clause="b")


@scenario(
    "JIN-012",
    "a job that is created unsuspended is suspended, and runs when its Workload is Admitted",
    requirement=GATED,
    shows="JI-011",
    clauses={"a": "it is suspended", "b": "it runs when it is Admitted"},
)
def test_created_unsuspended(make_queue, integration):
    queue = make_queue(checks=1)

    job = integration.submit(queue, suspended=False)

    within("react", job.is_suspended, clause="a")
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    queue.checks[0].answer(job.workload, "Ready")
    within("start", job.is_running, clause="b")


@scenario(
    "JIN-013",
    "a job that its user resumes is suspended again while its Workload is not Admitted",
    requirement=GATED,
    shows="JI-013",
    clauses={"a": "it is suspended", "b": "it stays so"},
    cases=cross(waits=("for quota", "for a check")),
)
def test_resumed_by_hand(make_queue, integration, waits):
    queue = make_queue(cpu="0") if waits == "for quota" else make_queue(checks=1)
    job = integration.submit(queue)
    within(
        "reserve",
        lambda: job.workload.is_suspended() if waits == "for quota" else job.workload.is_prechecked(),
    )

    job.resume()

    within("react", job.is_suspended, clause="a")
    always(job.is_suspended, clause="b")


@scenario(
    "JIN-014",
    "a job that its user suspends while its Workload is Admitted is started again: it would hold quota with nothing running",
    requirement=GATED,
    shows="JI-014",
    clauses={"a": "it runs"},
)
def test_suspended_by_hand(make_queue, integration):
    job = integration.start_job(make_queue())

    job.suspend()

    within("react", job.is_running, clause="a")


@scenario(
    "JIN-015",
    "a job is started once, and nothing of it is written afterwards",
    requirement="integrations#quiet",
    shows="JI-015",
    clauses={"a": "it was started once", "b": "nothing is written while it runs"},
)
def test_started_once(make_queue, integration, clock):
    job = integration.start_job(make_queue(checks=1))
    clock.settle()

    with integration.observe_requests() as window:
        clock.advance(clock.hold)

    always(lambda: job.was_started(1), clause="a")
    always(window.has_no_writes, clause="b")

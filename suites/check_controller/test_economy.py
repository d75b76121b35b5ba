"""CHK: the requests of a check controller when nothing changes,
and when every request fails (family H-60).
"""

from kueue_conformance import Capability, always, rows, scenario, within

SEEN = ("journal",)
SOME, MANY = 3, 100
RATE = 10
TRIES = 20


@scenario(
    "CHK-140",
    "without a change there are no writes",
    requirement=("controllers#economy", "controllers#idempotent"),
    shows="CC-043 CC-074 CC-015",
    needs=SEEN,
    drivers=("ready",),
    cases=rows("state", ("Ready",), ("Pending",)),
    clauses={
        "a": "the entries have the answers of the outside system",
        "b": "from then on nothing is written",
    },
)
def test_rest_is_silent(make_queue, subject, kueue, clock, state):
    check = subject.make_check()
    subject.set_answer(state)
    queue = make_queue([check])
    for _ in range(SOME):
        kueue.precheck(queue)
    within("react", lambda: queue.has_verdicts(state, check, times=SOME), clause="a")
    clock.settle()

    with subject.observe_requests() as rest:
        clock.advance_budget("steady")

    always(rest.has_no_writes, clause="b")


@scenario(
    "CHK-141",
    "a controller of 100 idle Workloads sends few requests",
    requirement="controllers#economy",
    shows="CC-074",
    needs=SEEN,
    drivers=("ready",),
    clauses={"a": "each is answered", "b": "from then on at most ten requests a second are sent"},
)
def test_rest_is_cheap(make_queue, subject, kueue, clock):
    check = subject.make_check()
    subject.set_answer("Ready")
    queue = make_queue([check])
    kueue.precheck_many(queue, MANY)
    within("scale", lambda: queue.has_verdicts("Ready", check, times=MANY), clause="a")
    clock.settle()

    with subject.observe_requests() as rest:
        clock.advance_budget("steady")

    always(lambda: rest.has_at_most_requests(RATE), clause="b")


@scenario(
    "CHK-142",
    "a verdict costs one write",
    level="should",
    requirement=("controllers#economy", "controllers#idempotent"),
    shows="CC-043 CC-074",
    needs=SEEN,
    drivers=("ready",),
    clauses={"a": "each is answered", "b": "each by one write"},
)
def test_verdict_costs_one_write(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    queue = make_queue([check])
    workloads = [kueue.precheck(queue) for _ in range(SOME)]

    within("react", lambda: queue.has_verdicts("Ready", check, times=SOME), clause="a")
    always(lambda: all(subject.has_given_verdicts(workload, 1) for workload in workloads), clause="b")


@scenario(
    "CHK-143",
    "a write that is always refused is retried less and less often",
    requirement=("controllers#economy", "controllers#backs-off"),
    shows="CC-074 CC-076",
    needs=("faults",),
    cases=rows("code", (403,), (500,)),
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is refused", "b": "it is not tried all the time"},
)
def test_refusal_for_good(make_queue, subject, kueue, faults, clock, code):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", check.is_active)
    faults.refuse_verdicts_on(workload, code)
    subject.set_answer("Ready")
    within("react", faults.have_struck, clause="a")

    with subject.observe_requests() as trouble:
        clock.advance_budget("steady")
    faults.remove_all()

    within("react", lambda: trouble.has_at_most_tries(workload, TRIES), clause="b")


@scenario(
    "CHK-144",
    "while admitted Workloads run nothing is written",
    requirement=("controllers#economy", "controllers#idempotent"),
    shows="CC-043 CC-074",
    level="should",
    needs=SEEN,
    drivers=("ready",),
    clauses={"a": "each is answered", "b": "once they are admitted nothing is written"},
)
def test_running_workloads_are_left_alone(make_queue, subject, kueue, clock):
    check = subject.make_check()
    subject.set_answer("Ready")
    queue = make_queue([check])
    workloads = [kueue.precheck(queue) for _ in range(SOME)]
    within("react", lambda: queue.has_verdicts("Ready", check, times=SOME), clause="a")
    for workload in workloads:
        kueue.admit(workload)
    clock.settle()

    with subject.observe_requests() as rest:
        clock.advance_budget("steady")

    always(rest.has_no_writes, clause="b")


@scenario(
    "CHK-145",
    "an API server that cannot answer gets requests less and less often",
    requirement=("controllers#economy", "controllers#backs-off"),
    shows="CC-074 CC-076",
    needs=(*SEEN, "faults"),
    drivers=("ready", "pending"),
    clauses={
        "a": "every request fails",
        "b": "at most ten requests a second are sent",
        "c": "when it is over the verdict is given",
    },
)
def test_outage_is_no_reason_to_hurry(make_queue, subject, kueue, faults, clock):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", check.is_active)
    faults.refuse_everything(503)
    faults.end_watches()
    subject.set_answer("Ready")
    within("recover", faults.have_struck, clause="a")

    with subject.observe_requests() as outage:
        clock.advance_budget("steady")
    faults.remove_all()

    within("recover", lambda: workload.has_states("Ready", check), clause="c")
    always(lambda: outage.has_at_most_requests(RATE), clause="b")


@scenario(
    "CHK-146",
    "a verdict against a Workload is written once, also when Kueue does not act on it",
    requirement=("controllers#economy", "check-contract#times"),
    shows="CC-043 CC-035",
    level="should",
    needs=(*SEEN, "scripted control plane"),
    capabilities=(Capability.RETRY, Capability.REJECTED),
    cases=rows("state", ("Retry",), ("Rejected",)),
    clauses={"a": "the verdict is given", "b": "from then on nothing is written"},
)
def test_bad_news_are_told_once(make_queue, subject, kueue, clock, state):
    check = subject.make_check()
    subject.set_answer(state)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states(state, check), clause="a")
    clock.settle()

    with subject.observe_requests() as rest:
        clock.advance_budget("steady")

    always(rest.has_no_writes, clause="b")

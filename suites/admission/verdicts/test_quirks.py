"""ADM: what a release does with verdicts and reservations against its documents, beside what these say."""

from kueue_conformance import always, cross, either, scenario, within


@scenario(
    "ADM-790",
    "a Workload without quota whose check takes a negative verdict back stays out, or is tried again",
    requirement="kueue-api#quirks",
    shows="C-01 AC-282 AC-313",
    since="0.19",
    level="may",
    cases=cross(state=("Retry", "Rejected")),
    clauses={"a": "either of them", "b": "it is tried when its queue changes"},
)
def test_negative_verdict_that_is_taken_back(make_queue, clock, state):
    queue = make_queue(checks=1, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)
    queue.checks[0].answer(workload, state)
    queue.set_quota("1")
    clock.advance_budget("react")

    queue.checks[0].answer(workload, "Pending")
    clock.advance_budget("react")

    ways = {"it is tried again": workload.is_prechecked, "it stays out": workload.is_suspended}
    either("react", ways, clause="a")
    queue.set_quota("2")
    within("reserve", workload.is_prechecked, clause="b")


@scenario(
    "ADM-791",
    "a Workload that exceeded its maximum execution time stays active when a user activates it, or is deactivated again",
    requirement="kueue-api#quirks",
    shows="C-02 AC-317 AC-293",
    since="0.19",
    level="may",
    needs=("virtual time",),
    clauses={"a": "either of them"},
)
def test_activated_after_its_maximum_execution_time(make_queue, clock):
    queue = make_queue(checks=0)
    workload = queue.submit_with_time_limit("workload", seconds=clock.hold)
    within("admit", workload.is_admitted)
    clock.advance(clock.hold)
    within("evict", workload.is_rejected)

    workload.reactivate()
    clock.advance_budget("react")

    ways = {
        "it stays active": lambda: workload.is_inactive().negate(),
        "it is deactivated again": workload.is_inactive,
    }
    either("react", ways, clause="a")


@scenario(
    "ADM-792",
    "a Workload whose assigned flavor leaves the ClusterQueue keeps its checks, or loses those for all flavors",
    requirement="kueue-api#quirks",
    shows="C-03 AC-350",
    since="0.19",
    level="may",
    clauses={"a": "either of them"},
)
def test_checks_of_a_flavor_that_left(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")

    queue.set_flavors(kueue_cluster.make_flavor())
    workload.touch()
    clock.advance_budget("react")

    ways = {
        "it keeps them": lambda: workload.lists_checks(*queue.checks),
        "it loses them": workload.lists_checks,
    }
    either("react", ways, clause="a")


@scenario(
    "ADM-793",
    "the delay of a Retry that is taken back stays noted when it has passed, or is forgotten",
    requirement="kueue-api#quirks",
    shows="C-24 AC-288",
    since="0.19",
    level="may",
    needs=("virtual time",),
    clauses={"a": "either of them"},
)
def test_delay_of_a_retry_that_is_taken_back(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    with clock.during(clock.hold):
        queue.checks[0].answer(workload, "Retry", delay=clock.hold)
        within("settle", workload.is_waiting_for_requeue)
        queue.checks[0].answer(workload, "Pending")

    clock.advance(clock.hold)
    clock.advance_budget("react")

    ways = {
        "it is forgotten": lambda: workload.is_waiting_for_requeue().negate(),
        "it stays noted": workload.is_waiting_for_requeue,
    }
    either("react", ways, clause="a")

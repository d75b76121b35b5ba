"""QUE: Workloads that had quota once and queue for it again: pods that were not ready, checks that said
Retry, other checks (Q-006, Q-313, Q-340).
"""

from kueue_conformance import always, pairwise, scenario, within

IN_TIME, FIRST_DELAY = 1800, 60


@scenario(
    "QUE-189",
    "Workloads whose pods are never ready take turns: an evicted one is queued behind those created while it held quota",
    requirement=("kueue-api#pods-in-time", "kueue-docs#queueing-order"),
    shows="S-098 Q-006 Q-007 Q-341",
    since="0.19",
    needs=("virtual time",),
    clauses={
        "a": "one after the other has its turn",
        "b": "the oldest is not admitted again before the others had quota",
        "c": "then it is",
    },
)
def test_turns(kueue_cluster, clock):
    queues = kueue_cluster.make_topology("q 5")
    queues.submit_all("q: a(0)5 b(0)5 c(0)5")
    within("admit", lambda: queues.has_reserved("a"), clause="a")

    for name in ("b", "c"):
        clock.advance(IN_TIME)
        within("prompt", lambda name=name: queues.has_reserved(name), clause="a")
        always(lambda: queues.workloads["a"].was_reserved(1), clause="b")
    clock.advance(IN_TIME)

    within("prompt", lambda: queues.has_reserved("a"), clause="c")


@scenario(
    "QUE-630",
    "a Workload that was sent back does not preempt the equal one that got its quota, though it is older",
    requirement=("kep-83#within-cluster-queue", "kueue-docs#queueing-order"),
    shows="Q-006 Q-007 Q-250",
    since="0.19",
    needs=("virtual time",),
    cases=pairwise(cause=("no pod is ready", "a check says Retry")),
    clauses={"a": "the younger one gets the quota", "b": "and keeps it when the older one is tried again"},
)
def test_no_revenge(kueue_cluster, clock, cause):
    checks = [kueue_cluster.make_check()] if cause == "a check says Retry" else []
    queues = kueue_cluster.make_topology("q 5 within=LowerOrNewerEqualPriority", checks={"": checks})
    queues.submit_in_turn("q: older(0)5")
    clock.tick()
    queues.submit("q: younger(0)5")
    clock.tick()

    if checks:
        checks[0].answer(queues.workloads["older"], "Retry")
    else:
        clock.advance(IN_TIME)
    within("requeue", lambda: queues.has_reserved("younger"), clause="a")
    clock.advance(FIRST_DELAY)

    always(lambda: queues.workloads["older"].was_reserved(1) and queues.has_reserved("younger"), clause="b")


@scenario(
    "QUE-190",
    "a Retry has its quota reserved again at once, or after its delay, and is counted",
    requirement="docs-2024#retry-releases",
    shows="S-100 Q-329 Q-340 Q-345 AC-340",
    since="0.19",
    clauses={
        "a": "reserved again, without a time to wait for",
        "b": "with a delay there is a time, before which it is not",
        "c": "reserved again then",
        "d": "admitted, and its retry count stays",
    },
)
def test_two_retries(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(1, cpu="1")
    (check,) = queue.checks
    workload = queue.submit_until("prechecked", cpu="1")

    check.answer(workload, "Retry")
    within("reserve", lambda: workload.was_reserved(2) and workload.is_prechecked(), clause="a")
    always(lambda: workload.has_retried(check, 1) and workload.is_waiting_for_requeue().negate(), clause="a")

    with clock.during(clock.hold):
        check.answer(workload, "Retry", delay=clock.hold)
        within("settle", workload.is_waiting_for_requeue, clause="b")
        always(lambda: workload.was_reserved(2), clause="b")
    clock.advance(clock.hold)
    within("requeue", lambda: workload.was_reserved(3) and workload.is_prechecked(), clause="c")

    queue.admit(workload)
    always(lambda: workload.is_admitted() and workload.has_retried(check, 2), clause="d")


@scenario(
    "QUE-191",
    "a Workload that waits for checks needs the current checks of its flavor when the checks of its queue change",
    requirement=("kep-993#every-check-required", "kueue-docs#flavors-in-order"),
    shows="S-101 Q-313 AC-351 AC-357",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "it waits for the checks of its flavor and of all flavors",
        "b": "afterwards for others",
        "c": "admitted when those have passed",
    },
)
def test_checks_change(kueue_cluster):
    queues = kueue_cluster.make_topology("all { q reserved:1 borrows<=1 demand:5 borrows<=5 }")
    queue, demand, reserved = queues["q"], queues.flavors["demand"], queues.flavors["reserved"]
    first, second, third = (kueue_cluster.make_check() for _ in range(3))
    queue.set_checks(first, second, third, on={first.name: [demand], third.name: [reserved]})
    within("react", queue.is_active)
    (workload,) = queues.submit_in_turn("q: w(0)3")
    within("settle", lambda: workload.lists_checks(first, second), clause="a")
    always(lambda: queues.has_flavors("w", "demand") and workload.is_prechecked(), clause="a")

    queue.set_checks(first, second, third, on={first.name: [demand], second.name: [reserved]})

    within("settle", lambda: workload.lists_checks(first, third), clause="b")
    first.answer(workload, "Ready")
    always(workload.is_prechecked, clause="b")
    third.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")

"""QUE: more pod sets, flavors and queues than most clusters have (Q-083, Q-150, Q-155, Q-270)."""

from kueue_conformance import always, pairwise, scenario, within

NUMBERS = (4, 8)


@scenario(
    "QUE-601",
    "each of many pod sets of a Workload needs quota, and is admitted with it",
    requirement=("kueue-docs#resources", "kueue-docs#resource-groups"),
    shows="Q-083 Q-150 Q-153",
    since="0.9",
    also=("kep993",),
    cases=pairwise(number=NUMBERS),
    clauses={
        "a": "the Workload waits while there is a thousandth too little for all of them",
        "b": "then each has its assignment, and all are counted",
    },
)
def test_many_pod_sets(kueue_cluster, number):
    queue = kueue_cluster.make_queue(cpu=f"{number * 1000 - 1}m")
    names = [f"set-{at}" for at in range(number)]

    workload = queue.submit(podSets=[kueue_cluster.pod_set(name, cpu="1") for name in names])

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")
    queue.set_quota(f"{number}")
    within(
        "admit", lambda: workload.has_admission(queue, **{name: {"count": 1} for name in names}), clause="b"
    )
    within("settle", lambda: workload.is_admitted() and queue.shows_reserved(f"{number}"), clause="b")


@scenario(
    "QUE-602",
    "each of many flavors is tried in its turn",
    requirement="kueue-docs#flavors-in-order",
    shows="Q-150 Q-155",
    since="0.9",
    also=("kep993",),
    cases=pairwise(number=NUMBERS),
    clauses={"a": "the Workloads get one flavor after the other", "b": "and the last one waits"},
)
def test_many_flavors(kueue_cluster, number):
    flavors = [f"flavor-{at}" for at in range(number)]
    queues = kueue_cluster.make_topology("q " + " ".join(f"{flavor}:1" for flavor in flavors))

    queues.submit_in_turn("q: " + " ".join(f"w{at}(0)1" for at in range(number)))

    within("settle", lambda: queues.has_flavors(f"w{number - 1}", flavors[-1]), clause="a")
    further = queues.submit("q: further(0)1")
    within("settle", lambda: further.has_condition("QuotaReserved", "False"), clause="b")


@scenario(
    "QUE-603",
    "a queue borrows from each of many queues of its cohort, and each reclaims its quota",
    requirement=("kep-83#reclaim-within-cohort", "kueue-docs#borrowing"),
    shows="Q-120 Q-251 Q-266",
    since="0.19",
    also=("kep993",),
    cases=pairwise(number=NUMBERS),
    clauses={
        "a": "the quota of all of them is borrowed",
        "b": "the last one gets its own back",
    },
)
def test_many_queues(kueue_cluster, number):
    lenders = [f"q{at}" for at in range(number)]
    queues = kueue_cluster.make_topology(
        "all { own 0, " + ", ".join(f"{lender} 1 reclaim=Any" for lender in lenders) + " }"
    )
    queues.submit_in_turn("own: " + " ".join(f"w{at}(0)1" for at in range(number)))
    within("settle", lambda: queues["own"].shows_borrowed("flavorsReservation", f"{number}"), clause="a")

    owner = queues.submit(f"{lenders[-1]}: owner(0)1")

    within("admit", owner.is_admitted, clause="b")
    always(lambda: queues.were_preempted(f"w{number - 1}"), clause="b")


@scenario(
    "QUE-604",
    "a Workload that is created again for its Job stands behind those that were created before it",
    requirement="kueue-docs#queueing-order",
    shows="Q-006 AC-331",
    since="0.9",
    also=("kep993",),
    clauses={
        "a": "the other one gets quota first",
        "b": "then the one of the Job, although the Job is older",
    },
)
def test_workload_made_anew(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="1")
    running = queue.submit_until("admitted", cpu="1")
    workload = queue.submit("job", cpu="1")
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    clock.tick()
    other = queue.submit(cpu="1")
    clock.tick()
    workload.delete_workload()
    within("settle", workload.was_recreated)
    clock.settle()

    running.finish()

    within("requeue", other.is_admitted, clause="a")
    always(workload.is_suspended, clause="a")
    other.finish()
    within("requeue", workload.is_admitted, clause="b")

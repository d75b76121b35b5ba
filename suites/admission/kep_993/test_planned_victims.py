"""ADM: which Workloads a reservation counts on to leave, and what becomes of the plan when they do (seed 000,
lines 203-219, 229-238; AC-440, AC-443, AC-447 to AC-449, AC-469, AC-470, AC-472, AC-473).
"""

from kueue_conformance import always, cross, never, rows, scenario, within

AFTER = "AfterCheckPassedOrOnDemand"
LOWER = {"withinClusterQueue": "LowerPriority"}


def delayed_queue(kueue_cluster, cpu="1", checks=1, **spec):
    """Return a queue in which more important Workloads preempt others once its checks have passed."""
    required = [kueue_cluster.make_check(preemption_policy=AFTER) for _ in range(checks)]
    return kueue_cluster.make_queue(required, cpu=cpu, **{"preemption": LOWER, **spec})


def waits_for(workload, victims):
    """Prechecked, and so many victims have to leave first."""
    return workload.is_prechecked() and workload.is_waiting_for_preemptions(victims)


@scenario(
    "ADM-505",
    "under the KEP a Workload is the planned victim of one reservation at most",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-469 AC-443",
    only=("kep993",),
    level="must",
    cases=cross(first=(0, 1)),
    clauses={
        "a": "each waits for one victim",
        "b": "the Workload whose check passes has one victim evicted",
        "c": "the other victim is evicted for the other Workload",
    },
)
def test_one_victim_for_one_reservation(kueue_cluster, first):
    queue = delayed_queue(kueue_cluster, cpu="2")
    running = queue.fill(2)
    waiting = [queue.submit_until("prechecked", cpu="1", priority=10) for _ in range(2)]
    for waiting_workload in waiting:
        within("settle", lambda workload=waiting_workload: waits_for(workload, 1), clause="a")

    queue.admit(waiting[first])

    gone = [victim for victim in running if victim.was_ever("Evicted")]
    stays = [running_workload for running_workload in running if running_workload not in gone]
    assert len(gone) == len(stays) == 1, f"b: {len(gone)} victims have left for one reservation"
    always(stays[0].is_admitted, clause="b")
    always(lambda: waits_for(waiting[1 - first], 1), clause="b")
    queue.admit(waiting[1 - first])
    within("settle", stays[0].is_suspended, clause="c")
    always(waiting[first].is_admitted, clause="c")


@scenario(
    "ADM-506",
    "under the KEP a planned victim that ends by itself is not waited for any more",
    requirement="kep-993#final-recheck",
    shows="AC-470 AC-489",
    only=("kep993",),
    level="must",
    cases=rows("end", ("finishes",), ("is deleted",), ("is sent back by its check",), ("is deactivated",)),
    clauses={
        "a": "no victim is waited for, and the reservation stands",
        "b": "admitted when its check passes",
        "c": "no preemption took place",
    },
)
def test_victim_ends_by_itself(kueue_cluster, end):
    queue = delayed_queue(kueue_cluster)
    (victim,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    within("settle", lambda: waits_for(workload, 1))

    {
        "finishes": victim.finish,
        "is deleted": victim.delete,
        "is deactivated": victim.deactivate,
        "is sent back by its check": lambda: queue.checks[0].answer(victim, "Retry"),
    }[end]()

    within("settle", lambda: waits_for(workload, 0), clause="a")
    always(lambda: workload.was_reserved(1), clause="a")
    queue.admit(workload)
    never(lambda: victim.was_evicted_for("Preempted"), clause="c")
    always(workload.is_admitted, clause="b")


@scenario(
    "ADM-507",
    "under the KEP a Workload that only holds a reservation can be a planned victim",
    requirement=("kep-993#reserved-is-victim", "kep-993#preemption-clears-checks"),
    shows="AC-447 AC-448 AC-472 AC-482 D-11",
    only=("kep993",),
    level="must",
    cases=cross(state=("Pending", "Ready")),
    clauses={
        "a": "it keeps its reservation until then",
        "b": "it has no quota then",
        "c": "no verdict on it is left",
        "d": "the other one is admitted",
    },
)
def test_reservation_is_planned_victim(kueue_cluster, state):
    queue = delayed_queue(kueue_cluster, checks=2)
    victim = queue.submit_until("prechecked", cpu="1", priority=-10)
    queue.checks[0].answer(victim, state)
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    always(lambda: victim.is_prechecked() and waits_for(workload, 1), clause="a")

    for check in queue.checks:
        check.answer(workload, "Ready")

    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="b")
    within("evict", lambda: victim.is_suspended() and victim.has_no_verdicts(), clause="c")
    within("admit", workload.is_admitted, clause="d")
    always(lambda: victim.is_suspended() and victim.has_no_verdicts(), clause="c")


@scenario(
    "ADM-508",
    "under the KEP a reservation that waits for victims, and its plans, give way to a Workload of higher priority",
    requirement=("kep-993#reserved-is-victim", "kep-993#preemption-clears-checks"),
    shows="AC-472 AC-448 AC-469",
    only=("kep993",),
    level="must",
    revision=2,
    clauses={
        "a": "the important one need not wait for the other's check",
        "b": "the reservation is released, and no verdict is left",
        "c": "its victim is evicted for the Workload of higher priority",
        "d": "the Workload that lost its reservation is not admitted",
        "e": "a plan of another queue stays as it is",
    },
)
def test_planned_reservation_gives_way(kueue_cluster):
    beside = delayed_queue(kueue_cluster)
    beside.fill()
    stays = beside.submit_until("prechecked", cpu="1", priority=0)
    queue = delayed_queue(kueue_cluster, checks=2)
    (victim,) = queue.fill()
    middle = queue.submit_until("prechecked", cpu="1", priority=0)
    queue.checks[0].answer(middle, "Ready")
    always(lambda: waits_for(middle, 1))

    high = queue.submit_until("prechecked", cpu="1", priority=10)

    within("evict", lambda: middle.is_suspended() and middle.has_no_verdicts(), clause="b")
    always(lambda: waits_for(high, 1) and victim.is_admitted(), clause="c")
    for check in queue.checks:
        check.answer(high, "Ready")
    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="c")
    within("admit", high.is_admitted, clause="a")
    never(lambda: middle.was_ever("Admitted"), clause="d")
    always(lambda: waits_for(stays, 1), clause="e")


@scenario(
    "ADM-509",
    "under the KEP a Workload that preempts the victim of a reservation leaves that reservation in place where it fits",
    requirement="kep-993#reserved-is-victim",
    shows="AC-470 AC-472",
    only=("kep993",),
    level="must",
    clauses={
        "a": "both have their quota reserved",
        "b": "the victim is evicted when the check of the Workload of higher priority passes",
        "c": "both run in the end",
    },
)
def test_victim_is_taken_over(kueue_cluster):
    queue = delayed_queue(kueue_cluster, cpu="10")
    (victim,) = queue.fill(cpu="10")
    middle = queue.submit_until("prechecked", cpu="6", priority=0)
    within("settle", lambda: waits_for(middle, 1))

    high = queue.submit_until("prechecked", cpu="4", priority=10)

    always(lambda: high.is_prechecked() and middle.is_prechecked(), clause="a")
    always(victim.is_admitted, clause="a")
    queue.admit(high)
    always(lambda: victim.is_suspended() and middle.is_prechecked(), clause="b")
    queue.admit(middle)
    always(high.is_admitted, clause="c")


@scenario(
    "ADM-510",
    "under the KEP planned victims are found in the queues of the cohort, too",
    requirement=("kep-993#stage-one", "kep-993#reserved-is-victim"),
    shows="AC-440 AC-447 AC-449",
    only=("kep993",),
    level="must",
    cases=cross(policy=("Any", "LowerPriority")),
    clauses={
        "a": "reserved while the borrower runs",
        "b": "the borrower is evicted when the check has passed",
        "c": "then it is admitted",
    },
)
def test_planned_reclamation(kueue_cluster, policy):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    owner = delayed_queue(
        kueue_cluster,
        flavors=[flavor],
        cpu="2",
        cohortName=cohort,
        preemption={"reclaimWithinCohort": policy},
    )
    borrower = kueue_cluster.make_queue(flavors=[flavor], cpu="0", cohortName=cohort)
    (victim,) = borrower.fill(cpu="2")

    workload = owner.submit_until("prechecked", cpu="2", priority=10)

    always(lambda: waits_for(workload, 1) and victim.is_admitted(), clause="a")
    owner.checks[0].answer(workload, "Ready")
    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="b")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-582",
    "reclaimable pods of a running Workload spare the victim that a reservation waits for",
    requirement=("kep-993#preemption-time", "kep-993#reservation-fits-quota"),
    shows="AC-470 AC-473 Q-088",
    only=("kep993",),
    level="should",
    clauses={"a": "it waits for no victim any more", "b": "it is admitted, and the other runs on"},
)
def test_pods_that_are_given_back_spare_victims(kueue_cluster):
    queue = delayed_queue(kueue_cluster, cpu="2")
    running = queue.submit_until("admitted", podSets=[kueue_cluster.pod_set("main", count=2, cpu="1")])
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    within("settle", lambda: waits_for(workload, 1))

    running.set_reclaimable_pods(1)

    within("settle", lambda: waits_for(workload, 0), clause="a")
    queue.admit(workload)
    within("admit", workload.is_admitted, clause="b")
    always(lambda: running.was_evicted_times(0), clause="b")


@scenario(
    "ADM-596",
    "under the KEP the planned victim of a deleted Workload is planned for the next one",
    requirement="kep-993#preemption-time",
    shows="AC-470 AC-472 Q-262",
    only=("kep993",),
    level="should",
    clauses={
        "a": "it waits for one",
        "b": "the Workload of lower priority is evicted",
        "c": "the other stays",
    },
)
def test_victim_of_one_that_is_gone(kueue_cluster):
    queue = delayed_queue(kueue_cluster, cpu="2")
    (goes,) = queue.fill(priority=-20)
    (stays,) = queue.fill(priority=-10)
    first = queue.submit_until("prechecked", cpu="1", priority=10)
    within("settle", lambda: waits_for(first, 1))

    first.delete()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)

    within("settle", lambda: waits_for(workload, 1), clause="a")
    queue.admit(workload)
    within("evict", lambda: goes.was_evicted_for("Preempted") and goes.is_suspended(), clause="b")
    never(lambda: stays.was_ever("Evicted"), clause="c")

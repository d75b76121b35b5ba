"""QUE: victims of a preemption that wait for their checks,
or that have passed them (KEP-993, lines 229-233; KEP-83).
"""

from kueue_conformance import always, cross, never, pairwise, rows, scenario, within

LOWER = {"withinClusterQueue": "LowerPriority"}
PRIORITY = "kueue.x-k8s.io/priority-class"


@scenario(
    "QUE-150",
    "a Workload that only holds a reservation is preempted by one of higher priority",
    requirement=("kep-993#reserved-is-victim", "kep-993#preemption-clears-checks"),
    shows="AC-300 AC-447 AC-448 Q-250 Q-252",
    since="0.19",
    also=("kep993",),
    cases=pairwise(checks=(1, 2), state=("Pending", "Ready")),
    clauses={
        "a": "it is evicted as preempted",
        "b": "it has no quota, and no verdict is left",
        "c": "it was never admitted",
        "d": "the other is reserved, and admitted when its checks have passed",
    },
)
def test_reservation_gives_way(kueue_cluster, checks, state):
    queue = kueue_cluster.make_queue(checks + 1, cpu="1", preemption=LOWER)
    victim = queue.submit_until("prechecked", cpu="1", priority=-10)
    for check in queue.checks[:checks]:
        check.answer(victim, state)
    always(victim.is_prechecked)

    workload = queue.submit(cpu="1", priority=10)

    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="a")
    within("evict", lambda: victim.is_suspended() and victim.has_no_verdicts(), clause="b")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="d")
    queue.admit(workload)
    always(workload.is_admitted, clause="d")
    never(lambda: victim.was_ever("Admitted"), clause="c")


@scenario(
    "QUE-151",
    "an admitted victim has to pass its checks again when it gets quota again",
    requirement=("kep-993#preemption-clears-checks", "kep-83#waits-for-victims"),
    shows="AC-448 AC-340 AC-345 Q-296",
    since="0.19",
    also=("kep993",),
    cases=cross(checks=(1, 3)),
    clauses={
        "a": "no verdict is left of it",
        "b": "reserved again, it waits for its checks",
        "c": "and is admitted when they have passed again",
    },
)
def test_victim_is_checked_anew(kueue_cluster, checks):
    queue = kueue_cluster.make_queue(checks, cpu="1", preemption=LOWER)
    (victim,) = queue.fill()
    high = queue.submit_until("admitted", cpu="1", priority=10)
    within("settle", lambda: victim.is_suspended() and victim.has_no_verdicts(), clause="a")

    high.finish()

    within("reserve", lambda: victim.is_prechecked() and victim.lists_checks(*queue.checks), clause="b")
    always(lambda: victim.is_prechecked() and victim.has_states("Pending"), clause="b")
    queue.admit(victim)
    always(lambda: victim.was_admitted_times(2), clause="c")


@scenario(
    "QUE-152",
    "victims are chosen by their priority, and not by whether their checks have passed",
    requirement=("kep-83#candidate-order", "kep-993#reserved-is-victim"),
    shows="Q-262 AC-447",
    since="0.19",
    also=("kep993",),
    cases=cross(important=("admitted", "prechecked")),
    clauses={"a": "the one of lower priority is preempted", "b": "the other stays as it is"},
)
def test_priority_of_victims(kueue_cluster, important):
    queue = kueue_cluster.make_queue(1, cpu="2", preemption=LOWER)
    other = {"admitted": "prechecked", "prechecked": "admitted"}[important]
    stays = queue.submit_until(important, cpu="1", priority=-5)
    goes = queue.submit_until(other, cpu="1", priority=-10)

    queue.submit_until("prechecked", cpu="1", priority=10)

    within("settle", lambda: goes.was_evicted_for("Preempted") and goes.is_suspended(), clause="a")
    never(lambda: stays.was_ever("Evicted"), clause="b")
    always({"admitted": stays.is_admitted, "prechecked": stays.is_prechecked}[important], clause="b")


@scenario(
    "QUE-153",
    "of victims of equal priority the one with the latest reservation is preempted, whether its checks have passed or not",
    requirement=("kep-83#candidate-order", "kep-993#reserved-is-victim"),
    shows="Q-262",
    since="0.19",
    also=("kep993",),
    revision=2,
    cases=cross(newest=("admitted", "prechecked")),
    clauses={
        "a": "the one that got its quota last is preempted, although it was created first",
        "b": "the other stays",
    },
)
def test_newest_victim(kueue_cluster, clock, newest):
    queue = kueue_cluster.make_queue(1, cpu="2", preemption=LOWER)
    goes = queue.submit(cpu="1", priority=-5, active=False)
    clock.tick()
    stays = queue.submit_until(
        {"admitted": "prechecked", "prechecked": "admitted"}[newest], cpu="1", priority=-5
    )
    clock.tick()
    goes.reactivate()
    within("reserve", lambda: goes.is_prechecked() and goes.lists_checks(*queue.checks))
    {"admitted": lambda: queue.admit(goes), "prechecked": goes.touch}[newest]()
    clock.tick()

    queue.submit_until("prechecked", cpu="1", priority=10)

    within("settle", lambda: goes.was_evicted_for("Preempted") and goes.is_suspended(), clause="a")
    never(lambda: stays.was_evicted_for("Preempted"), clause="b")


@scenario(
    "QUE-154",
    "a victim that had not started gets the conditions and events of a running one, and its Job never starts",
    requirement=("kep-993#reserved-is-victim", "queueing#events"),
    shows="AC-300 AC-342 AC-381 EV-010",
    since="0.19",
    also=("kep993",),
    level="should",
    cases=cross(stage=("prechecked", "admitted")),
    clauses={
        "a": "EvictedDueToPreempted and Preempted, once each",
        "b": "the Job runs only if the checks had passed",
        "c": "it is suspended in the end",
    },
)
def test_victims_are_told(kueue_cluster, stage):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption=LOWER)
    low, high = kueue_cluster.make_priority_class(-10), kueue_cluster.make_priority_class(10)
    victim = queue.submit_until(stage, "job", cpu="1", labels={PRIORITY: low})
    job, events = kueue_cluster.job_of(victim), kueue_cluster.events_of(victim)

    queue.submit_until("prechecked", "job", cpu="1", labels={PRIORITY: high})

    within(
        "settle",
        lambda: events.has_events("EvictedDueToPreempted") and events.has_events("Preempted"),
        clause="a",
    )
    always(
        lambda: events.has_events("Started", times={"prechecked": 0, "admitted": 1}[stage], on="Job"),
        clause="b",
    )
    within("settle", job.is_stopped, clause="c")


@scenario(
    "QUE-155",
    "a Workload of higher priority preempts several Workloads that wait for different checks",
    requirement=("kep-993#reserved-is-victim", "kep-83#minimal-preemptions"),
    shows="Q-266 Q-269 AC-447",
    since="0.19",
    also=("kep993",),
    cases=rows("need leave", ("1", 1), ("2", 2), ("3", 3)),
    clauses={
        "a": "as many are preempted as are needed",
        "b": "the others keep their reservations and verdicts",
        "c": "it is reserved",
    },
)
def test_as_many_reservations_as_needed(kueue_cluster, clock, need, leave):
    queue = kueue_cluster.make_queue(2, cpu="3", preemption=LOWER)
    victims = []
    for _ in range(3):
        clock.tick()
        victims.append(queue.submit_until("prechecked", cpu="1", priority=-10))
        queue.checks[0].answer(victims[-1], "Ready")
        always(victims[-1].is_prechecked)
    clock.tick()

    workload = queue.submit_until("prechecked", cpu=need, priority=10)

    staying, gone = victims[: 3 - leave], victims[3 - leave :]
    for victim_workload in gone:
        within(
            "settle",
            lambda victim=victim_workload: victim.is_suspended() and victim.has_no_verdicts(),
            clause="a",
        )
    for staying_workload in staying:
        always(
            lambda other=staying_workload: (
                other.is_prechecked() and other.has_states("Ready", queue.checks[0])
            ),
            clause="b",
        )
    always(workload.is_prechecked, clause="c")


@scenario(
    "QUE-156",
    "a Workload that borrows from another queue is reclaimed also while it waits for its checks",
    requirement=("kep-83#reclaim-within-cohort", "kep-993#reserved-is-victim"),
    shows="Q-252 Q-256 AC-447",
    since="0.19",
    also=("kep993",),
    cases=pairwise(policy=("Any", "LowerPriority"), stage=("prechecked", "admitted"), checks=(0, 1)),
    clauses={
        "a": "the borrower is evicted",
        "b": "the owner has its quota",
        "c": "the borrower waits, without a verdict",
    },
)
def test_lent_reservation_is_reclaimed(kueue_cluster, policy, stage, checks):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    owner = kueue_cluster.make_queue(
        checks, flavors=[flavor], cpu="2", cohortName=cohort, preemption={"reclaimWithinCohort": policy}
    )
    borrower = kueue_cluster.make_queue(1, flavors=[flavor], cpu="0", cohortName=cohort)
    victim = borrower.submit_until(stage, cpu="2", priority=-10)

    workload = owner.submit(cpu="1")

    within("evict", lambda: victim.had_condition("Preempted", "True", "InCohortReclamation"), clause="a")
    within("reserve", lambda: owner.has_reserved_for(workload), clause="b")
    within("settle", lambda: victim.is_suspended() and victim.has_no_verdicts(), clause="c")


@scenario(
    "QUE-157",
    "a preemptor gets its quota when its victim ends before its eviction is complete",
    requirement="kep-83#waits-for-victims",
    shows="Q-290 Q-293 Q-295",
    since="0.19",
    also=("kep993",),
    cases=rows("end", ("is deleted",), ("finishes",), ("is deactivated",)),
    clauses={"a": "the preemptor is reserved", "b": "its checks are asked, and it is admitted"},
)
def test_victim_ends_while_it_stops(kueue_cluster, end):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption=LOWER)
    (victim,) = queue.fill()
    kueue_cluster.release.pods_are_held = True
    workload = queue.submit(cpu="1", priority=10)
    within("evict", victim.is_evicted)

    {"is deleted": victim.delete, "finishes": victim.finish, "is deactivated": victim.deactivate}[end]()
    kueue_cluster.release.pods_are_held = False

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")
    queue.admit(workload)
    always(workload.is_admitted, clause="b")

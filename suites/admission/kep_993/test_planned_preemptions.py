"""ADM: quota that is reserved before its victims have left (seed 000, lines 203-219, 229-238; AC-440, AC-441,
AC-469, AC-470, AC-472, AC-473).
"""

from kueue_conformance import always, cross, never, rows, scenario, within

AFTER = "AfterCheckPassedOrOnDemand"
LOWER = {"withinClusterQueue": "LowerPriority"}
PRIORITY = "kueue.x-k8s.io/priority-class"


def delayed_queue(kueue_cluster, cpu="1", checks=1, **spec):
    """Return a queue in which more important Workloads preempt others once its checks have passed."""
    required = [kueue_cluster.make_check(preemption_policy=AFTER) for _ in range(checks)]
    return kueue_cluster.make_queue(required, cpu=cpu, **{"preemption": LOWER, **spec})


def waits_for(workload, victims):
    """Prechecked, and so many victims have to leave first."""
    return workload.is_prechecked() and workload.is_waiting_for_preemptions(victims)


def of_class(kueue_cluster, form, value):
    """What gives a Workload or a Job a priority."""
    if form == "workload":
        return {"priority": value}
    return {"labels": {PRIORITY: kueue_cluster.make_priority_class(value)}}


@scenario(
    "ADM-500",
    "under the KEP quota is reserved before the victims have left, and nothing runs on it",
    requirement=("kep-993#stage-one", "kep-993#preemption-time"),
    shows="AC-283 AC-440 D-03",
    only=("kep993",),
    level="must",
    cases=cross(victims=(1, 2), form=("workload", "job")),
    clauses={
        "a": "it is Prechecked, with its flavors and its checks",
        "b": "the victims run on",
        "c": "it is not admitted before they have left",
        "d": "it is admitted when its check has passed and they have left",
    },
)
def test_reserved_before_victims_have_left(kueue_cluster, victims, form):
    queue = delayed_queue(kueue_cluster, cpu=f"{victims}")
    running = queue.fill(victims, form, **of_class(kueue_cluster, form, -10))

    workload = queue.submit(form, cpu=f"{victims}", **of_class(kueue_cluster, form, 10))

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")
    always(lambda: workload.has_flavor(*queue.flavors), clause="a")
    for running_workload in running:
        never(lambda victim=running_workload: victim.was_ever("Evicted"), clause="b")
    never(lambda: workload.was_ever("Admitted"), clause="c")
    queue.admit(workload)
    for running_workload in running:
        within("evict", lambda victim=running_workload: victim.was_evicted_for("Preempted"), clause="d")
        within("settle", running_workload.is_suspended, clause="d")


@scenario(
    "ADM-501",
    "under the KEP victims hold their quota until they have stopped, and no Workload is admitted in their place before",
    requirement=("kep-993#final-recheck", "kep-993#reserved-is-victim"),
    shows="AC-449 AC-473",
    only=("kep993",),
    level="must",
    cases=cross(victims=(1, 2)),
    clauses={
        "a": "all checks have passed, and it is Prechecked while a victim has pods",
        "b": "the victims' quota is counted",
        "c": "admitted afterwards",
    },
)
def test_admitted_when_victims_have_stopped(kueue_cluster, victims):
    queue = delayed_queue(kueue_cluster, cpu=f"{victims}")
    running = queue.fill(victims)
    workload = queue.submit_until("prechecked", cpu=f"{victims}", priority=10)
    kueue_cluster.release.pods_are_held = True

    queue.checks[0].answer(workload, "Ready")

    for running_workload in running:
        within("evict", running_workload.is_evicted, clause="a")
    never(lambda: workload.was_ever("Admitted"), clause="a")
    always(lambda: waits_for(workload, victims), clause="a")
    within("settle", lambda: queue.shows_used(f"{victims}"), clause="b")
    kueue_cluster.release.pods_are_held = False
    within("admit", workload.is_admitted, clause="c")
    always(lambda: workload.is_waiting_for_preemptions(0), clause="c")


@scenario(
    "ADM-502",
    "under the KEP no more is reserved than fits together once the victims have left",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-441 AC-469",
    only=("kep993",),
    level="must",
    cases=cross(strategy=("BestEffortFIFO", "StrictFIFO"), priority=(0, 10)),
    clauses={
        "a": "as many are reserved as fit",
        "b": "one more Workload stays pending, whatever it could preempt",
        "c": "the reserved Workloads run in the end",
    },
)
def test_limit_on_reservations(kueue_cluster, strategy, priority):
    queue = delayed_queue(kueue_cluster, cpu="3", queueingStrategy=strategy)
    queue.fill(3)
    waiting = [queue.submit_until("prechecked", cpu="1", priority=10) for _ in range(3)]

    late = queue.submit(cpu="1", priority=priority)

    within("settle", lambda: late.has_condition("QuotaReserved", "False"), clause="b")
    for waiting_workload in waiting:
        always(lambda workload=waiting_workload: waits_for(workload, 1), clause="a")
    always(late.is_suspended, clause="b")
    for waiting_workload in waiting:
        queue.admit(waiting_workload)
    always(lambda: late.was_ever("QuotaReserved").negate(), clause="b")
    for waiting_workload in waiting:
        always(waiting_workload.is_admitted, clause="c")


@scenario(
    "ADM-503",
    "under the KEP no other Workload gets the quota that a planned preemption will free",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-469 AC-441",
    only=("kep993",),
    level="must",
    cases=cross(checks=(0, 1)),
    clauses={
        "a": "another one waits while the victim runs",
        "b": "it gets the remaining quota when the victim has ended",
        "c": "the one that was first is admitted",
    },
)
def test_planned_capacity_is_not_free(kueue_cluster, checks):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    queue = delayed_queue(kueue_cluster, cpu="4", flavors=[flavor], cohortName=cohort)
    beside = kueue_cluster.make_queue(checks, flavors=[flavor], cpu="0", cohortName=cohort)
    (victim,) = queue.fill(cpu="4")
    workload = queue.submit_until("prechecked", cpu="3", priority=10)

    other = beside.submit(cpu="1")

    within("settle", lambda: other.has_condition("QuotaReserved", "False"), clause="a")
    always(other.is_suspended, clause="a")
    always(victim.is_admitted, clause="a")
    queue.admit(workload)
    within("reserve", lambda: beside.has_reserved_for(other), clause="b")
    always(workload.is_admitted, clause="c")


@scenario(
    "ADM-504",
    "under the KEP quota that is free before and after a planned preemption can be used by other Workloads",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-469",
    only=("kep993",),
    level="must",
    clauses={"a": "it is admitted beside the victim", "b": "and beside its preemptor"},
)
def test_free_capacity_is_used(kueue_cluster):
    queue = delayed_queue(kueue_cluster, cpu="6")
    (victim,) = queue.fill(cpu="4")
    workload = queue.submit_until("prechecked", cpu="3", priority=10)

    other = queue.submit_until("prechecked", cpu="1")

    queue.admit(other)
    always(lambda: victim.is_admitted() and waits_for(workload, 1), clause="a")
    queue.admit(workload)
    always(lambda: other.is_admitted() and workload.is_admitted(), clause="b")


@scenario(
    "ADM-583",
    "under the KEP a plan to preempt is dropped with its reservation",
    requirement=("kep-993#reservation-fits-quota", "kep-993#reserved-is-victim"),
    shows="AC-440 AC-441 AC-469",
    only=("kep993",),
    level="must",
    cases=rows("end", ("is deleted",), ("is deactivated",)),
    clauses={
        "a": "a Workload that may not preempt the victim stays pending, as no quota is free",
        "b": "a more important one has a plan of its own",
        "c": "for which the victim is evicted before it is admitted",
    },
)
def test_plan_of_one_that_is_gone(kueue_cluster, end):
    queue = delayed_queue(kueue_cluster)
    (victim,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    always(lambda: waits_for(workload, 1))

    {"is deleted": workload.delete, "is deactivated": workload.deactivate}[end]()
    late = queue.submit(cpu="1", priority=-10)

    within("settle", lambda: late.has_condition("QuotaReserved", "False"), clause="a")
    always(late.is_suspended, clause="a")
    higher = queue.submit_until("prechecked", cpu="1", priority=20)
    always(lambda: waits_for(higher, 1) and victim.is_admitted(), clause="b")
    queue.admit(higher)
    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="c")


@scenario(
    "ADM-511",
    "under the KEP a queue without checks preempts first, and reserves and admits by one write",
    requirement="kep-993#admitted-without-checks",
    shows="AC-477 AC-284",
    only=("kep993",),
    level="must",
    clauses={"a": "no quota is reserved while the victim has pods", "b": "it is admitted by one write"},
)
def test_without_checks_preemption_goes_first(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1", preemption=LOWER)
    (victim,) = queue.fill()
    kueue_cluster.release.pods_are_held = True

    workload = queue.submit(cpu="1", priority=10)

    within("evict", victim.is_evicted, clause="a")
    always(workload.is_suspended, clause="a")
    kueue_cluster.release.pods_are_held = False
    within("admit", workload.is_admitted, clause="b")
    always(workload.was_admitted_in_one_write, clause="b")


@scenario(
    "ADM-512",
    "under the KEP a restart of the control plane loses no planned preemption, and evicts no Workload twice",
    requirement=("kep-993#preemption-time", "kep-993#reservation-fits-quota"),
    shows="AC-440 AC-469 AC-471",
    only=("kep993",),
    level="must",
    needs=("restart of Kueue",),
    cases=cross(when=("before the check has passed", "while a victim stops")),
    clauses={
        "a": "the reservations are as they were",
        "b": "the victim is evicted once",
        "c": "the preemptor is admitted",
    },
)
def test_restart_keeps_plans(kueue_cluster, when):
    queue = delayed_queue(kueue_cluster, cpu="3")
    beside = queue.submit_until("prechecked", cpu="1")
    (victim,) = queue.fill(cpu="2")
    workload = queue.submit_until("prechecked", cpu="2", priority=10)
    kueue_cluster.release.pods_are_held = True
    if when == "while a victim stops":
        queue.checks[0].answer(workload, "Ready")
        within("evict", victim.is_evicted)

    kueue_cluster.restart_control_plane()

    always(lambda: beside.is_prechecked() and waits_for(workload, 1), clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("evict", victim.is_evicted)
    kueue_cluster.release.pods_are_held = False
    within("admit", workload.is_admitted, clause="c")
    always(lambda: victim.was_evicted_times(1) and beside.was_evicted_times(0), clause="b")

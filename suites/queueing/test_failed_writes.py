"""QUE: writes of Kueue that fail or come late, and the quota that they are about (KEP-83; Q-290…Q-293)."""

from kueue_conformance import always, scenario, within

CONTROLLER_FAULTS, METRICS = "faults of Kueue", "metrics of the control plane"
TIMES = 3


@scenario(
    "QUE-262",
    "a reservation that cannot be written is tried again, and the failed attempts do not count as reservations",
    requirement=("queueing#metrics", "kueue-docs#tried-again"),
    shows="S-014 MT-001",
    since="0.19",
    level="should",
    needs=(CONTROLLER_FAULTS, METRICS),
    clauses={
        "a": "the faults are met",
        "b": "it is admitted when the write succeeds",
        "c": "one reservation and one admission are counted",
    },
)
def test_reservation_is_refused(kueue_cluster, controller_faults):
    queues = kueue_cluster.make_topology("q 5")
    metrics = kueue_cluster.metrics_of(queues["q"])
    controller_faults.refuse_writes("Workload/status", 500, times=TIMES)

    workload = queues.submit("q: w(0)1")

    within("recover", lambda: controller_faults.have_struck(TIMES), clause="a")
    within("recover", workload.is_admitted, clause="b")
    within("settle", lambda: metrics.shows("quota_reserved_workloads_total", 1), clause="c")
    within("settle", lambda: metrics.shows("admitted_workloads_total", 1), clause="c")


@scenario(
    "QUE-263",
    "an eviction that cannot be written is tried again, and the preemptor waits for it",
    requirement="kep-83#waits-for-victims",
    shows="S-051 Q-290 Q-292",
    since="0.19",
    also=("kep993",),
    needs=(CONTROLLER_FAULTS,),
    clauses={
        "a": "the fault is met",
        "b": "the victim keeps its quota meanwhile",
        "c": "then it is preempted, once",
        "d": "the preemptor is admitted",
    },
)
def test_eviction_is_refused(kueue_cluster, controller_faults):
    queues = kueue_cluster.make_topology("q 3 within=LowerPriority")
    (low,) = queues.submit_in_turn("q: low(0)3")
    controller_faults.refuse_verdicts_on(low, 500)

    high = queues.submit("q: high(5)3")

    within("settle", controller_faults.have_struck, clause="a")
    always(lambda: low.is_admitted() and high.was_reserved(0), clause="b")
    controller_faults.remove_all()
    within("recover", lambda: queues.were_preempted("low") and low.was_evicted_times(1), clause="c")
    within("recover", high.is_admitted, clause="d")


@scenario(
    "QUE-265",
    "a preemptor reports, in the recorded text, that its victim could not be preempted and that it tries again",
    requirement="queueing#messages",
    shows="M-027 Q-230",
    since="0.19",
    also=("kep993",),
    needs=(CONTROLLER_FAULTS,),
    level="may",
    clauses={"a": "the condition reports it while the fault lasts"},
)
def test_message_of_a_refused_eviction(kueue_cluster, controller_faults):
    queues = kueue_cluster.make_topology("q 3 within=LowerPriority")
    (low,) = queues.submit_in_turn("q: low(0)3")
    controller_faults.refuse_verdicts_on(low, 500)

    high = queues.submit("q: high(5)3")

    within(
        "settle",
        lambda: high.has_message_containing(
            "QuotaReserved", ". Preempting 1 workload(s) failed, will retry."
        ),
        clause="a",
    )


@scenario(
    "QUE-264",
    "a Workload that is preempted while its own admission is being written is evicted in the end",
    requirement=("kep-83#waits-for-victims", "queueing#one-cycle"),
    shows="S-063 Q-292",
    since="0.19",
    also=("kep993",),
    needs=(CONTROLLER_FAULTS, "virtual time"),
    clauses={
        "a": "the fault is met",
        "b": "the preemptor is admitted",
        "c": "the other was preempted and waits",
    },
)
def test_admission_is_late(kueue_cluster, controller_faults):
    queues = kueue_cluster.make_topology("q 3 within=LowerPriority")
    controller_faults.slow_verdicts_down(budget="late", times=1)
    low = queues.submit("q: low(0)3")
    within("react", controller_faults.have_struck, clause="a")

    high = queues["q"].submit(cpu="3", priority=5)

    within("recover", high.is_admitted, clause="b")
    within("settle", lambda: low.had_condition("Evicted", "True", "Preempted"), clause="c")
    always(lambda: high.is_admitted() and low.is_suspended(), clause="c")

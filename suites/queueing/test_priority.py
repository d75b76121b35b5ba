"""QUE: what a priority decides, and what happens when it changes (Q-005, Q-021, Q-051; T-15)."""

from kueue_conformance import always, cross, rows, scenario, within

LOWEST, HIGHEST = -(2**31), 2**31 - 1


@scenario(
    "QUE-021",
    "without a priority a Workload counts as one of priority 0, for its place and for preemption",
    requirement="kueue-docs#priority",
    shows="Q-005 Q-250",
    since="0.19",
    also=("kep993",),
    clauses={"a": "it goes before one below 0", "b": "and is preempted for one above 0"},
)
def test_no_priority(kueue_cluster):
    queues = kueue_cluster.make_topology("q 1 within=LowerPriority Hold")
    queues.submit_all("q: below(-1)1 none()1")

    queues["q"].resume()
    within("admit", lambda: queues.has_reserved("none"), clause="a")
    always(lambda: queues.has_reserved("none") and queues.were_preempted(), clause="a")
    queues.submit("q: above(1)1")

    within("admit", lambda: queues.has_reserved("above"), clause="b")


@scenario(
    "QUE-022",
    "priorities at the ends of their range are compared as numbers",
    requirement=("kueue-docs#priority", "queueing#odd-input"),
    shows="Q-005 Q-021 Q-250",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "the highest goes first",
        "b": "the lowest is preempted for any other, and all others for the highest alone",
    },
)
def test_ends_of_the_range(kueue_cluster):
    queues = kueue_cluster.make_topology("q 1 within=LowerPriority Hold")
    queues.submit_all(f"q: lowest({LOWEST})1 middle(0)1 highest({HIGHEST})1")
    queues["q"].resume()
    within("admit", lambda: queues.has_reserved("highest"), clause="a")
    always(lambda: queues.has_reserved("highest") and queues.were_preempted(), clause="a")
    queues.delete_workloads("highest", "middle")
    within("admit", lambda: queues.has_reserved("lowest"))

    queues.submit(f"q: next({LOWEST + 1})1")
    within("admit", lambda: queues.has_reserved("next"), clause="b")
    queues.submit(f"q: last({HIGHEST})1")

    within("admit", lambda: queues.has_reserved("last"), clause="b")


@scenario(
    "QUE-023",
    "a pending Workload whose priority is raised may preempt",
    requirement=("kueue-docs#priority", "kep-83#within-cluster-queue"),
    shows="Q-032 Q-051",
    since="0.19",
    also=("kep993",),
    clauses={"a": "as an equal it waits", "b": "raised it gets the quota of the other"},
)
def test_raised_while_it_waits(kueue_cluster):
    queues = kueue_cluster.make_topology("q 1 within=LowerPriority")
    queues.submit_in_turn("q: running(1)1")
    waiting = queues.submit("q: waiting(1)1")
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: queues.has_reserved("running"), clause="a")

    waiting.set_priority(2)

    within("admit", lambda: queues.has_reserved("waiting"), clause="b")


@scenario(
    "QUE-024",
    "the value of a WorkloadPriorityClass decides which Workload is preempted for a Job",
    requirement=("kueue-docs#priority", "kep-83#within-cluster-queue"),
    shows="Q-005 Q-250 Q-051",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "the Job of the higher class is admitted",
        "b": "the other is suspended again",
        "c": "and gets its quota back when its class is raised",
    },
)
def test_priority_classes(kueue_cluster):
    queue = kueue_cluster.make_topology("q 1 within=LowerPriority")["q"]
    low_class, high_class = (kueue_cluster.make_priority_class(value) for value in (10, 20))
    label = "kueue.x-k8s.io/priority-class"
    low = queue.submit("job", cpu="1", labels={label: low_class})
    within("admit", low.is_admitted)

    high = queue.submit("job", cpu="1", labels={label: high_class})
    within("admit", high.is_admitted, clause="a")
    within("evict", low.is_suspended, clause="b")
    kueue_cluster.change_priority_class(low_class, 30)

    within("admit", low.is_admitted, clause="c")
    within("evict", high.is_suspended, clause="c")


@scenario(
    "QUE-025",
    "an admitted Workload whose class is lowered is preempted by a pending one",
    requirement=("kueue-docs#priority", "kueue-docs#tried-again"),
    shows="Q-051 T-15 QC-05 P-036",
    since="0.19",
    also=("kep993",),
    cases=cross(strategy=("BestEffortFIFO", "StrictFIFO")),
    revision=2,
    clauses={"a": "one that is lower waits", "b": "it gets the quota when the other falls below it"},
)
def test_class_of_an_admitted_one_falls(kueue_cluster, strategy):
    queue = kueue_cluster.make_topology("q 1 within=LowerPriority", queueingStrategy=strategy)["q"]
    falls = kueue_cluster.make_priority_class(20)
    running = queue.submit("job", cpu="1", labels={"kueue.x-k8s.io/priority-class": falls})
    within("admit", running.is_admitted)
    waiting = queue.submit(cpu="1", priority=10)
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"), clause="a")
    always(waiting.is_suspended, clause="a")

    kueue_cluster.change_priority_class(falls, 5)

    within("admit", waiting.is_admitted, clause="b")
    within("evict", running.is_suspended, clause="b")


@scenario(
    "QUE-064",
    "a queue reclaims its own quota from any borrower, whatever its priority",
    requirement="kep-83#reclaim-within-cohort",
    shows="S-059 S-061 Q-250 Q-251",
    since="0.19",
    also=("kep993",),
    cases=rows("policy goes", ("Any", "high"), ("LowerPriority", "")),
    clauses={
        "a": "the borrower is preempted where the policy is Any",
        "b": "no borrower is preempted where the policy is LowerPriority",
    },
)
def test_reclaim_from_higher(kueue_cluster, policy, goes):
    queues = kueue_cluster.make_topology(f"all {{ alpha 2 StrictFIFO, beta 2 reclaim={policy} }}")
    queues.submit_in_turn("alpha: high(1)4")
    _, own = queues.submit_all("alpha: behind(0)1; beta: own(-1)1")

    within(
        "settle",
        lambda: own.has_condition("QuotaReserved", "") and queues.were_preempted(*goes.split()),
        clause="a",
    )
    within("admit", lambda: own.is_admitted() if goes else queues.has_reserved("high"), clause="a")
    always(lambda: queues.were_preempted(*goes.split()), clause="b")


@scenario(
    "QUE-065",
    "a victim that fits another flavor by preemption preempts there in turn",
    requirement=("kep-83#reclaim-within-cohort", "kep-582#fungibility"),
    shows="S-064 Q-256",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "the owner gets its flavor back",
        "b": "the borrower preempts a lower Workload in the other flavor",
    },
)
def test_chain_of_preemptions(kueue_cluster):
    words = "canBorrow=TryNextFlavor canPreempt=TryNextFlavor within=LowerPriority reclaim=Any borrow=LowerPriority"
    queues = kueue_cluster.make_topology(f"all {{ one f1:0 f2:1 {words}, two f1:1 f2:0 {words} }}")
    queues.submit_in_turn("one: low(0)1")
    within("settle", lambda: queues.has_flavors("low", "f2"))
    queues.submit_in_turn("one: high(9)1")
    within("settle", lambda: queues.has_flavors("high", "f1"))

    queues.submit("two: mid(5)1")

    within("admit", lambda: queues.has_flavors("mid", "f1"), clause="a")
    within(
        "admit", lambda: queues.has_flavors("high", "f2") and queues.has_reserved("mid", "high"), clause="b"
    )


@scenario(
    "QUE-260",
    "a ClusterQueue with usage-based admission goes by priority where Kueue runs without AdmissionFairSharing",
    requirement="kueue-docs#priority",
    shows="Q-021 Q-262 AC-045",
    since="0.19",
    clauses={"a": "the one of lower priority is preempted", "b": "for the more important one"},
)
def test_scope_without_usage(kueue_cluster):
    queues = kueue_cluster.make_topology(
        "q 1 within=LowerPriority", admissionScope={"admissionMode": "UsageBasedAdmissionFairSharing"}
    )
    queues.submit_in_turn("q: low(0)1")

    high = queues.submit("q: high(5)1")

    within("settle", lambda: queues.were_preempted("low"), clause="a")
    within("admit", high.is_admitted, clause="b")

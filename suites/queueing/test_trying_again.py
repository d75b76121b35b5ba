"""QUE: what lets a Workload be tried again that did not fit (Q-050…Q-053, Q-060…Q-067)."""

from kueue_conformance import always, either, rows, scenario, within


def _ends(queues, how):
    """Have the Workload `running` end in one of several ways."""
    running = queues.workloads["running"]
    {
        "finished": running.finish,
        "deleted": running.delete,
        "deactivated": running.deactivate,
        "given back": lambda: running.set_reclaimable_pods(2),
    }[how]()


@scenario(
    "QUE-010",
    "a Workload that did not fit gets quota when one that holds it ends, also in another queue of the cohort",
    requirement=("kueue-docs#tried-again", "kueue-docs#borrowing"),
    shows="Q-050 Q-051 Q-053 S-015 S-016 S-049d T-01",
    cases=rows(
        "how where",
        ("finished", "same queue"),
        ("finished", "other queue"),
        ("deleted", "other queue"),
        ("deactivated", "same queue"),
        ("given back", "other queue"),
    ).also_drawn(),
    clauses={"a": "it waits", "b": "it is admitted"},
)
def test_end_of_a_holder(kueue_cluster, how, where):
    queues = kueue_cluster.make_topology("all { one 1, other 2 }")
    queues.submit_in_turn("other: running(0)3x1")
    name = {"same queue": "other", "other queue": "one"}[where]
    new = queues.submit(f"{name}: new(0)2")
    within("settle", lambda: new.has_condition("QuotaReserved", "False"), clause="a")
    always(new.is_suspended, clause="a")

    _ends(queues, how)

    within("admit", new.is_admitted, clause="b")


CHANGES = {
    "more quota": ("q 1", lambda queues: queues["q"].set_quota("2")),
    "more quota of another queue": ("all { q 1, other 0 }", lambda queues: queues["other"].set_quota("1")),
    "a borrowing limit goes": ("all { q 1 borrows<=0, other 1 }", lambda queues: queues["q"].set_quota("1")),
    "a lending limit goes": ("all { q 1, other 1 lends<=0 }", lambda queues: queues["other"].set_quota("1")),
    "a queue that has quota joins": ("all { q 1 }, other 1", lambda queues: queues["other"].try_to_change(cohortName=queues.cohorts["all"])),
    "it joins a cohort": ("q 1, all { other 1 }", lambda queues: queues["q"].try_to_change(cohortName=queues.cohorts["all"])),
    "quota of a cohort": ("r 0 { all { q 1 } }", lambda queues: queues.set_cohort_quota("r", "1")),
    "the cohort moves": ("a { all { q 1 } }, b 1 { other 0 }", lambda queues: queues.move_cohort("all", "b")),
}  # fmt: skip


@scenario(
    "QUE-011",
    "a Workload that did not fit gets quota when a quota, a limit or the tree changes so that it fits",
    requirement=("kueue-docs#tried-again", "kep-79#cohort-quota"),
    cases=rows("change", *((example,) for example in CHANGES)),
    shows="Q-051 Q-130 Q-132 S-017 S-018 S-031b S-031c S-032 S-045",
    clauses={"a": "it waits", "b": "it is admitted"},
    since="0.19",
    also=("kep993",),
)
def test_changed_tree(kueue_cluster, change):
    text, happens = CHANGES[change]
    queues = kueue_cluster.make_topology(text)
    new = queues.submit("q: new(0)2")
    within("settle", lambda: new.has_condition("QuotaReserved", "False"), clause="a")
    always(new.is_suspended, clause="a")

    happens(queues)

    within("admit", new.is_admitted, clause="b")


@scenario(
    "QUE-012",
    "quota of a Cohort object counts as soon as it covers a pending Workload",
    requirement="kep-79#cohort-quota",
    shows="S-031 Q-130 Q-132",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "without the object it waits",
        "b": "it waits while there is too little",
        "c": "with enough it is admitted",
    },
)
def test_cohort_comes(kueue_cluster):
    queues = kueue_cluster.make_topology("all { q 0 }")
    new = queues.submit("q: new(0)10")
    within("settle", lambda: new.has_condition("QuotaReserved", "False"), clause="a")
    always(new.is_suspended, clause="a")

    queues.make_cohort("all", "5")
    always(new.is_suspended, clause="b")
    queues.set_cohort_quota("all", "10")

    within("admit", new.is_admitted, clause="c")


@scenario(
    "QUE-013",
    "the quota of a deleted Cohort is gone, and Workloads that hold it keep it",
    requirement=("kep-79#cohort-quota", "kep-79#hierarchy"),
    shows="S-046 S-047 Q-066 Q-130",
    since="0.19",
    also=("kep993",),
    cases=rows(
        "example queues",
        ("a cohort in between", "root 2 { gone 2 { q 1 } }"),
        ("a cohort beside", "root 0 { left 0 { q 1 }, gone 5 { other 1 } }"),
    ),
    clauses={
        "a": "admitted Workloads stay admitted",
        "b": "a Workload that needs the quota stays pending",
        "c": "its own quota is left to the queue",
    },
)
def test_cohort_goes(kueue_cluster, example, queues):
    queues = kueue_cluster.make_topology(queues)
    queues.submit_in_turn("q: small(0)1")

    queues.delete_cohort("gone")
    new = queues.submit("q: new(0)2")

    within("settle", lambda: new.has_condition("QuotaReserved", "False"), clause="b")
    always(lambda: queues.has_reserved("small"), clause="a")
    queues.delete_workloads("small")
    within("admit", queues.submit("q: own(0)1").is_admitted, clause="c")
    always(new.is_suspended, clause="b")


@scenario(
    "QUE-014",
    "freed quota goes to the Workload that is tried next, or to an inadmissible one that needs no borrowing",
    requirement="queueing#quirks",
    shows="QC-02 Q-050 Q-502",
    level="may",
    clauses={"a": "the borrower that was tried all the time has it, or the inadmissible owner"},
)
def test_two_speeds(kueue_cluster):
    queues = kueue_cluster.make_topology("all { parked 2, strict 0 StrictFIFO, holder 0 }")
    queues.submit_in_turn("holder: running(0)2")
    queues.submit_all("parked: own(5)2; strict: borrowing(1)2")
    within(
        "settle",
        lambda: queues["parked"].shows_counts(pending=1) and queues["strict"].shows_counts(pending=1),
    )

    queues.delete_workloads("running")

    either(
        "admit",
        {
            "what is tried all the time first": lambda: queues.has_reserved("borrowing"),
            "the owner first": lambda: queues.has_reserved("own"),
        },
        clause="a",
    )


@scenario(
    "QUE-027",
    "a Workload that was skipped for another one, which then has to wait, is admitted at once",
    requirement="kueue-docs#tried-again",
    shows="Q-226 Q-044 P-036",
    since="0.19",
    also=("kep993",),
    cases=rows("strategy word", ("best effort", ""), ("strict", "StrictFIFO")),
    clauses={"a": "the smaller one is admitted", "b": "the larger one, for which there is too little, waits"},
)
def test_skipped_for_one_that_waits(kueue_cluster, strategy, word):
    queues = kueue_cluster.make_topology(f"all {{ owner 2, small 0 {word}, lender 2 }}")
    queues.submit_in_turn("small: first(0)1; lender: stays(0)2 ends(0)1")
    queues.submit_all("owner: large(9)2; small: little(0)1")
    within(
        "settle", lambda: queues["owner"].shows_counts(pending=1) and queues["small"].shows_counts(pending=1)
    )

    queues.delete_workloads("ends")

    within("admit", lambda: queues.has_reserved("first", "stays", "little"), clause="a")
    always(lambda: queues.has_reserved("first", "stays", "little"), clause="b")


ZONE = "kueue-conformance.dev/zone"
DEDICATED = {"key": "example.com/dedicated", "value": "yes", "effect": "NoSchedule"}


def in_zone(zone):
    """Require nodes of a zone by an affinity."""
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


PODS = {
    "a node selector": ({"nodeSelector": {ZONE: "full"}}, {"nodeSelector": {ZONE: "free"}}),
    "an affinity": ({"affinity": in_zone("full")}, {"affinity": in_zone("free")}),
    "a toleration": ({}, {"tolerations": [{**DEDICATED, "operator": "Equal"}]}),
}


@scenario(
    "QUE-285",
    "a fitting Workload is tried although one before it, with equal requests for other nodes, does not fit",
    requirement="kueue-docs#best-effort-fifo",
    shows="Q-009 Q-045",
    since="0.19",
    cases=rows("pod_shape", *((example,) for example in PODS)),
    revision=2,
    clauses={"a": "the later one is admitted", "b": "the one before waits"},
)
def test_other_nodes_are_another_matter(kueue_cluster, clock, pod_shape):
    full = kueue_cluster.make_flavor(nodeLabels={ZONE: "full"})
    free = kueue_cluster.make_flavor(
        nodeLabels={ZONE: "free"}, nodeTaints=[DEDICATED] if pod_shape == "a toleration" else []
    )
    queue = kueue_cluster.make_queue(flavors=[full, free], cpu=("0", "2"), stopPolicy="Hold")
    first, second = (
        queue.submit(podSets=[kueue_cluster.pod_set("main", spec=spec, cpu="1")])
        for spec in clock.tick_between(PODS[pod_shape])
    )
    within("react", lambda: queue.is_stopped("cluster-queue"))

    queue.resume()

    within("admit", second.is_admitted, clause="a")
    always(first.is_suspended, clause="b")


@scenario(
    "QUE-287",
    "a Workload with a minCount is tried although one before it, with equal requests and no minCount, does not fit",
    requirement=("kueue-docs#best-effort-fifo", "kep-420#partial-admission"),
    shows="Q-009 Q-045 Q-185",
    since="0.19",
    gates=("PartialAdmission",),
    revision=2,
    clauses={"a": "the later one is admitted with the pods that fit", "b": "the one before waits"},
)
def test_fewer_pods_are_another_matter(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="2", stopPolicy="Hold")
    pods = kueue_cluster.pod_set("main", count=3, cpu="1")
    first, second = (
        queue.submit(podSets=[pod_set]) for pod_set in clock.tick_between([pods, {**pods, "minCount": 1}])
    )
    within("react", lambda: queue.is_stopped("cluster-queue"))

    queue.resume()

    within("admit", lambda: second.is_admitted() and queue.shows_used("2"), clause="a")
    always(first.is_suspended, clause="b")


@scenario(
    "QUE-294",
    "equal Workloads of one namespace are tried again when those of another namespace are not selected",
    requirement=("kueue-docs#tried-again", "kueue-docs#namespace-selector"),
    shows="Q-045 Q-050 Q-065",
    clauses={
        "a": "those of the selected namespace are admitted",
        "b": "the others wait, though they came before",
    },
)
def test_equals_in_several_namespaces(kueue_cluster):
    barred = "example.com/barred"
    selector = {"matchExpressions": [{"key": barred, "operator": "DoesNotExist"}]}
    queue = kueue_cluster.make_queue(cpu="1", namespaceSelector=selector)
    elsewhere = kueue_cluster.make_local_queue_in_other_namespace(queue)
    first = queue.submit(cpu="2", priority=1)
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))
    own = [first, *(queue.submit(cpu="2", priority=1) for _ in range(2))]
    other_workloads = [elsewhere.submit(cpu="2", priority=1) for _ in range(2)]
    within("settle", lambda: queue.shows_counts(pending=5))
    kueue_cluster.label_namespace({barred: "yes"})

    queue.set_quota("4")

    for workload in other_workloads:
        within("admit", workload.is_admitted, clause="a")
    for workload in own:
        always(workload.is_suspended, clause="b")


SAME_AMOUNT = {
    "a pod set of another name": {"name": "other"},
    "two pods of half the size": {"count": 2, "cpu": "1"},
    "overhead for a part of it": {"cpu": "1", "spec": {"overhead": {"cpu": "1"}}},
    "a RuntimeClass without overhead": {"spec": {"runtimeClassName": "kueue-conformance-none"}},
}


@scenario(
    "QUE-299",
    "Workloads equal to an inadmissible one are not tried and have no message; another form of the same requests is tried",
    requirement="queueing#quirks",
    shows="Q-009 Q-034 Q-045",
    since="0.19",
    until="<0.20.0-devel",
    gates=("SchedulingEquivalenceHashing",),
    without_gates=("UnadmittedWorkloadsObservability",),
    level="may",
    cases=rows("case_name", *((example,) for example in SAME_AMOUNT)),
    clauses={
        "a": "the one of another form has a message",
        "b": "the equal one is not",
        "c": "both are counted",
    },
)
def test_another_form_of_the_same(kueue_cluster, clock, case_name):
    def form(name="main", **fields):
        return [kueue_cluster.pod_set(name, **{"cpu": "2", **fields})]

    queue = kueue_cluster.make_queue(cpu="1")
    first = queue.submit(podSets=form())
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))
    clock.advance_budget("react")  # what the queue's own creation has tried again is tried

    equal = queue.submit(podSets=form())
    other = queue.submit(podSets=form(**SAME_AMOUNT[case_name]))

    within("settle", lambda: other.has_condition("QuotaReserved", "False"), clause="a")
    within("settle", lambda: queue.shows_counts(pending=3), clause="c")
    always(lambda: equal.has_no_condition("QuotaReserved"), clause="b")


@scenario(
    "QUE-304",
    "equal Workloads created before and after their namespace was deselected are all admitted when it is selected again",
    requirement=("kueue-docs#tried-again", "kueue-docs#namespace-selector"),
    shows="Q-045 Q-050 Q-065",
    clauses={
        "a": "while it is deselected they stay pending, though quota is free",
        "b": "then all of them are admitted",
    },
)
def test_equals_before_and_after(kueue_cluster, clock):
    barred = "example.com/barred"
    selector = {"matchExpressions": [{"key": barred, "operator": "DoesNotExist"}]}
    queue = kueue_cluster.make_queue(cpu="1", namespaceSelector=selector)
    first = queue.submit(cpu="2", priority=1)
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))
    before = [first, *(queue.submit(cpu="2", priority=1) for _ in range(2))]
    kueue_cluster.label_namespace({barred: "yes"})
    queue.set_quota("8")
    for workload in before:
        always(workload.is_suspended, clause="a")

    queue.hold()
    within("react", lambda: queue.is_stopped("cluster-queue"))
    after = queue.submit(cpu="2", priority=1)
    within("settle", lambda: queue.shows_counts(pending=4))
    kueue_cluster.label_namespace({barred: None})
    clock.advance_budget("react")  # what was put aside is to be tried again beside what is new
    queue.resume()

    for workload in (*before, after):
        within("admit", workload.is_admitted, clause="b")

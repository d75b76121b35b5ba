"""QUE: what v0.19.2 was seen to do where its documents say otherwise, or nothing: either is taken, and the
report tells which was seen (QC-01…QC-11).
"""

from kueue_conformance import always, cross, either, scenario, within

STUCK = "Workload no longer fits after processing another workload"


@scenario(
    "QUE-130",
    "a pending Workload below a Cohort that is not the root gets a new message when another Workload takes some of its quota",
    requirement="queueing#quirks",
    shows="QC-03 QC-04",
    since="0.19",
    level="may",
    revision=2,
    cases=cross(tree=("objects", "names")),
    clauses={
        "a": "the condition is that of now, or that of the last attempt",
        "b": "the event as well, or it is folded into the one before",
    },
)
def test_fresh_messages(kueue_cluster, clock, tree):
    queues = kueue_cluster.make_topology({"objects": "r { m 0 { q 4 } }", "names": "r { q 4 }"}[tree])
    queues.submit_in_turn("q: first(9)2")
    waits = queues.submit("q: waits(5)3")
    within("settle", lambda: waits.has_message_containing("QuotaReserved", "1 more needed"))
    clock.advance_budget("react")

    queues.submit_in_turn("q: small(1)1")
    clock.advance_budget("react")

    behaviour = either(
        "settle",
        {
            "it has a new message": lambda: waits.has_message_containing("QuotaReserved", "2 more needed"),
            "it keeps its message": lambda: waits.has_message_containing("QuotaReserved", "1 more needed"),
        },
        clause="a",
    )
    newest = {"it has a new message": "2 more needed", "it keeps its message": "1 more needed"}[behaviour]
    events = kueue_cluster.events_of(waits)
    either(
        "settle",
        {
            "the event has it too": lambda: events.has_text_containing(waits.reason("QuotaReserved"), newest),
            "it is folded into the one before": lambda: events.has_text_containing(
                waits.reason("QuotaReserved"), "1 more needed"
            ),
        },
        clause="b",
    )


@scenario(
    "QUE-131",
    "an admitted Workload whose priority is lowered is preempted by a pending one, at once or at its next attempt",
    requirement="queueing#quirks",
    shows="QC-05 T-15",
    since="0.19",
    level="may",
    clauses={
        "a": "without a WorkloadPriorityClass the queue may not be tried again",
        "b": "at the next occasion it is",
    },
)
def test_priority_without_a_class_falls(kueue_cluster, clock):
    queues = kueue_cluster.make_topology("q 3 within=LowerPriority")
    running, _ = queues.submit_in_turn("q: running(20)2 other(30)1")
    waits = queues.submit("q: waits(10)2")
    within("settle", lambda: waits.has_condition("QuotaReserved", "False"))

    running.set_priority(5)
    clock.advance_budget("react")

    either(
        "settle",
        {
            "it preempts at once": waits.is_admitted,
            "it is not woken": lambda: waits.is_suspended() and queues.has_reserved("running", "other"),
        },
        clause="a",
    )
    queues.delete_workloads("other")
    within("admit", waits.is_admitted, clause="b")


@scenario(
    "QUE-132",
    "a Workload that lacks quota for pods preempts as many Workloads as it needs, or finds too few and stays pending",
    requirement="queueing#quirks",
    shows="QC-06 Q-253 KV-69",
    since="0.19",
    level="may",
    clauses={"a": "both are preempted, or it is stuck", "b": "it is admitted when one more ends"},
)
def test_preemption_for_pods(kueue_cluster, clock):
    queues = kueue_cluster.make_topology("q cpu/default:10 pods/default:5 within=LowerPriority")
    queues.submit_in_turn("q: three(0)3x1 two(0)2x1")
    new = queues.submit("q: new(5)4x1")
    clock.advance_budget("react")

    behaviour = either(
        "admit",
        {
            "both go": new.is_admitted,
            "it is stuck": lambda: (
                new.has_message_containing("QuotaReserved", STUCK) and queues.has_reserved("three", "two")
            ),
        },
        until={"it is stuck": "<0.19.7, 0.20.0"},
        clause="a",
    )
    queues.delete_workloads("three", "two")

    within("admit", new.is_admitted, clause="b")
    assert behaviour, "a: one of the two was seen"


@scenario(
    "QUE-133",
    "with PreemptionOverBorrowing a Workload that borrows one resource and preempts for another is admitted, or never preempts",
    requirement="queueing#quirks",
    shows="QC-07 Q-154 Q-170",
    since="0.19",
    level="may",
    clauses={
        "a": "the lower one is preempted, or it is stuck",
        "b": "it is admitted when the lower one ends",
    },
)
def test_borrows_one_and_preempts_for_another(kueue_cluster, clock):
    words = "within=LowerPriority canBorrow=TryNextFlavor canPreempt=TryNextFlavor prefers=PreemptionOverBorrowing"
    queues = kueue_cluster.make_topology(f"all {{ q cpu/f:1 memory/f:2 {words}, other cpu/f:1 memory/f:0 }}")
    queues.submit_in_turn("q: low(0)memory=2")
    new = queues.submit("q: new(5)2,memory=2")
    clock.advance_budget("react")

    behaviour = either(
        "admit",
        {
            "the lower one goes": new.is_admitted,
            "it is stuck": lambda: (
                new.has_message_containing("QuotaReserved", STUCK) and queues.has_reserved("low")
            ),
        },
        clause="a",
    )
    if behaviour == "it is stuck":
        queues.delete_workloads("low")
    within("admit", new.is_admitted, clause="b")


@scenario(
    "QUE-134",
    "quota that a stopped queue has borrowed is reclaimed at once, or when the queue is resumed",
    requirement="queueing#quirks",
    shows="QC-08 Q-146",
    since="0.19",
    level="may",
    clauses={
        "a": "at once, or not as long as the queue is stopped",
        "b": "at once, or not as long as the queue is stopped",
    },
)
def test_reclaim_from_a_stopped_queue(kueue_cluster, clock):
    queues = kueue_cluster.make_topology("all { owner 2 reclaim=Any, held 0 }")
    queues.submit_in_turn("held: low(0)2")
    queues["held"].hold()
    within("react", lambda: queues["held"].is_inactive("Stopped"))
    new = queues.submit("owner: new(0)2")
    clock.advance_budget("react")

    either(
        "admit",
        {
            "it is reclaimed": new.is_admitted,
            "it waits": lambda: new.is_suspended() and queues.has_reserved("low"),
        },
        clause="a",
    )
    queues["held"].resume()

    within("admit", new.is_admitted, clause="b")


@scenario(
    "QUE-135",
    "at most one pod set of a Workload can have a minCount",
    requirement=("kep-420#partial-admission", "queueing#odd-input"),
    shows="QC-09 Q-187",
    since="0.19",
    level="should",
    needs=("webhooks",),
    clauses={"a": "two are refused", "b": "one is taken"},
)
def test_two_least_counts(kueue_cluster):
    queue = kueue_cluster.make_topology("q 5")["q"]

    def spec(*least):
        pod_sets = [
            kueue_cluster.pod_set(f"p{at}", 2, cpu="1") | {"minCount": min_count}
            for at, min_count in enumerate(least)
        ]
        return {"queueName": queue.name, "podSets": [*pod_sets, kueue_cluster.pod_set("rest", cpu="1")]}

    refused = kueue_cluster.try_to_create("Workload", spec(1, 1))
    taken = kueue_cluster.try_to_create("Workload", spec(1))

    assert not refused.is_accepted, f"a: {refused}"
    assert taken.is_accepted, f"b: {taken}"
    within("settle", lambda: queue.shows_counts(reserving=1), clause="b")


@scenario(
    "QUE-136",
    "quota that a stopped queue holds still counts in its cohort",
    requirement=("kueue-docs#stop-policy", "kueue-docs#borrowing"),
    shows="Q-146 Q-321 Q-323",
    since="0.19",
    also=("kep993",),
    clauses={"a": "its quota is lent", "b": "its reserved quota is not", "c": "its Workloads stay"},
)
def test_quota_of_a_stopped_queue(kueue_cluster):
    queues = kueue_cluster.make_topology("all { q 1, held 3 }")
    queues.submit_in_turn("held: running(0)1")
    queues["held"].hold()
    within("react", lambda: queues["held"].is_inactive("Stopped"))

    large, fits = queues.submit_all("q: large(9)4 fits(0)3")

    within("admit", fits.is_admitted, clause="a")
    within("settle", lambda: large.has_condition("QuotaReserved", "False"), clause="b")
    always(lambda: queues.has_reserved("running", "fits"), clause="c")


@scenario(
    "QUE-139",
    "while its victim still has pods a preemptor's queue lends no quota, or the rest that the preemptor leaves",
    requirement="queueing#quirks",
    shows="Q-224",
    since="0.19",
    level="may",
    also=("kep993",),
    permits=("Q-125",),
    clauses={
        "a": "only free quota is used, or also the rest that will be free",
        "b": "no more than that when the victim has ended",
    },
)
def test_what_a_victim_holds_beyond_the_claim(kueue_cluster, clock):
    queues = kueue_cluster.make_topology("all { owner 4, one 0, two 0, three 0 }")
    queues.submit_in_turn("owner: low(0)4")
    queues.submit_all("owner: high(5)3; one: first(0)1; two: second(0)1; three: third(0)1")
    within("settle", lambda: queues.has_tried("high", "first", "second", "third"))
    clock.advance_budget("react")
    kueue_cluster.release.pods_are_held = True

    resource_group = kueue_cluster.resource_group({queues.flavors["default"]: {"cpu": "5"}})
    queues["owner"].try_to_change(
        resourceGroups=[resource_group], preemption={"withinClusterQueue": "LowerPriority"}
    )

    within("evict", lambda: queues.has_preempted("low InClusterQueue"))
    clock.advance_budget("react")
    either(
        "settle",
        {
            "what is free": lambda: (
                queues.has_reserved("low", "first") or queues.has_reserved("low", "second")
            ),
            "what will be free": lambda: queues.has_reserved("low", "first", "second"),
        },
        clause="a",
    )
    kueue_cluster.release.pods_are_held = False

    within("admit", lambda: queues.has_reserved("high", "first", "second"), clause="b")
    always(lambda: queues.has_reserved("high", "first", "second"), clause="b")


@scenario(
    "QUE-361",
    "a preemptor that no longer fits gives its place at the head up, or stands before those of higher priority",
    requirement="queueing#quirks",
    shows="KV-46 Q-022",
    since="0.19",
    level="may",
    clauses={
        "a": "which is reserved first when there is quota again",
        "b": "the one of higher priority holds quota at last",
    },
)
def test_place_of_a_preemptor_that_no_longer_fits(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="2", preemption={"withinClusterQueue": "LowerPriority"})
    victim = queue.submit_until("admitted", cpu="2")
    kueue_cluster.release.pods_are_held = True
    preemptor = queue.submit(cpu="2", priority=1)
    within("evict", victim.is_evicted)
    queue.set_quota("1")
    clock.advance_budget("react")
    kueue_cluster.release.pods_are_held = False
    within("evict", victim.is_suspended)
    important = queue.submit(cpu="2", priority=2)
    within("settle", lambda: important.has_condition("QuotaReserved", "False"))
    clock.advance_budget("requeue")

    queue.set_quota("2")

    clock.advance_budget("requeue")
    either(
        "settle",
        {
            "by priority": lambda: important.is_admitted() and preemptor.was_reserved(0),
            "the preemptor first": lambda: preemptor.was_reserved(1),
        },
        until={"the preemptor first": "<0.19.3, 0.20.0"},
        clause="a",
    )
    within("requeue", important.is_admitted, clause="b")

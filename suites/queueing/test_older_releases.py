"""QUE: how releases before v0.13 gave quota away, and in which words (Q-507, Q-509, Q-511, Q-512, Q-519)."""

from kueue_conformance import always, scenario, table, within

V0_6 = ("v0.6",)

SHORT = table(
    """
    case                    | queues                               | holding      | comes         | message
    more than its own       | q 2                                  | -            | q: new(0)3    | insufficient quota for cpu in flavor {default} in ClusterQueue
    its own is in use       | q 2                                  | q: x(0)1     | q: new(0)2    | insufficient unused quota for cpu in flavor {default}, 1 more needed
    the cohort's is in use  | all { q 2, other 4 }                 | other: x(0)4 | q: new(0)3    | insufficient unused quota in cohort for cpu in flavor {default}, 1 more needed
    beyond what it borrows  | all { q 1 borrows<=1, other 4 }      | -            | q: new(0)3    | borrowing limit for cpu in flavor {default} exceeded
    up to what it borrows   | all { q 1 borrows<=1, other 4 }      | other: x(0)4 | q: new(0)2    | insufficient unused quota in cohort for cpu in flavor {default}, 1 more needed
    with what it has        | all { q 1 borrows<=1, other 4 }      | q: x(0)1     | q: new(0)2    | borrowing limit for cpu in flavor {default} exceeded
    """
)


@scenario(
    "QUE-320",
    "the message of v0.6 names the missing quota in its own words",
    requirement="queueing#messages",
    shows="Q-509",
    cases=SHORT.cases,
    only=V0_6,
    level="may",
    clauses={"a": "the condition has it", "b": "and it waits"},
)
def test_older_texts_of_missing_quota(kueue_cluster, case):
    line = SHORT[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)

    new = queues.submit(line.comes)

    text = f"couldn't assign flavors to pod set main: {line.message.format_map(queues.flavors)}"
    within("settle", lambda: new.has_message("QuotaReserved", text), clause="a")
    always(new.is_suspended, clause="b")


PROMISED = table(
    """
    case                           | queues                                                            | holding          | vain
    within its own quota           | q one:2 two:2 canPreempt=MayStopSearch                            | q: x(0)2/one     | 1
    not where it would borrow      | all { q one:1 two:2 canPreempt=MayStopSearch, other one:1 two:0 } | other: x(0)1/one | 0
    just its own quota             | all { q one:2 two:2 canPreempt=MayStopSearch, other one:1 two:0 } | other: x(0)2/one | 1
    where it may preempt to borrow | all { q one:1 two:2 canPreempt=MayStopSearch borrow=LowerPriority reclaim=LowerPriority, other one:1 two:0 } | other: x(0)1/one | 1
    """
)


@scenario(
    "QUE-321",
    "v0.6 stops at the first flavor that fits by preemption, without a victim, and takes the next one later",
    requirement="queueing#quirks",
    shows="Q-519 D-19",
    cases=PROMISED.cases,
    only=V0_6,
    level="may",
    clauses={"a": "it gets the second flavor", "b": "after a vain attempt at the first, or without one"},
)
def test_preemption_is_promised(kueue_cluster, case):
    line = PROMISED[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)

    new = queues.submit("q: new(0)2")

    within("admit", lambda: new.is_admitted() and queues.has_flavors("new", "two"), clause="a")
    events = kueue_cluster.events_of(new)
    within("settle", lambda: events.has_events("Pending", times=int(line.vain)), clause="b")


OVERTAKEN = table(
    """
    case                  | queues                             | holding     | waiting                    | goes       | skipped
    the rest is too small | all { a 0, b 0, bank 3 }           | bank: x(0)3 | a: one(5)2; b: two(0)2     | one        | two
    both fit              | all { a 0, b 0, bank 4 }           | bank: x(0)4 | a: one(5)2; b: two(0)2     | one two    | -
    """
)


@scenario(
    "QUE-322",
    "v0.6 reports that other workloads were prioritized for a Workload that no longer fits after another of its cohort",
    requirement="queueing#messages",
    shows="Q-507",
    cases=OVERTAKEN.cases,
    only=V0_6,
    level="may",
    clauses={
        "a": "these are admitted",
        "b": "the other has a message why it stays pending",
        "c": "no fitting Workload has it",
    },
)
def test_others_were_prioritized(kueue_cluster, case):
    line = OVERTAKEN[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)
    for waiting in queues.submit_all(line.waiting):
        within("settle", lambda workload=waiting: workload.has_condition("QuotaReserved", "False"))

    queues.delete_workloads("x")

    within("admit", lambda: queues.has_reserved(*line.goes.split()), clause="a")
    message = "other workloads in the cohort were prioritized"
    for name in line.skipped.split():
        within(
            "settle",
            lambda name=name: kueue_cluster.has_event_with_text("Pending", queues.workloads[name], message),
            clause="b",
        )
    for name in line.goes.split():
        always(
            lambda name=name: kueue_cluster.has_event_with_text(
                "Pending", queues.workloads[name], message
            ).negate(),
            clause="c",
        )


@scenario(
    "QUE-331",
    "v0.6 lets one Workload of a cohort preempt at a time, though another one has a victim of its own",
    requirement="queueing#quirks",
    shows="Q-507 Q-519",
    only=V0_6,
    level="may",
    permits=("AC-380",),
    clauses={"a": "the more important one preempts", "b": "the other has the message to wait"},
)
def test_one_preemption_at_a_time(kueue_cluster):
    queues = kueue_cluster.make_topology("all { a 2 within=LowerPriority, b 2 within=LowerPriority, bank 0 }")
    low, other = queues.submit_in_turn("a: low(5)2; b: other(5)2")
    first, second = queues.submit_all("a: first(5)2; b: second(4)2")
    within("settle", lambda: queues.has_tried("first", "second"))
    kueue_cluster.release.pods_are_held = True
    low.set_priority(0)
    other.set_priority(0)

    queues["bank"].set_quota("1m")

    within("evict", lambda: queues.has_preempted("low Preempted"), clause="a")
    message = "other workloads in the cohort were prioritized"
    within("settle", lambda: kueue_cluster.has_event_with_text("Pending", second, message), clause="b")
    always(lambda: first.is_suspended() and queues.has_preempted("low Preempted"), clause="b")


RECLAIMED = table(
    """
    case                    | queues                                                                     | holding                          | gets | goes
    others lose there       | all { q one:2 two:2 within=LowerPriority reclaim=Any, other one:0 two:0 }  | q: own(-1)2/one; other: lent(1)2/two | two  | lent
    its own loses as well   | all { q one:2 two:2 within=LowerPriority reclaim=Any, other one:0 two:0 }  | q: own(-1)2/one too(-1)1/two; other: lent(1)1/two | one | own
    none may go there       | q one:2 two:2 within=LowerPriority                                         | q: own(-1)2/one equal(0)2/two    | one  | own
    it would borrow there   | all { q one:2 two:1 within=LowerPriority reclaim=LowerPriority borrow=LowerPriority, other one:0 two:1 } | q: own(-1)2/one; other: lent(-1)2/two | one | own
    """
)


@scenario(
    "QUE-323",
    "of two flavors v0.9 takes the one in which only lent quota is reclaimed, else the first",
    requirement="queueing#quirks",
    shows="Q-519 Q-168",
    cases=RECLAIMED.cases,
    only=("docs-2024",),
    level="may",
    clauses={"a": "it is admitted on that flavor", "b": "the reclaimed Workload is evicted"},
)
def test_reclaims_before_it_preempts_its_own(kueue_cluster, case):
    line = RECLAIMED[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)

    new = queues.submit("q: new(0)2")

    within("admit", lambda: new.is_admitted() and queues.has_flavors("new", line.gets), clause="a")
    always(lambda: queues.were_preempted(line.goes), clause="b")


WORDS = table(
    """
    case                    | queues                            | holding     | place
    in its queue            | q 2 within=LowerPriority          | q: low(0)2  | ClusterQueue
    in the queue of another | all { q 2 reclaim=Any, other 0 }  | other: low(0)2 | cohort
    """
)


@scenario(
    "QUE-324",
    "the message of a victim in v0.6 says where its preemptor is",
    requirement="queueing#messages",
    shows="Q-512",
    cases=WORDS.cases,
    only=V0_6,
    level="may",
    permits=("AC-380",),
    clauses={
        "a": "the condition Evicted has it",
        "b": "so does the event",
        "c": "there is no condition Preempted",
    },
)
def test_older_texts_of_preemption(kueue_cluster, case):
    line = WORDS[case]
    queues = kueue_cluster.make_topology(line.queues)
    (low,) = queues.submit_in_turn(line.holding)

    new = queues.submit("q: new(1)2")

    within("admit", new.is_admitted)
    message = "Preempted to accommodate a higher priority Workload"
    within("settle", lambda: low.had_message("Evicted", "Preempted", message), clause="a")
    note = f"Preempted by another workload in the {line.place}"
    within("settle", lambda: kueue_cluster.has_event_with_text("Preempted", low, note), clause="b")
    always(lambda: low.was_ever("Preempted").negate(), clause="c")


@scenario(
    "QUE-325",
    "the message of v0.6 about a namespace that is not selected begins with a capital letter",
    requirement="queueing#messages",
    shows="Q-511",
    only=V0_6,
    level="may",
    clauses={"a": "the condition has it"},
)
def test_older_text_of_namespaces(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2", namespaceSelector={"matchLabels": {"team": "other"}})

    new = queues.submit("q: new(0)1")

    text = "Workload namespace doesn't match ClusterQueue selector"
    within("settle", lambda: new.has_message("QuotaReserved", text), clause="a")


REST = table(
    """
    case              | effort     | lets
    the rest          | b1(9)1     | f1 b1
    a thousandth more | b1(9)1001m | f1
    """
)


@scenario(
    "QUE-326",
    "v0.6 keeps the rest of a queue's nominal quota for its head, also from borrowers of higher priority",
    requirement="queueing#kept-free",
    shows="Q-226 Q-507 Q-519",
    cases=REST.cases,
    only=V0_6,
    level="may",
    clauses={"a": "another queue borrows the rest, and no more", "b": "the first waits"},
)
def test_kept_free_for_the_first(kueue_cluster, case):
    line = REST[case]
    queues = kueue_cluster.make_topology("all { found 2 borrows<=0 StrictFIFO, effort 0, bank 1 }")
    queues.submit_in_turn("found: f1(0)1")
    first = queues.submit("found: f2(0)2")
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))

    queues.submit_all(f"effort: {line.effort}")

    within("settle", lambda: queues.has_reserved(*line.lets.split()), clause="a")
    always(lambda: queues.has_reserved(*line.lets.split()), clause="a")
    always(first.is_suspended, clause="b")

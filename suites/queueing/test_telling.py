"""QUE: counters, metrics, events and messages of queues (Q-370…Q-380,
EV-001…EV-012, M-020…M-060, MT-010…MT-031).
"""

from kueue_conformance import always, scenario, table, within

METRICS = "metrics of the control plane"


@scenario(
    "QUE-110",
    "counters and usage of a queue follow its pending, reserving and finished Workloads",
    requirement="queueing#status",
    shows="Q-370 Q-371 Q-372 Q-373 Q-378 Q-380",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "pending Workloads",
        "b": "Workloads that hold quota, and how much of it is borrowed",
        "c": "zero when all have ended",
        "d": "also for users",
    },
)
def test_counters(kueue_cluster):
    queues = kueue_cluster.make_topology("all { q 2 within=LowerPriority, other 3 }")
    queue = queues["q"]
    queues.submit_in_turn("q: a(0)1 b(1)3")
    queues.submit("q: c(0)2")

    within("settle", lambda: queue.shows_counts(pending=1, reserving=2, admitted=2), clause="a")
    within(
        "settle",
        lambda: (
            queue.shows_used("4")
            and queue.shows_reserved("4")
            and queue.shows_borrowed("flavorsReservation", "2")
        ),
        clause="b",
    )
    within(
        "settle",
        lambda: (
            queue.shows_counts_locally(pending=1, reserving=2, admitted=2)
            and queue.shows_reserved_locally("4")
        ),
        clause="d",
    )
    within(
        "settle",
        lambda: (
            queues["other"].shows_counts(pending=0, reserving=0, admitted=0)
            and queues["other"].shows_reserved("0")
        ),
        clause="b",
    )
    queues.delete_workloads("c", "a", "b")
    within(
        "settle",
        lambda: (
            queue.shows_counts(pending=0, reserving=0, admitted=0)
            and queue.shows_reserved("0")
            and queue.shows_used("0")
        ),
        clause="c",
    )


@scenario(
    "QUE-111",
    "a victim that still has its pods counts as admitted, and its quota as used",
    requirement=("queueing#status", "kep-83#waits-for-victims"),
    shows="Q-004 Q-140 Q-293 Q-371",
    since="0.19",
    also=("kep993",),
    clauses={"a": "as long as it holds on", "b": "and not when its pods have ended"},
)
def test_counters_while_a_victim_holds_on(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    queue = queues["q"]
    queues.submit_in_turn("q: low(0)2")
    kueue_cluster.release.pods_are_held = True
    queues.submit("q: high(5)1")
    within("settle", lambda: queues.has_preempted("low InClusterQueue"))

    within(
        "settle",
        lambda: queue.shows_counts(pending=1, reserving=1, admitted=1) and queue.shows_used("2"),
        clause="a",
    )
    always(lambda: queue.shows_counts(pending=1, reserving=1, admitted=1), clause="a")
    kueue_cluster.release.pods_are_held = False

    within("admit", lambda: queues.has_reserved("high"), clause="b")
    within(
        "settle",
        lambda: queue.shows_counts(pending=1, reserving=1, admitted=1) and queue.shows_used("1"),
        clause="b",
    )


@scenario(
    "QUE-112",
    "preemptions and evictions are counted, for the queue of the preemptor and for that of the victim",
    requirement="queueing#metrics",
    shows="S-050 MT-010 MT-030 MT-031",
    since="0.19",
    level="should",
    needs=(METRICS,),
    clauses={
        "a": "no count before",
        "b": "each preemption with its reason",
        "c": "each eviction",
        "d": "inadmissible Workloads are counted apart from active ones",
    },
)
def test_preemptions_are_counted(kueue_cluster):
    queues = kueue_cluster.make_topology("all { one 2 reclaim=Any, other 0 }")
    queues.submit_in_turn("other: low(0)1 low2(0)1")
    first, other = (kueue_cluster.metrics_of(queues[name]) for name in ("one", "other"))
    always(lambda: other.shows("evicted_workloads_total", 0), clause="a")

    queues.submit("one: new(0)2")
    within("admit", lambda: queues.has_reserved("new"))

    within(
        "settle",
        lambda: kueue_cluster.metrics_of(queues["one"]).shows_preemptions(2, reason="InCohortReclamation"),
        clause="b",
    )
    within("settle", lambda: other.shows("evicted_workloads_total", 2, reason="Preempted"), clause="c")
    within(
        "settle", lambda: other.shows_gauges(inadmissible=2, active=0, reserving=0, admitted=0), clause="d"
    )
    within(
        "settle", lambda: first.shows_gauges(inadmissible=0, active=0, reserving=1, admitted=1), clause="d"
    )


@scenario(
    "QUE-113",
    "a preemption emits events on the victim and the preemptor, and every failed attempt one on the pending Workload",
    requirement="queueing#events",
    shows="EV-003 EV-010 EV-011 EV-012 S-053 S-054 QC-11",
    since="0.19",
    also=("kep993",),
    level="should",
    clauses={
        "a": "the victims report that they are preempted and evicted",
        "b": "the preemptor that it waits",
        "c": "and which Workloads it has preempted",
    },
)
def test_events_of_a_preemption(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    lows = queues.submit_in_turn("q: low(0)1 low2(0)1")

    high = queues.submit("q: high(5)2")
    within("admit", high.is_admitted)

    for low in lows:
        within("settle", lambda low=low: kueue_cluster.has_event("Preempted", low, type="Normal"), clause="a")
        within(
            "settle",
            lambda low=low: kueue_cluster.has_event("EvictedDueToPreempted", low, type="Normal"),
            clause="a",
        )
    pending = kueue_cluster.unreserved_reason("waiting-for-preempted")
    within("settle", lambda: kueue_cluster.has_event(pending, high, type="Warning"), clause="b")
    within("settle", lambda: kueue_cluster.has_event("PreemptedWorkload", high, type="Normal"), clause="c")


MESSAGES = table(
    """
    case                     | row   | queues                         | holding          | comes               | message
    no quota left            | M-055 G-F2 | q 4                            | q: x(0)3         | q: new(0)2          | couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor {default}, 1 more needed
    never enough             | M-054 G-F3 | q 4                            | -                | q: new(0)5          | couldn't assign flavors to pod set main: insufficient quota for cpu in flavor {default}, previously considered podsets requests (0) + current podset request (5) > maximum capacity (4)
    no such resource         | M-050 | q 4                            | -                | q: new(0)1,memory=1 | couldn't assign flavors to pod set main: resource memory unavailable in ClusterQueue
    the first that fails     | M-054 | q 3                            | -                | q: new(0)4+4        | couldn't assign flavors to pod set pods-1: insufficient quota for cpu in flavor {default}, previously considered podsets requests (0) + current podset request (4) > maximum capacity (3)
    each pod set that fails  | M-054 | q 3                            | -                | q: new(0)2+2        | couldn't assign flavors to pod set pods-2: insufficient quota for cpu in flavor {default}, previously considered podsets requests (2) + current podset request (2) > maximum capacity (3)
    pods                     | G-F8  | q cpu/default:10 pods/default:3 | -               | q: new(0)4x1        | couldn't assign flavors to pod set main: insufficient quota for pods in flavor {default}, previously considered podsets requests (0) + current podset request (4) > maximum capacity (3)
    both flavors of a group  | G-F5  | q cpu/one:4 memory/one:10Mi cpu/two:6 memory/two:1Gi | - | q: new(0)3,memory=10Gi | couldn't assign flavors to pod set main: insufficient quota for memory in flavor {one}, previously considered podsets requests (0) + current podset request (10Gi) > maximum capacity (10Mi), insufficient quota for memory in flavor {two}, previously considered podsets requests (0) + current podset request (10Gi) > maximum capacity (1Gi)
    each flavor              | M-057 | q one:1 two:1                  | q: x(0)1 y(0)1   | q: new(0)1          | couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor {one}, 1 more needed, insufficient unused quota for cpu in flavor {two}, 1 more needed
    the first of four groups | M-054 Q-161 | q one:1 memory/two:1Mi ephemeral-storage/three:1Mi pods/four:1 | - | q: new(0)2x1,memory=1Mi,ephemeral-storage=1Mi | couldn't assign flavors to pod set main: insufficient quota for ephemeral-storage in flavor {three}, previously considered podsets requests (0) + current podset request (2Mi) > maximum capacity (1Mi)
    in thousandths           | M-055 | q 1                            | q: x(0)700m      | q: new(0)500m       | couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor {default}, 200m more needed
    memory in powers of two  | M-055 | q memory/default:2Gi           | q: x(0)memory=1Gi | q: new(0)memory=2Gi | couldn't assign flavors to pod set main: insufficient unused quota for memory in flavor {default}, 1Gi more needed
    of a borrower            | M-055 | all { q 1, other 1 }           | other: x(0)1     | q: new(0)2          | couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor {default}, 1 more needed
    of an over-used cohort   | T-16  | all { q 0, other 3 }           | q: x(0)3         | other: new(0)2      | couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor {default}, 2 more needed
    """
)


@scenario(
    "QUE-114",
    "the message of a Workload that does not fit names the missing quota, in the recorded text",
    requirement="queueing#messages",
    shows=f"Q-095 Q-165 Q-167 Q-173 Q-174 {MESSAGES.shows}",
    cases=MESSAGES.cases,
    evidence=MESSAGES.evidence,
    since="0.19",
    also=("kep993",),
    level="may",
    revision=2,
    clauses={"a": "the condition has it", "b": "and a Warning does"},
)
def test_messages(kueue_cluster, case):
    line = MESSAGES[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)
    message = line.message.format_map(queues.flavors)

    new = queues.submit(line.comes)

    within("settle", lambda: new.has_message("QuotaReserved", message), clause="a")
    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text(new.reason("QuotaReserved"), new, message),
        clause="b",
    )


REASONS = table(
    """
    case            | queues                                                         | holding     | comes          | path       | victim        | why
    of its queue    | all { q 2 within=LowerPriority }                               | q: low(0)2  | q: new(1)2     | all q      | all q         | prioritization in the ClusterQueue
    reclaimed       | r { all { q 2 reclaim=Any }, o 0 }                             | o: low(0)2  | q: new(1)2     | r all q    | r o           | reclamation within the cohort
    while borrowing | all { q 0 reclaim=LowerPriority borrow=LowerPriority, o 0, s 2 } | o: low(0)2 | q: new(1)2    | all q      | all o         | reclamation within the cohort while borrowing
    without cohort  | q 2 within=LowerPriority                                       | q: low(0)2  | q: new(1)2     | q          | q             | prioritization in the ClusterQueue
    """
)


@scenario(
    "QUE-115",
    "the message of a victim has the preemptor, the reason and both places in the tree, in the recorded text",
    requirement=("queueing#messages", "kep-83#reasons"),
    shows="M-026 M-060 S-054 Q-258",
    cases=REASONS.cases,
    since="0.19",
    also=("kep993",),
    level="may",
    clauses={"a": "Evicted and Preempted say so", "b": "the preemptor reports how many it waits for"},
)
def test_message_of_a_preemption(kueue_cluster, case):
    line = REASONS[case]
    queues = kueue_cluster.make_topology(line.queues)
    (low,) = queues.submit_in_turn(line.holding)
    kueue_cluster.release.pods_are_held = True

    new = queues.submit(line.comes)

    uid = new.object["metadata"]["uid"]
    text = (
        f"Preempted to accommodate a workload (UID: {uid}, JobUID: UNKNOWN) due to {line.why}; "
        f"preemptor path: {queues.path(line.path)}; preemptee path: {queues.path(line.victim)}"
    )
    within(
        "settle", lambda: low.has_message("Evicted", text) and low.has_message("Preempted", text), clause="a"
    )
    within(
        "settle",
        lambda: new.has_message_containing("QuotaReserved", ". Pending the preemption of 1 workload(s)"),
        clause="b",
    )


CONSIDERED = table(
    """
    case              | queues                                                              | holding | comes      | considered
    the first is full | q one:1 two:1                                                       | q: x(0)1 | q: new(0)1 | main: {one}(preemptionMode=NoCandidates;insufficient unused quota for cpu in flavor {one}, 1 more needed)
    it borrows        | all { q one:0 two:0, other one:1 two:0 }                            | -       | q: new(0)1 | main: {one}(Fit;borrow=1)
    the first is too small | q one:1 two:2                                                  | -       | q: new(0)2 | main: {one}(NoFit;insufficient quota for cpu in flavor {one}, previously considered podsets requests (0) + current podset request (2) > maximum capacity (1))
    two are full      | q one:1 two:1 three:1                                               | q: x(0)1 y(0)1 | q: new(0)1 | main: {one}(preemptionMode=NoCandidates;insufficient unused quota for cpu in flavor {one}, 1 more needed), {two}(preemptionMode=NoCandidates;insufficient unused quota for cpu in flavor {two}, 1 more needed)
    for two pod sets  | q one:1 two:2                                                       | q: x(0)1 | q: new(0)1+1 | pods-1: {one}(preemptionMode=NoCandidates;insufficient unused quota for cpu in flavor {one}, 1 more needed) ¦ pods-2: {one}(preemptionMode=NoCandidates;insufficient unused quota for cpu in flavor {one}, 1 more needed)
    it could preempt in the first | q one:1 two:1 within=LowerPriority canPreempt=TryNextFlavor | q: x(0)1 | q: new(5)1 | main: {one}(preemptionMode=Preempt;insufficient unused quota for cpu in flavor {one}, 1 more needed)
    it could reclaim the first | all { q one:1 two:1 reclaim=Any canPreempt=TryNextFlavor, other one:0 two:0 } | other: x(0)1 | q: new(0)1 | main: {one}(preemptionMode=Reclaim;insufficient unused quota for cpu in flavor {one}, 1 more needed)
    others use what it would borrow | all { q one:0 two:1, other one:1 two:0 }              | other: x(0)1 | q: new(0)1 | main: {one}(NoFit;borrow=1;insufficient unused quota for cpu in flavor {one}, 1 more needed)
    """
)


@scenario(
    "QUE-116",
    "the event of a reservation names the flavors that were considered, in the recorded text",
    requirement=("queueing#messages", "queueing#events"),
    shows="EV-001 Q-175 QC-10",
    cases=CONSIDERED.cases,
    since="0.19",
    also=("kep993",),
    level="may",
    revision=4,
    clauses={"a": "the event ends with them"},
)
def test_flavors_considered(kueue_cluster, case):
    line = CONSIDERED[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)

    new = queues.submit(line.comes)

    within("admit", new.is_admitted)
    considered = line.considered.format_map(queues.flavors).replace("¦", "|")
    text = f"; Flavors considered: {considered}"
    within("settle", lambda: kueue_cluster.events_of(new).has_text_ending("QuotaReserved", text), clause="a")


@scenario(
    "QUE-284",
    "the event of a reservation names no considered flavors when the first flavor fits",
    requirement=("queueing#messages", "queueing#events"),
    shows="EV-001 Q-175",
    since="0.19",
    also=("kep993",),
    level="may",
    clauses={"a": "the event exists", "b": "and mentions no flavors"},
)
def test_no_flavors_considered(kueue_cluster):
    queues = kueue_cluster.make_topology("q one:2 two:2")

    new = queues.submit("q: new(0)1")

    within("admit", new.is_admitted)
    events = kueue_cluster.events_of(new)
    within("settle", lambda: events.has_events("QuotaReserved"), clause="a")
    always(lambda: events.has_text_containing("QuotaReserved", "Flavors considered").negate(), clause="b")

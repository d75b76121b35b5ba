"""QUE: cohorts that form a circle, absurd amounts, victims that never end: refused or waited for, never a
loop or a wrong admission (Q-080, Q-131).
"""

from kueue_conformance import always, cross, either, scenario, within


@scenario(
    "QUE-120",
    "while cohorts form a cycle no Workload below them gets quota, and all do when it is undone",
    requirement=("kep-79#cycles", "queueing#odd-input"),
    shows="Q-131 Q-212 T-12",
    since="0.19",
    also=("kep993",),
    cases=cross(cohorts=(1, 2, 3)),
    clauses={
        "a": "a Workload created during the cycle stays pending",
        "b": "other queues continue",
        "c": "it is admitted when the cycle is removed",
    },
)
def test_circle_of_cohorts(kueue_cluster, cohorts):
    text = {
        1: "root { a 1 { q 1 } }",
        2: "root { a 1 { b { q 1 } } }",
        3: "root { a 1 { b { c { q 1 } } } }",
    }[cohorts]
    queues = kueue_cluster.make_topology(f"{text}, free 1")
    lowest = {1: "a", 2: "b", 3: "c"}[cohorts]
    queues.move_cohort("a", lowest)

    new = queues.submit("q: new(0)1")
    free = queues.submit("free: free(0)1")

    within("admit", free.is_admitted, clause="b")
    always(new.is_suspended, clause="a")
    queues.move_cohort("a", "root")
    within("requeue", new.is_admitted, clause="c")


@scenario(
    "QUE-121",
    "a Workload that ends while its cohorts form a cycle does not stop Kueue",
    requirement=("kep-79#cycles", "queueing#odd-input"),
    shows="QC-01 Q-131",
    since="0.19",
    also=("kep993",),
    needs=("virtual time",),
    cases=cross(how=("finished", "deleted", "deactivated")),
    clauses={"a": "other queues continue", "b": "and those below when the circle is undone"},
)
def test_end_in_a_circle(kueue_cluster, how):
    queues = kueue_cluster.make_topology("root { a 1 { b { q 1 } } }, free 1")
    (holder,) = queues.submit_in_turn("q: holder(0)1")
    queues.move_cohort("a", "b")

    {"finished": holder.finish, "deleted": holder.delete, "deactivated": holder.deactivate}[how]()

    within("admit", queues.submit("free: free(0)1").is_admitted, clause="a")
    queues.move_cohort("a", "root")
    within("requeue", queues.submit("q: new(0)2").is_admitted, clause="b")


@scenario(
    "QUE-344",
    "a ClusterQueue says that its cohorts form a cycle, or says nothing of it",
    requirement="queueing#quirks",
    shows="QC-01 Q-131 KV-40",
    since="0.19",
    level="may",
    cases=cross(cohorts=(1, 2)),
    clauses={
        "a": "what it says during the cycle",
        "b": "a ClusterQueue elsewhere is active",
        "c": "it is active when the cycle is removed",
    },
)
def test_condition_in_a_circle(kueue_cluster, clock, cohorts):
    text, lowest = {1: ("root { a 1 { q 1 } }", "a"), 2: ("root { a 1 { b { q 1 } } }", "b")}[cohorts]
    queues = kueue_cluster.make_topology(f"{text}, free 1")
    within("settle", queues["q"].is_active)

    queues.move_cohort("a", lowest)
    clock.advance_budget("react")

    either(
        "settle",
        {
            "it says so": lambda: queues["q"].is_inactive("CohortCycleDetected"),
            "it says nothing": queues["q"].is_active,
        },
        until={"it says nothing": "<0.19.7, 0.20.0"},
        clause="a",
    )
    always(queues["free"].is_active, clause="b")
    queues.move_cohort("a", "root")
    within("settle", queues["q"].is_active, clause="c")


@scenario(
    "QUE-122",
    "a preemptor waits for a victim that never ends, and holds up no Workload that does not need its quota",
    requirement=("queueing#odd-input", "kep-83#waits-for-victims"),
    shows="Q-293 Q-294",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "no one else is preempted meanwhile",
        "b": "a queue with quota of its own continues",
        "c": "it gets its quota in the end",
    },
)
def test_victim_that_never_ends(kueue_cluster, clock):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority, free 1")
    queues.submit_in_turn("q: low(0)1 other(1)1")
    kueue_cluster.release.pods_are_held = True
    new = queues.submit("q: new(5)1")
    within("settle", lambda: queues.has_preempted("low InClusterQueue"))

    clock.advance_budget("hold")

    always(lambda: queues.has_preempted("low InClusterQueue") and new.is_suspended(), clause="a")
    within("admit", queues.submit("free: free(0)1").is_admitted, clause="b")
    kueue_cluster.release.pods_are_held = False
    within("admit", lambda: queues.has_reserved("new", "other", "free"), clause="c")


AMOUNTS = {
    "thousandths": ("1m", "1m", "2m"),
    "very much": ("9000000000000000", "8999999999999999", "9000000000000000500m"),
    "exponents": ("1e3", "1000", "1001"),
    "binary": ("1Ki", "1024", "1025"),
}


@scenario(
    "QUE-123",
    "quantities at the ends of their range are counted exactly",
    requirement="queueing#odd-input",
    shows="Q-080 AC-031",
    since="0.19",
    also=("kep993",),
    cases=cross(amount=tuple(AMOUNTS)),
    clauses={"a": "one that is too large waits", "b": "one that fits is admitted"},
)
def test_ends_of_amounts(kueue_cluster, amount):
    quota, fits, large = AMOUNTS[amount]
    queue = kueue_cluster.make_queue(cpu=quota)
    larger = queue.submit(cpu=large)
    within("settle", lambda: larger.has_condition("QuotaReserved", "False"), clause="a")
    always(larger.is_suspended, clause="a")

    within("admit", queue.submit(cpu=fits).is_admitted, clause="b")


BEYOND = {
    "many pods": ("9223372036854775", 2147483647),
    "one pod": ("9223372036854775807", 1),
    "a sum that is 0 in 64 bits": ("4611686018427387904m", 4),
}


@scenario(
    "QUE-124",
    "requests beyond 64 bits exceed any quota, and do not wrap around",
    requirement="queueing#odd-input",
    shows="Q-080",
    since="0.19",
    also=("kep993",),
    cases=cross(amount=tuple(BEYOND)),
    clauses={"a": "it waits", "b": "the next is admitted"},
)
def test_requests_do_not_wrap_around(kueue_cluster, amount):
    cpu, count = BEYOND[amount]
    queue = kueue_cluster.make_queue(cpu="100")
    absurd = queue.submit(cpu=cpu, count=count)
    within("settle", lambda: absurd.has_condition("QuotaReserved", "False"), clause="a")

    within("admit", queue.submit(cpu="100").is_admitted, clause="b")
    always(absurd.is_suspended, clause="a")


ABSURD = {
    "a quota below zero": {"nominalQuota": "-1"},
    "borrowing below zero": {"nominalQuota": "1", "borrowingLimit": "-1"},
    "lending below zero": {"nominalQuota": "1", "lendingLimit": "-1"},
    "more lent than there is": {"nominalQuota": "1", "lendingLimit": "2"},
}


@scenario(
    "QUE-125",
    "quotas and limits below zero, and a lendingLimit above the quota, are refused",
    requirement="queueing#odd-input",
    shows="Q-111 Q-113 AC-032 AC-034",
    since="0.19",
    also=("kep993",),
    needs=("webhooks",),
    cases=cross(quota_text=tuple(ABSURD)),
    clauses={"a": "they are refused", "b": "values at the limit are accepted"},
)
def test_absurd_quotas(kueue_cluster, quota_text):
    queue = kueue_cluster.make_topology("all { q 1, other 1 }")["q"]

    refused = queue.try_to_change(resourceGroups=_group(queue, ABSURD[quota_text]))
    taken = queue.try_to_change(
        resourceGroups=_group(queue, {"nominalQuota": "1", "borrowingLimit": "0", "lendingLimit": "1"})
    )

    assert not refused.is_accepted, f"a: {refused}"
    assert taken.is_accepted, f"b: {taken}"
    within("admit", queue.submit(cpu="1").is_admitted, clause="b")


def _group(queue, quota):
    return [
        {
            "coveredResources": ["cpu"],
            "flavors": [{"name": queue.flavors[0], "resources": [{"name": "cpu", **quota}]}],
        }
    ]


CONTRADICTING = {
    "borrowing without reclaiming": {
        "reclaimWithinCohort": "Never",
        "borrowWithinCohort": {"policy": "LowerPriority"},
    },
    "an unknown word": {"withinClusterQueue": "Always"},
}


@scenario(
    "QUE-126",
    "policies of preemption that contradict each other are refused",
    requirement=("queueing#odd-input", "kep-1337#borrow-within-cohort"),
    shows="Q-113 AC-039 AC-040",
    since="0.19",
    also=("kep993",),
    cases=cross(policy=tuple(CONTRADICTING)),
    clauses={"a": "they are refused", "b": "policies that do not contradict are accepted"},
)
def test_contradicting_policies(kueue_cluster, policy):
    queue = kueue_cluster.make_topology("all { q 1, other 1 }")["q"]

    refused = queue.try_to_change(preemption=CONTRADICTING[policy])
    taken = queue.try_to_change(
        preemption={"reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": "LowerPriority"}}
    )

    assert not refused.is_accepted, f"a: {refused}"
    assert taken.is_accepted, f"b: {taken}"
    within("admit", queue.submit(cpu="2").is_admitted, clause="b")


@scenario(
    "QUE-127",
    "a resource without quota in a queue keeps the Workloads pending that request it, and no others",
    requirement=("kueue-docs#resource-groups", "queueing#odd-input"),
    shows="Q-112 Q-151 M-050",
    clauses={"a": "it waits", "b": "others are admitted", "c": "with quota for it it is admitted"},
)
def test_uncovered_resource(kueue_cluster):
    queues = kueue_cluster.make_topology("q 5")
    asks = queues.submit("q: asks(5)1,memory=1Gi")
    within("settle", lambda: asks.has_condition("QuotaReserved", "False"), clause="a")
    within("admit", queues.submit("q: other(0)1").is_admitted, clause="b")
    always(asks.is_suspended, clause="a")

    quotas = {queues.flavors["default"]: {"cpu": "5", "memory": "1Gi"}}
    queues["q"].try_to_change(resourceGroups=[kueue_cluster.resource_group(quotas)])

    within("admit", asks.is_admitted, clause="c")


@scenario(
    "QUE-128",
    "a flavor that is deleted while a preemptor waits for it stops the queue, and no Workload gets quota in it",
    requirement="queueing#odd-input",
    shows="Q-145 Q-156 Q-146",
    since="0.19",
    also=("kep993",),
    clauses={"a": "the preemptor waits", "b": "it is admitted when the flavor exists again"},
)
def test_flavor_disappears(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    queues.submit_in_turn("q: low(0)2")
    kueue_cluster.release.pods_are_held = True
    new = queues.submit("q: new(5)2")
    within("settle", lambda: queues.has_preempted("low InClusterQueue"))

    flavor = queues.flavors["default"]
    kueue_cluster.force_delete_flavor(flavor)
    within("react", lambda: queues["q"].is_inactive("FlavorNotFound"))
    kueue_cluster.release.pods_are_held = False

    within("evict", queues.has_reserved, clause="a")
    always(new.is_suspended, clause="a")
    kueue_cluster.make_flavor_named(flavor)
    within("requeue", new.is_admitted, clause="b")


@scenario(
    "QUE-129",
    "usage beyond a lowered quota counts once, however often the head of the queue is tried",
    requirement="queueing#odd-input",
    shows="Q-226 Q-132",
    since="0.19",
    also=("kep993",),
    clauses={"a": "its head waits", "b": "the remaining quota goes to another queue, to the last unit"},
)
def test_quota_is_lowered_below_its_use(kueue_cluster):
    queues = kueue_cluster.make_topology("all { lowered 3 borrows<=2 StrictFIFO, free 4, lender 2 }")
    queues.submit_in_turn("lowered: large(0)5")
    queues.set_quotas("lowered 2 borrows<=2")
    head = queues.submit("lowered: head(9)2")
    within("settle", lambda: head.has_condition("QuotaReserved", "False"), clause="a")
    queues.submit_in_turn("lender: some(0)1")
    queues.delete_workloads("some")

    new = queues.submit("free: new(5)3")

    within("admit", new.is_admitted, clause="b")
    always(head.is_suspended, clause="a")


@scenario(
    "QUE-137",
    "priorities at both ends of 32 bits are compared as numbers",
    requirement=("queueing#odd-input", "kep-83#within-cluster-queue"),
    shows="Q-005 Q-250",
    since="0.19",
    also=("kep993",),
    clauses={"a": "the equal one waits", "b": "the highest preempts the lowest", "c": "and is not preempted"},
)
def test_ends_of_priorities(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    queues.submit_in_turn("q: lowest(-2147483648)2")
    equal = queues.submit("q: equal(-2147483648)2")
    always(lambda: equal.is_suspended() and queues.were_preempted(), clause="a")

    queues.submit("q: highest(2147483647)2")

    within("evict", lambda: queues.has_reserved("highest") and queues.were_preempted("lowest"), clause="b")
    queues.submit("q: other(2147483647)2")
    always(lambda: queues.has_reserved("highest") and queues.were_preempted("lowest"), clause="c")


@scenario(
    "QUE-138",
    "every pod counts of a Workload with the maximum number of pod sets",
    requirement="queueing#odd-input",
    shows="Q-080 AC-090",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "one pod too many waits",
        "b": "it is admitted where all fit",
        "c": "more pod sets are refused",
    },
)
def test_most_pod_sets(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="179999")

    def spec(number):
        return {
            "queueName": queue.name,
            "podSets": [kueue_cluster.pod_set(f"p{at}", 10000, cpu="1") for at in range(number)],
        }

    most = kueue_cluster.try_to_create("Workload", spec(18))
    too_many = kueue_cluster.try_to_create("Workload", spec(19))
    assert most.is_accepted, f"a: {most}"
    assert not too_many.is_accepted, f"c: {too_many}"
    within("settle", lambda: queue.shows_counts(pending=1), clause="a")
    always(lambda: queue.shows_counts(reserving=0), clause="a")

    queue.set_quota("180000")

    within("admit", lambda: queue.shows_counts(reserving=1, admitted=1), clause="b")

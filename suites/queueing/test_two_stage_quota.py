"""QUE: quota, flavors and partial admission of Workloads that
wait for their checks (KEP-993, KEP-582, KEP-420; Q-120…Q-187).
"""

from kueue_conformance import always, cross, never, rows, scenario, within

LOWER = {"withinClusterQueue": "LowerPriority"}


def lending(kueue_cluster, checks=0, **owner):
    """Return a queue that owns quota for 2, and one with a check that has none and borrows."""
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    lender = kueue_cluster.make_queue(checks, flavors=[flavor], cpu="2", cohortName=cohort, **owner)
    return lender, kueue_cluster.make_queue(1, flavors=[flavor], cpu="0", cohortName=cohort)


@scenario(
    "QUE-170",
    "quota lent to a Workload that waits for its check stays lent until it ends, where it cannot be reclaimed",
    requirement=("kueue-docs#borrowing", "kep-83#reclaim-within-cohort"),
    shows="Q-122 Q-127 Q-250 AC-441",
    since="0.19",
    also=("kep993",),
    cases=rows("end", ("rejected",), ("deleted",), ("finished",)),
    clauses={"a": "the owner waits", "b": "it has its quota when the borrower has ended"},
)
def test_lent_quota_is_waited_for(kueue_cluster, end):
    owner, borrower = lending(kueue_cluster)
    holder = borrower.submit_until("prechecked", cpu="2")

    workload = owner.submit(cpu="2", priority=100)

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: workload.is_suspended() and holder.is_prechecked(), clause="a")
    if end == "finished":
        borrower.admit(holder)
        always(workload.is_suspended, clause="a")
    {
        "rejected": lambda: borrower.checks[0].answer(holder, "Rejected"),
        "deleted": holder.delete,
        "finished": holder.finish,
    }[end]()
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "QUE-171",
    "a borrower that was reclaimed before its check was answered borrows again when it can",
    requirement=("kueue-docs#borrowing", "kep-83#reclaim-within-cohort", "kep-993#preemption-clears-checks"),
    shows="Q-050 Q-252 AC-447",
    since="0.19",
    also=("kep993",),
    cases=cross(state=("Pending", "Ready")),
    clauses={
        "a": "the owner has its quota",
        "b": "the borrower waits without a verdict",
        "c": "it borrows again, and its check is Pending",
    },
)
def test_borrower_comes_back(kueue_cluster, state):
    owner, _ = lending(kueue_cluster, preemption={"reclaimWithinCohort": "Any"})
    two = kueue_cluster.make_queue(2, flavors=owner.flavors, cpu="0", cohortName=cohort_of(owner))
    holder = two.submit_until("prechecked", cpu="2")
    two.checks[0].answer(holder, state)
    always(holder.is_prechecked)

    workload = owner.submit(cpu="1")

    within("admit", workload.is_admitted, clause="a")
    within("settle", lambda: holder.is_suspended() and holder.has_no_verdicts(), clause="b")
    workload.finish()
    within("reserve", lambda: holder.is_prechecked() and holder.has_states("Pending"), clause="c")
    two.admit(holder)


def cohort_of(queue):
    """Return the name of a queue's cohort."""
    return queue.in_version("v1beta2")["spec"]["cohortName"]


@scenario(
    "QUE-172",
    "quota of a Workload that waits for its check counts as borrowed, and as used when it is admitted",
    requirement=("queueing#status", "kueue-docs#borrowing"),
    shows="Q-140 Q-371 Q-372 AC-441",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "it is reserved and borrowed",
        "b": "no usage yet",
        "c": "it is used when the check has passed",
    },
)
def test_reservation_is_borrowed(kueue_cluster):
    _, borrower = lending(kueue_cluster)

    holder = borrower.submit_until("prechecked", cpu="2")

    within(
        "settle",
        lambda: borrower.shows_reserved("2") and borrower.shows_borrowed("flavorsReservation", "2"),
        clause="a",
    )
    within("settle", lambda: borrower.shows_used("0"), clause="b")
    borrower.admit(holder)
    within(
        "settle",
        lambda: borrower.shows_used("2") and borrower.shows_borrowed("flavorsUsage", "2"),
        clause="c",
    )


@scenario(
    "QUE-173",
    "quota of a Workload that waits for its check counts against the limit on borrowing",
    requirement=("kueue-docs#borrowing-limit", "kep-993#reservation-fits-quota"),
    shows="Q-124 AC-441",
    since="0.19",
    also=("kep993",),
    clauses={"a": "one more than the limit allows waits", "b": "it is admitted when the first has ended"},
)
def test_borrowing_limit(kueue_cluster):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    kueue_cluster.make_queue(flavors=[flavor], cpu="5", cohortName=cohort)
    group = kueue_cluster.resource_group_of("cpu", flavor, amount="1")
    (offered_flavor,) = group["flavors"]
    limited = {**offered_flavor, "resources": [{**offered_flavor["resources"][0], "borrowingLimit": "1"}]}
    queue = kueue_cluster.make_queue(
        1, flavors=[flavor], cohortName=cohort, resourceGroups=[{**group, "flavors": [limited]}]
    )
    holder = queue.submit_until("prechecked", cpu="2")

    other = queue.submit(cpu="1")

    within("settle", lambda: other.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: other.is_suspended() and holder.is_prechecked(), clause="a")
    holder.delete()
    within("reserve", other.is_prechecked, clause="b")


def shrinking(queue, least, priority=0):
    """Submit something that asks for 4 pods of one CPU and does with fewer."""
    pods = {"name": "main", "count": 4, "minCount": least, "template": POD}
    return queue.submit(podSets=[pods], priority=priority)


POD = {
    "spec": {
        "restartPolicy": "Never",
        "containers": [
            {"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": {"requests": {"cpu": "1"}}},
        ],
    }
}


@scenario(
    "QUE-174",
    "a Workload with a minCount runs beside Workloads that wait for checks, and keeps its number of pods",
    requirement=("kep-420#partial-admission", "kep-993#reservation-fits-quota"),
    shows="Q-185 Q-186 AC-441",
    since="0.19",
    also=("kep993",),
    gates=("PartialAdmission",),
    cases=cross(taken=(1, 2)),
    clauses={
        "a": "as many pods as fit",
        "b": "the same number when its check passes, though more would fit by then",
    },
)
def test_partial_admission_beside_reservations(kueue_cluster, taken):
    queue = kueue_cluster.make_queue(1, cpu="4")
    holder = queue.submit_until("prechecked", cpu=f"{taken}")

    workload = shrinking(queue, least=1)

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")
    always(lambda: workload.has_admission(queue, main={"count": 4 - taken}), clause="a")
    holder.delete()
    queue.admit(workload)
    always(lambda: workload.has_admission(queue, main={"count": 4 - taken}), clause="b")
    within("settle", lambda: queue.shows_used(f"{4 - taken}"), clause="b")


@scenario(
    "QUE-175",
    "preempting a Workload that waits for its check comes before running with fewer pods",
    requirement=("kep-420#partial-admission", "kep-993#reserved-is-victim"),
    shows="Q-187 AC-447",
    since="0.19",
    also=("kep993",),
    cases=cross(stage=("prechecked", "admitted")),
    clauses={
        "a": "the one of lower priority is preempted",
        "b": "all pods are reserved, and admitted when the check has passed",
    },
)
def test_preemption_before_fewer_pods(kueue_cluster, stage):
    queue = kueue_cluster.make_queue(1, cpu="4", preemption=LOWER)
    victim = queue.submit_until(stage, cpu="1", priority=-10)

    workload = shrinking(queue, least=1, priority=10)

    within("settle", victim.is_suspended, clause="a")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="b")
    always(lambda: workload.has_admission(queue, main={"count": 4}), clause="b")
    queue.admit(workload)


@scenario(
    "QUE-176",
    "a partially admitted Workload asks its checks for the admitted pods, and is preempted whole",
    requirement=(
        "kep-420#partial-admission",
        "kep-83#within-cluster-queue",
        "kep-993#preemption-clears-checks",
    ),
    shows="Q-185 Q-250 AC-448",
    since="0.19",
    also=("kep993",),
    gates=("PartialAdmission",),
    clauses={
        "a": "it is evicted, and no verdict is left",
        "b": "with all quota back it runs with all pods, once its check has passed",
    },
)
def test_partly_admitted_victim(kueue_cluster):
    queue = kueue_cluster.make_queue(1, cpu="4", preemption=LOWER)
    beside = queue.submit_until("admitted", cpu="2", priority=5)
    victim = shrinking(queue, least=2)
    within("reserve", lambda: victim.is_prechecked() and victim.lists_checks(*queue.checks))
    queue.admit(victim)

    high = queue.submit_until("admitted", cpu="1", priority=10)

    within("settle", lambda: victim.is_suspended() and victim.has_no_verdicts(), clause="a")
    high.finish()
    beside.finish()
    within("reserve", lambda: victim.is_prechecked() and victim.has_states("Pending"), clause="b")
    queue.admit(victim)


def two_flavors(kueue_cluster, cpu=("1", "1"), **spec):
    """Return a queue of two flavors with a check for each of them."""
    checks = [kueue_cluster.make_check() for _ in range(2)]
    flavors = [kueue_cluster.make_flavor() for _ in range(2)]
    on = {check.name: [flavor] for check, flavor in zip(checks, flavors, strict=True)}
    return kueue_cluster.make_queue(checks, flavors=flavors, cpu=cpu, on=on, **spec)


@scenario(
    "QUE-180",
    "the check of the assigned flavor is required where each flavor has its own check",
    requirement=("kep-582#fungibility", "kep-993#one-entry-per-check"),
    shows="AC-351 Q-154 Q-170",
    since="0.19",
    also=("kep993",),
    cases=cross(stage=("prechecked", "admitted")),
    clauses={
        "a": "the second flavor, where the first is taken, and its check alone",
        "b": "that check is enough",
    },
)
def test_check_of_the_next_flavor(kueue_cluster, stage):
    queue = two_flavors(kueue_cluster)
    (first, second), (first_check, two) = queue.flavors, queue.checks
    holder = queue.submit(cpu="1")
    within("reserve", lambda: holder.has_flavor(first) and holder.lists_checks(first_check))
    if stage == "admitted":
        first_check.answer(holder, "Ready")
        within("admit", holder.is_admitted)

    workload = queue.submit(cpu="1")

    within("reserve", lambda: workload.has_flavor(second) and workload.lists_checks(two), clause="a")
    always(lambda: workload.is_prechecked() and workload.lists_checks(two), clause="a")
    two.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "QUE-181",
    "a victim that moves to another flavor requires the check of that flavor",
    requirement=("kep-582#fungibility", "kep-993#preemption-clears-checks", "kep-993#one-entry-per-check"),
    shows="AC-351 AC-357 Q-172",
    since="0.19",
    also=("kep993",),
    cases=cross(stage=("prechecked", "admitted")),
    clauses={
        "a": "it is reserved on the second flavor",
        "b": "with the check of that flavor alone, undecided",
        "c": "admitted there by that check",
    },
)
def test_victim_moves(kueue_cluster, stage):
    queue = two_flavors(
        kueue_cluster, preemption=LOWER, flavorFungibility={"whenCanPreempt": "MayStopSearch"}
    )
    (first, second), (first_check, two) = queue.flavors, queue.checks
    victim = queue.submit(cpu="1", priority=-10)
    within("reserve", lambda: victim.has_flavor(first) and victim.lists_checks(first_check))
    if stage == "admitted":
        first_check.answer(victim, "Ready")
        within("admit", victim.is_admitted)

    workload = queue.submit(cpu="1", priority=10)

    within("reserve", lambda: workload.has_flavor(first) and workload.lists_checks(first_check))
    within("reserve", lambda: victim.is_prechecked() and victim.has_flavor(second), clause="a")
    within("settle", lambda: victim.lists_checks(two) and victim.has_states("Pending"), clause="b")
    two.answer(victim, "Ready")
    within("admit", victim.is_admitted, clause="c")


@scenario(
    "QUE-182",
    "whenCanPreempt decides whether a Workload preempts one that waits for a check or takes another flavor",
    requirement="kep-582#fungibility",
    shows="Q-172 AC-351 AC-447",
    since="0.19",
    also=("kep993",),
    cases=rows("policy place", ("MayStopSearch", 0), ("TryNextFlavor", 1)),
    clauses={
        "a": "the flavor that the policy selects",
        "b": "the check of that flavor is asked",
        "c": "the other one is preempted only if it holds that flavor",
    },
)
def test_preempt_or_next_flavor(kueue_cluster, policy, place):
    queue = two_flavors(kueue_cluster, preemption=LOWER, flavorFungibility={"whenCanPreempt": policy})
    holder = queue.submit(cpu="1", priority=-10)
    within("reserve", lambda: holder.has_flavor(queue.flavors[0]) and holder.lists_checks(queue.checks[0]))

    workload = queue.submit(cpu="1", priority=10)

    within(
        "reserve", lambda: workload.is_prechecked() and workload.has_flavor(queue.flavors[place]), clause="a"
    )
    within("settle", lambda: workload.lists_checks(queue.checks[place]), clause="b")
    always(lambda: holder.was_evicted_times(1 - place), clause="c")


@scenario(
    "QUE-183",
    "a Workload that the check of one flavor rejects does not keep others from that flavor",
    requirement=("kep-582#fungibility", "kep-993#retry-or-reject"),
    shows="AC-291 AC-351 Q-154",
    since="0.19",
    also=("kep993",),
    clauses={"a": "the first is rejected", "b": "the next is asked about by the same check"},
)
def test_rejected_on_a_flavor(kueue_cluster):
    queue = two_flavors(kueue_cluster, cpu=("1", "0"))
    (first, _), (check, _) = queue.flavors, queue.checks
    refused = queue.submit(cpu="1")
    within("reserve", lambda: refused.has_flavor(first) and refused.lists_checks(check))
    waiting = queue.submit(cpu="1")
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"))

    check.answer(refused, "Rejected")

    within("evict", refused.is_rejected, clause="a")
    within("reserve", lambda: waiting.has_flavor(first) and waiting.lists_checks(check), clause="b")
    check.answer(waiting, "Ready")
    within("admit", waiting.is_admitted, clause="b")


@scenario(
    "QUE-184",
    "a Workload that waits for its checks holds up no Workload that fits beside it, not even in a strict queue",
    requirement=("kueue-docs#strict-fifo", "kep-993#order-is-irrelevant"),
    shows="Q-042 Q-043 AC-441",
    since="0.19",
    also=("kep993",),
    cases=cross(strategy=("StrictFIFO", "BestEffortFIFO")),
    clauses={"a": "the next is reserved as well", "b": "it may be admitted before the first"},
)
def test_next_is_reserved(kueue_cluster, strategy):
    queue = kueue_cluster.make_queue(1, cpu="2", queueingStrategy=strategy)
    first = queue.submit_until("prechecked", cpu="1", priority=10)

    second = queue.submit_until("prechecked", cpu="1")

    always(lambda: first.is_prechecked() and second.is_prechecked(), clause="a")
    queue.admit(second)
    always(first.is_prechecked, clause="b")


@scenario(
    "QUE-185",
    "a large Workload preempts all Workloads that wait for checks when its priority is higher, and else waits for them",
    requirement=("kueue-docs#best-effort-fifo", "kep-83#within-cluster-queue", "kep-993#reserved-is-victim"),
    shows="Q-250 Q-266 AC-441 AC-447",
    since="0.19",
    also=("kep993",),
    cases=rows("priority leave", (10, 3), (-10, 0)),
    clauses={
        "a": "all are preempted, or none",
        "b": "the large one is reserved, or waits until they have ended",
    },
)
def test_large_and_small(kueue_cluster, priority, leave):
    queue = kueue_cluster.make_queue(1, cpu="3", preemption=LOWER)
    small = [queue.submit_until("prechecked", cpu="1") for _ in range(3)]

    large = queue.submit(cpu="3", priority=priority)

    for small_workload in small[leave:]:
        always(lambda workload=small_workload: workload.is_prechecked() and large.is_suspended(), clause="a")
        small_workload.delete()
    for small_workload in small[:leave]:
        within("settle", lambda victim=small_workload: victim.was_evicted_for("Preempted"), clause="a")
    within("reserve", large.is_prechecked, clause="b")


@scenario(
    "QUE-186",
    "reclaimable pods of a Workload that waits for its check free their quota",
    requirement=("queueing#reclaimable-pods", "kep-993#reservation-fits-quota"),
    shows="Q-083 Q-085 AC-441",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "another one waits before",
        "b": "and is reserved afterwards",
        "c": "the first is admitted all the same",
    },
)
def test_reclaimable_pods_of_a_reservation(kueue_cluster):
    queue = kueue_cluster.make_queue(1, cpu="2")
    holder = queue.submit_until("prechecked", cpu="1", count=2)
    other = queue.submit(cpu="1")
    within("settle", lambda: other.has_condition("QuotaReserved", "False"), clause="a")

    holder.set_reclaimable_pods(1)

    within("reserve", other.is_prechecked, clause="b")
    queue.admit(holder)
    never(lambda: holder.was_ever("Evicted"), clause="c")

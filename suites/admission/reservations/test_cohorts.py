"""ADM: quota that the queues of a cohort share (KEP-993, "Reserve quota"; AC-034, Q-121…Q-127, Q-220)."""

from kueue_conformance import always, pairwise, rows, scenario, within


def with_limits(group, **limits):
    """Return a resource group of one flavor and one resource, with those of the limits that are not None."""
    (flavor,) = group["flavors"]
    (quota,) = flavor["resources"]
    set_ones = {name: amount for name, amount in limits.items() if amount is not None}
    return {**group, "flavors": [{**flavor, "resources": [{**quota, **set_ones}]}]}


@scenario(
    "ADM-242",
    "the queues of a cohort lend each other their unused quota",
    requirement="kep-993#stage-one",
    shows="AC-034 T-01",
    cases=pairwise(checks=(0, 1)),
    level="should",
    revision=2,
    clauses={"a": "it is reserved", "b": "and admitted only without checks"},
)
def test_borrowing(kueue_cluster, checks):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    kueue_cluster.make_queue(flavors=[flavor], cpu="2", cohortName=cohort)
    borrower = kueue_cluster.make_queue(checks, flavors=[flavor], cpu="1", cohortName=cohort)

    workload = borrower.submit(cpu="3")

    within("reserve", lambda: borrower.has_reserved_for(workload), clause="a")
    always(lambda: borrower.has_reserved_for(workload), clause="b")


@scenario(
    "ADM-398",
    "a queue lends and borrows within its limits",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-121 Q-124 Q-126 AC-034",
    gates=("LendingLimit",),
    cases=rows(
        "example lends borrows most",
        ("no-limits", None, None, 6),
        ("borrowing-limit", None, "1", 3),
        ("no-borrowing", None, "0", 2),
        ("lending-limit", "1", None, 3),
        ("no-lending", "0", None, 2),
        ("both-limits", "3", "2", 4),
    ),
    clauses={"a": "one more than it may never fits", "b": "it gets all that it may borrow"},
)
def test_limits_of_a_cohort(kueue_cluster, example, lends, borrows, most):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    lent = with_limits(kueue_cluster.resource_group_of("cpu", flavor, amount="4"), lendingLimit=lends)
    borrowed = with_limits(kueue_cluster.resource_group_of("cpu", flavor, amount="2"), borrowingLimit=borrows)
    kueue_cluster.make_queue(flavors=[flavor], cohortName=cohort, resourceGroups=[lent])
    queue = kueue_cluster.make_queue(flavors=[flavor], cohortName=cohort, resourceGroups=[borrowed])

    large = queue.submit(cpu=f"{most + 1}")
    within("settle", lambda: large.has_condition("QuotaReserved", "False"), clause="a")
    fitting = queue.submit(cpu=f"{most}")

    within("admit", fitting.is_admitted, clause="b")
    always(large.is_suspended, clause="a")


@scenario(
    "ADM-399",
    "the queues of a cohort cannot borrow quota that another queue of it has reserved",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-122 Q-127 AC-441",
    cases=pairwise(checks=(0, 1)),
    clauses={
        "a": "the borrower waits",
        "b": "it gets the released quota",
        "c": "its status tells how much it has borrowed",
    },
)
def test_cohort_is_shared(kueue_cluster, checks):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    owner, borrower = (
        kueue_cluster.make_queue(checks, flavors=[flavor], cpu="2", cohortName=cohort) for _ in range(2)
    )
    first = owner.submit(cpu="1")
    within("reserve", lambda: first.was_ever("QuotaReserved"))

    second = borrower.submit(cpu="4")
    within("settle", lambda: second.has_condition("QuotaReserved", "False"), clause="a")
    always(second.is_suspended, clause="a")
    first.delete()

    within("reserve", lambda: second.was_ever("QuotaReserved"), clause="b")
    usage = {flavor: [{"name": "cpu", "total": "4", "borrowed": "2"}]}
    within("settle", lambda: borrower.shows_usage("flavorsReservation", **usage), clause="c")


@scenario(
    "ADM-400",
    "queues of a cohort that reserve at the same time never exceed the quota of the cohort",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-203 Q-220 Q-224 AC-441",
    clauses={"a": "one of them borrows", "b": "the other waits", "c": "until that is done"},
)
def test_cohort_at_once(kueue_cluster):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    lender = kueue_cluster.make_queue(flavors=[flavor], cpu="0", cohortName=cohort)
    queues = [kueue_cluster.make_queue(flavors=[flavor], cpu="0", cohortName=cohort) for _ in range(2)]
    larger, less = queues[0].submit(cpu="2", priority=5), queues[1].submit(cpu="2", priority=1)
    always(lambda: larger.is_suspended() and less.is_suspended())

    lender.set_quota("3")

    within("admit", larger.is_admitted, clause="a")
    always(less.is_suspended, clause="b")
    larger.finish()
    within("admit", less.is_admitted, clause="c")


@scenario(
    "ADM-407",
    "a queue that uses its nominal quota goes before one that borrows",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-220 AC-441",
    clauses={"a": "the owner is admitted", "b": "the borrower waits, however important"},
)
def test_owner_before_borrower(kueue_cluster):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    owner, borrower = (
        kueue_cluster.make_queue(flavors=[flavor], cpu=cpu, cohortName=cohort) for cpu in ("4", "1")
    )
    running = owner.submit(cpu="5")
    within("admit", running.is_admitted)
    important, own = borrower.submit(cpu="2", priority=100), owner.submit(cpu="4", priority=1)
    always(lambda: important.is_suspended() and own.is_suspended())

    running.finish()

    within("admit", own.is_admitted, clause="a")
    always(important.is_suspended, clause="b")


@scenario(
    "ADM-490",
    "borrowed quota still counts when a quota of the cohort changes",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-132 Q-122 AC-441",
    clauses={
        "a": "a Workload that no longer fits stays pending",
        "b": "the remaining quota can be used",
        "c": "the rest when it is released",
    },
)
def test_borrowed_quota_counts_on(kueue_cluster, clock):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    lender, borrower = (
        kueue_cluster.make_queue(flavors=[flavor], cpu=cpu, cohortName=cohort) for cpu in ("2", "1")
    )
    borrowing = borrower.submit(cpu="3")
    within("admit", borrowing.is_admitted)

    lender.set_quota("3")
    clock.advance_budget("react")
    large = lender.submit(cpu="2")
    within("settle", lambda: large.has_condition("QuotaReserved", "False"), clause="a")
    always(large.is_suspended, clause="a")
    within("admit", lender.submit(cpu="1").is_admitted, clause="b")
    always(large.is_suspended, clause="a")
    borrowing.finish()

    within("admit", large.is_admitted, clause="c")


@scenario(
    "ADM-491",
    "nominal quota for which the head of a strict queue waits is not lent to others meanwhile",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-226 AC-441",
    since="0.19",
    level="should",
    clauses={
        "a": "a Workload that would borrow it stays pending",
        "b": "the first gets it",
        "c": "then it is lent",
    },
)
def test_quota_is_kept_for_the_first(kueue_cluster, clock):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    owner = kueue_cluster.make_queue(
        flavors=[flavor], cpu="2", cohortName=cohort, queueingStrategy="StrictFIFO"
    )
    borrower = kueue_cluster.make_queue(flavors=[flavor], cpu="0", cohortName=cohort)
    running = owner.submit(cpu="1")
    within("admit", running.is_admitted)
    first = owner.submit(cpu="2")
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))
    clock.tick()

    borrowing = borrower.submit(cpu="1")
    within("settle", lambda: borrowing.has_condition("QuotaReserved", "False"), clause="a")
    always(borrowing.is_suspended, clause="a")
    running.finish()
    within("admit", first.is_admitted, clause="b")
    always(borrowing.is_suspended, clause="a")
    first.finish()

    within("admit", borrowing.is_admitted, clause="c")

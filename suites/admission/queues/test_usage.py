"""ADM: counts and usage in the status of queues (AC-049, AC-074, AC-075)."""

from kueue_conformance import pairwise, scenario, within


@scenario(
    "ADM-107",
    "counters of a LocalQueue: reserving at reservation, admitted when the checks have passed",
    requirement="docs-2024#all-positive",
    shows="SC-107 AC-074",
    revision=2,
    cases=pairwise(form=("workload", "job")),
    clauses={"b": "one waits, one reserves", "c": "admitted"},
)
def test_local_queue_counters(make_queue, form):
    queue = make_queue(checks=1, cpu="1")
    workload = queue.submit_until("prechecked", form, cpu="1")
    queue.submit(form, cpu="1")
    within("settle", lambda: queue.shows_counts_locally(pending=1, reserving=1, admitted=0), clause="b")

    queue.checks[0].answer(workload, "Ready")

    within("settle", lambda: queue.shows_counts_locally(pending=1, reserving=1, admitted=1), clause="c")


@scenario(
    "ADM-108",
    "reserved and used quota of a ClusterQueue are counted apart",
    requirement="docs-2024#all-positive",
    shows="SC-108 AC-049",
    clauses={
        "a": "reserved at reservation",
        "b": "used at admission",
        "c": "nothing is counted after the end",
    },
)
def test_usage_of_a_cluster_queue(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit(cpu="3")
    within("settle", lambda: queue.shows_reserved("3") and queue.shows_used("0"), clause="a")
    within("settle", lambda: workload.lists_checks(*queue.checks))

    queue.checks[0].answer(workload, "Ready")
    within("settle", lambda: queue.shows_used("3"), clause="b")
    workload.finish()

    within("settle", lambda: queue.shows_reserved("0") and queue.shows_used("0"), clause="c")


@scenario(
    "ADM-329",
    "usage of a ClusterQueue and of its LocalQueues is reported by flavor and resource",
    requirement="docs-2024#all-positive",
    shows="AC-049 AC-075",
    clauses={
        "a": "reserved and used apart",
        "b": "of each LocalQueue its own",
        "c": "no usage of a flavor that is not used",
    },
)
def test_usage_of_each_flavor(kueue_cluster):
    near, far, memory = (kueue_cluster.make_flavor() for _ in range(3))
    groups = [
        kueue_cluster.resource_group_of("cpu", near, far),
        kueue_cluster.resource_group_of("memory", memory),
    ]
    queue = kueue_cluster.make_queue(checks=1, flavors=[near, far, memory], resourceGroups=groups)
    elsewhere = kueue_cluster.make_local_queue_in_other_namespace(queue)
    prechecked = queue.submit_until("prechecked", podSets=[kueue_cluster.pod_set("main", cpu="2")])
    elsewhere.submit_until("prechecked", podSets=[kueue_cluster.pod_set("main", cpu="3", memory="1")])

    queue.checks[0].answer(prechecked, "Ready")

    within(
        "settle",
        lambda: (
            queue.usage("flavorsReservation")
            == {near: {"cpu": "5"}, far: {"cpu": "0"}, memory: {"memory": "1"}}
        ),
        clause="a",
    )
    within(
        "settle",
        lambda: (
            queue.usage("flavorsUsage") == {near: {"cpu": "2"}, far: {"cpu": "0"}, memory: {"memory": "0"}}
        ),
        clause="c",
    )
    within(
        "settle",
        lambda: (
            elsewhere.local_usage("flavorsReservation")
            == {near: {"cpu": "3"}, far: {"cpu": "0"}, memory: {"memory": "1"}}
        ),
        clause="b",
    )
    within(
        "settle",
        lambda: (
            queue.local_usage("flavorsUsage")
            == {near: {"cpu": "2"}, far: {"cpu": "0"}, memory: {"memory": "0"}}
        ),
        clause="b",
    )
    within(
        "settle",
        lambda: (
            elsewhere.local_usage("flavorsUsage")
            == {near: {"cpu": "0"}, far: {"cpu": "0"}, memory: {"memory": "0"}}
        ),
        clause="b",
    )
    within("settle", lambda: queue.shows_counts(pending=0, reserving=2, admitted=1), clause="a")
    within("settle", lambda: elsewhere.shows_counts_locally(pending=0, reserving=1, admitted=0), clause="b")


@scenario(
    "ADM-330",
    "quota that is borrowed from a cohort is reported separately",
    requirement="docs-2024#all-positive",
    shows="AC-049",
    clauses={"a": "the quantity beyond the nominal quota", "b": "no borrowing within the nominal quota"},
)
def test_borrowed_usage(kueue_cluster):
    flavor, cohort = kueue_cluster.make_flavor(), kueue_cluster.names.name("cohort")
    borrower, lender = (
        kueue_cluster.make_queue(checks=1, flavors=[flavor], cpu=cpu, cohortName=cohort) for cpu in ("2", "6")
    )

    borrower.submit_until("admitted", cpu="5")
    lender.submit_until("prechecked", cpu="1")

    within("settle", lambda: borrower.shows_borrowed("flavorsUsage", "3"), clause="a")
    within("settle", lambda: borrower.shows_borrowed("flavorsReservation", "3"), clause="a")
    within("settle", lambda: lender.shows_borrowed("flavorsReservation", "0"), clause="b")

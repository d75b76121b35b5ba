"""ADM: the Active condition of a LocalQueue of its ClusterQueue (AC-433…438)."""

from kueue_conformance import always, cross, scenario, within

STOPS = ("Hold", "HoldAndDrain")


@scenario(
    "ADM-106",
    "the Active condition of a LocalQueue says whether its ClusterQueue can admit",
    requirement="docs-2024#missing-or-inactive-check",
    shows="SC-106 AC-433",
    level="should",
    revision=2,
    clauses={"a": "no ClusterQueue", "b": "an inactive one", "c": "an active one", "d": "none again"},
)
def test_local_queue_active(kueue_cluster):
    check = kueue_cluster.missing_check()
    queue = kueue_cluster.make_queue_without_cluster_queue()
    within("settle", lambda: queue.is_inactive_locally("ClusterQueueDoesNotExist"), clause="a")

    queue = kueue_cluster.make_cluster_queue_for(queue, [check])
    within("settle", lambda: queue.is_inactive_locally("ClusterQueueIsInactive"), clause="b")
    kueue_cluster.create_check(check)
    within("settle", queue.is_inactive_for_inactive_checks)
    check.set_active()
    within("settle", queue.is_active_locally, clause="c")
    queue.delete()

    within("settle", lambda: queue.is_inactive_locally("ClusterQueueDoesNotExist"), clause="d")


@scenario(
    "ADM-325",
    "a stopped LocalQueue reports it, whatever its ClusterQueue does",
    requirement="kep-993#hold",
    shows="AC-435 AC-436 AC-437 AC-438",
    level="should",
    since="0.9",
    cases=cross(policy=STOPS),
    clauses={
        "a": "stopped",
        "b": "also without a ClusterQueue",
        "c": "then it speaks of that",
        "d": "and takes Workloads again",
    },
)
def test_stopped_local_queue(kueue_cluster, policy):
    queue = kueue_cluster.make_queue_without_cluster_queue()
    stop = {"Hold": queue.hold_local, "HoldAndDrain": queue.hold_and_drain_local}[policy]
    stop()
    within("settle", lambda: queue.is_inactive_locally("Stopped"), clause="b")

    queue = kueue_cluster.make_cluster_queue_for(queue, [kueue_cluster.make_check()])
    within("settle", queue.is_active)
    always(lambda: queue.shows_reason_locally("Stopped", "LocalQueue is stopped"), clause="a")
    workload = queue.submit()
    always(workload.is_suspended, clause="a")
    queue.hold()
    within("settle", lambda: queue.is_inactive("Stopped"))
    always(lambda: queue.is_inactive_locally("Stopped"), clause="a")
    queue.resume_local()
    within("settle", lambda: queue.is_inactive_locally("ClusterQueueIsInactive"), clause="c")
    queue.resume()

    within("settle", queue.is_active_locally, clause="d")
    within("reserve", workload.is_prechecked, clause="d")


@scenario(
    "ADM-326",
    "the Active condition of a LocalQueue has the recorded reason and message",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-435 AC-436 AC-437 AC-438",
    level="may",
    since="0.9",
    clauses={"a": "without a ClusterQueue", "b": "with an inactive one", "c": "with an active one"},
)
def test_texts_of_a_local_queue(kueue_cluster):
    cannot, check = "Can't submit new workloads to clusterQueue", kueue_cluster.make_check(active=False)
    queue = kueue_cluster.make_queue_without_cluster_queue()
    within("settle", lambda: queue.shows_reason_locally("ClusterQueueDoesNotExist", cannot), clause="a")

    queue = kueue_cluster.make_cluster_queue_for(queue, [check])
    within("settle", lambda: queue.shows_reason_locally("ClusterQueueIsInactive", cannot), clause="b")
    check.set_active()

    message = "Can submit new workloads to localQueue"
    within("settle", lambda: queue.shows_reason_locally("Ready", message), clause="c")

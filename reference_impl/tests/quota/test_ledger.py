"""What a ClusterQueue holds counts from the start,
in whichever order objects come (Q-140), and whether it is ready (Q-231).
"""

from __future__ import annotations

from reference_impl.kueue.workload.messages import with_preemptions
from reference_impl.kueue.workload.view import Workload

from ..scheduling.preemption.arenas import Arena
from ..scheduling.queue_side import Cluster, group


def test_a_cluster_queue_that_comes_later_knows_what_is_held_in_it_q_140() -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 3)
    cluster.run()
    cluster.notes.cluster_queue({"metadata": {"name": "cq"}}, None)

    cluster.queue("cq", group("cpu", default=[4]))

    assert sum(cluster.queue_manager.ledger.cohort_trees.queues["cq"].usage.values()) == 3000


def test_all_are_ready_unless_an_admitted_one_waits_for_its_pods_q_231() -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 1)
    cluster.run()
    waiting, before = cluster.queue_manager.ledger.are_all_pods_ready, cluster.objects["ns/w"]
    ready = {"type": "PodsReady", "status": "True", "reason": "Started", "message": ""}

    cluster.put(
        Workload({**before.object, "status": {**before.status, "conditions": [*before.conditions, ready]}})
    )

    assert (waiting, cluster.queue_manager.ledger.are_all_pods_ready) == (False, True)


def test_what_is_over_or_was_never_assigned_holds_nothing_q_004() -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 3)
    cluster.run()
    ledger, workload = cluster.queue_manager.ledger, cluster.objects["ns/w"]

    ledger.put(Workload({**workload.object, "spec": {**workload.spec, "active": False}}))
    after = dict(ledger.holdings)
    ledger.put(workload)
    ledger.put(Workload({**workload.object, "status": {**workload.status, "admission": None}}))

    assert (after, ledger.holdings) == ({}, {})


def test_what_is_gone_counts_on_no_victims_ac_440() -> None:
    arena = Arena().member("cq", cpu=4).holds("w", "cq", cpu=1, message=with_preemptions("reserved", 1))
    ledger = arena.queue_manager.ledger
    before = list(ledger.awaiting)

    ledger.remove("ns/w")

    assert (before, ledger.awaiting, list(ledger.holders("cq"))) == (["ns/w"], {}, [])


def test_holders_are_ordered_by_priority_then_the_newer_reservation_then_the_uid_q_262() -> None:
    arena = Arena().member("cq", cpu=9)
    for name, priority, since in (("first", 1, 0), ("second", 1, 0), ("newer", 1, 5), ("lower", 0, 0)):
        arena.holds(name, "cq", priority, since=since, cpu=1)
    ledger = arena.queue_manager.ledger

    ledger.put(arena.objects["ns/first"])  # what comes last is not tried last

    assert [holder.workload.name for holder in ledger.holders("cq")] == ["lower", "newer", "first", "second"]

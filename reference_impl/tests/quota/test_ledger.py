"""What a ClusterQueue holds counts from the start,
in whichever order objects come (Q-140), and whether it is ready (Q-231).
"""

from __future__ import annotations

from reference_impl.kueue.workload.messages import with_preemptions
from reference_impl.kueue.workload.view import Workload

from ..scheduling.preemption.arenas import Arena
from ..scheduling.queue_side import Cluster, group


def test_a_cluster_queue_that_comes_later_knows_what_is_held_in_it_q_140() -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 3)
    found.run()
    found.notes.cluster_queue({"metadata": {"name": "cq"}}, None)

    found.queue("cq", group("cpu", default=[4]))

    assert sum(found.queue_manager.ledger.cohort_trees.queues["cq"].usage.values()) == 3000


def test_all_are_ready_unless_an_admitted_one_waits_for_its_pods_q_231() -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 1)
    found.run()
    waiting, before = found.queue_manager.ledger.are_all_pods_ready, found.objects["ns/w"]
    ready = {"type": "PodsReady", "status": "True", "reason": "Started", "message": ""}

    found.put(
        Workload({**before.object, "status": {**before.status, "conditions": [*before.conditions, ready]}})
    )

    assert (waiting, found.queue_manager.ledger.are_all_pods_ready) == (False, True)


def test_what_is_over_or_was_never_assigned_holds_nothing_q_004() -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 3)
    found.run()
    ledger, held = found.queue_manager.ledger, found.objects["ns/w"]

    ledger.put(Workload({**held.object, "spec": {**held.spec, "active": False}}))
    after = dict(ledger.holdings)
    ledger.put(held)
    ledger.put(Workload({**held.object, "status": {**held.status, "admission": None}}))

    assert (after, ledger.holdings) == ({}, {})


def test_what_is_gone_counts_on_no_victims_ac_440() -> None:
    found = Arena().member("cq", cpu=4).holds("w", "cq", cpu=1, message=with_preemptions("reserved", 1))
    ledger = found.queue_manager.ledger
    before = list(ledger.awaiting)

    ledger.remove("ns/w")

    assert (before, ledger.awaiting, list(ledger.holders("cq"))) == (["ns/w"], {}, [])


def test_holders_are_ordered_by_priority_then_the_newer_reservation_then_the_uid_q_262() -> None:
    found = Arena().member("cq", cpu=9)
    for name, priority, since in (("first", 1, 0), ("second", 1, 0), ("newer", 1, 5), ("lower", 0, 0)):
        found.holds(name, "cq", priority, since=since, cpu=1)
    ledger = found.queue_manager.ledger

    ledger.put(found.objects["ns/first"])  # what comes last is not tried last

    assert [each.workload.name for each in ledger.holders("cq")] == ["lower", "newer", "first", "second"]

"""A head whose victims another preemptor of the cycle has (Q-227, KV-21): it takes others, or waits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.scheduling.entry import Preempt, Requeue
from reference_impl.kueue.workload.unreserved import UnreservedReason

from .preemption.arenas import Arena, policies
from .queue_side import group

SHORT = "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, "
OVERLAP = "Workload has overlapping preemption targets with another workload"
WAITS = f"{SHORT}2 more needed. Pending the preemption of 1 workload(s)"
DEFERRED = f"{OVERLAP}, but will fit after these preemptions complete"
SKIPPED = "Workload no longer fits after processing another workload"
RECLAMATION = "InCohortReclamation"


def arena(*, recomputes: bool, reclaim: str = "Any", **victims: int) -> Arena:
    """Return a cohort in which `first` and `second` reclaim what c borrows."""
    cluster = Arena()
    cluster.cycle = replace(cluster.cycle, recomputes_overlaps=recomputes)
    cluster.member("a", "all", policies(reclaim=reclaim), cpu=2)
    spec = {"preemption": policies(reclaim=reclaim), "cohortName": "all"}
    fungibility = {"flavorFungibility": {"whenCanPreempt": "Preempt"}}
    cluster.queue("b", group("cpu", default=[2], alpha=[2]), **spec, **fungibility)
    cluster.member("c", "all", cpu=0)
    for name, cores in victims.items():
        cluster.holds(name, "c", 9 if name == "high" else -1, cpu=cores)
    return cluster.cpu("first", 2, queue="a").cpu("second", 2, queue="b")


@pytest.mark.parametrize(
    ("recomputes", "second", "preempted"),
    [(False, OVERLAP, {}), (True, WAITS, {"high": RECLAMATION})],
    ids=["off", "on"],
)
def test_the_next_victim_is_taken_in_the_same_cycle_kv_21(
    recomputes: bool, second: str, preempted: dict[str, str]
) -> None:
    cluster = arena(recomputes=recomputes, low=2, high=2)

    assert cluster.run() == {"first": WAITS, "second": second}
    assert cluster.preempted.get("first") == {"low": RECLAMATION}
    assert cluster.preempted.get("second", {}) == preempted


def test_what_the_victims_of_another_leave_is_waited_for_kv_21() -> None:
    cluster = arena(recomputes=True, low=4)

    first, second = cluster.cycle.run(cluster.heads())

    assert isinstance(first, Preempt)
    assert isinstance(second, Requeue)
    assert (second.reason, second.message) == (RequeueReason.PENDING_PREEMPTION, DEFERRED)
    assert second.cause is UnreservedReason.WAITING_FOR_PREEMPTED_WORKLOADS
    assert second.last_assignment is None
    assert not second.is_preemption_skipped


def test_both_have_quota_once_the_victim_let_go_kv_21() -> None:
    cluster = arena(recomputes=True, low=4)
    cluster.run_all()

    verdicts = cluster.release("low").run_all()

    assert (verdicts["first"], verdicts["second"]) == ("reserved", "reserved")


@pytest.mark.parametrize(("recomputes", "third"), [(False, "reserved"), (True, SKIPPED)], ids=["off", "on"])
def test_what_is_waited_for_is_kept_from_later_heads_kv_21(recomputes: bool, third: str) -> None:
    cluster = arena(recomputes=recomputes, low=3)
    cluster.member("d", "all", cpu=0).cpu("third", 1, queue="d", priority=-2)

    assert cluster.run()["third"] == third


def test_no_other_flavor_is_taken_than_the_nominated_one_kv_21() -> None:
    cluster = arena(recomputes=True, reclaim="LowerPriority", low=2, high=2)

    _, second = cluster.cycle.run(cluster.heads())

    assert isinstance(second, Requeue)
    assert second.reason is RequeueReason.PREEMPTION_NO_CANDIDATES
    skipped = "skipping flavor alpha as it is not found in the nomination mapping for resource cpu"
    assert second.message == f"{SHORT}2 more needed, {skipped}"
    assert second.cause is UnreservedReason.WAITING_FOR_QUOTA

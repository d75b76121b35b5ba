"""Golden vectors of flavor assignment that need a cohort,
a preemption or a preference (scheduling §17.4: G-F9…G-F12).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.queueing.heads import pop_heads
from reference_impl.kueue.queueing.last_assignment import LastAssignment
from reference_impl.kueue.scheduling.assignment import GranularMode, PreemptionMode
from reference_impl.kueue.scheduling.flavor_assigner import assign
from reference_impl.kueue.scheduling.flavor_fit import AssignmentContext

from .preemption.arenas import Arena, policies
from .queue_side import Cluster, group

BOTH = {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "TryNextFlavor"}
SPARING = {**BOTH, "preference": "PreemptionOverBorrowing"}
RECLAIMS = policies("LowerPriority", "Any")


def assign_flavors(cluster: Cluster, queue: str = "a", *, scan: LastAssignment | None = None) -> Any:
    """What the search for flavors makes of the head of a queue."""
    queue_manager = cluster.queue_manager
    head = next(
        popped
        for popped in pop_heads(
            queue_manager.queues, queue_manager.catalogue, queue_manager.ledger.cohort_trees
        )
        if popped.cluster_queue == queue
    )
    context = AssignmentContext(
        queue_manager.catalogue.cluster_queues[queue],
        queue_manager.ledger.cohort_trees.queues[queue],
        queue_manager.catalogue.flavors,
        cluster.preemptor,
        scan,
    )
    return assign(head.pending.workload, head.pending.requests, context, cluster.follows.scheduling)


def choice(assignment: Any) -> tuple[str, GranularMode]:
    only = assignment.pod_sets[0].flavors["cpu"]
    return only.flavor, only.granular_mode


def test_what_is_lent_is_reclaimed_within_the_nominal_quota_g_f9() -> None:
    arena = Arena().member("a", "all", RECLAIMS, cpu=5).member("b", "all", cpu=5).holds("lent", "b", cpu=6)

    assert choice(assign_flavors(arena.cpu("w", 5, queue="a"))) == (
        "default",
        GranularMode(PreemptionMode.RECLAIM, 0),
    )


PREFERENCES = {"mode first": (BOTH, "two"), "borrowing first": (SPARING, "one")}


def two_flavors(fungibility: Any, **usage: Any) -> Arena:
    """Of one everything is used in a; of two there is some to be borrowed of b."""
    arena = Arena().flavors("one", "two")
    arena.queue(
        "a",
        group("cpu", one=[2], two=[0]),
        cohortName="all",
        preemption=RECLAIMS,
        flavorFungibility=fungibility,
    )
    arena.queue("b", group("cpu", one=[0], two=[2]), cohortName="all")
    return arena.holds("held", "a", cpu_at_one=2, **usage).cpu("w", 2, queue="a")


@pytest.mark.parametrize(("fungibility", "expected"), PREFERENCES.values(), ids=PREFERENCES)
def test_preempting_or_borrowing_goes_first_as_is_preferred_g_f10(fungibility: Any, expected: str) -> None:
    assert choice(assign_flavors(two_flavors(fungibility, priority=-1)))[0] == expected


@pytest.mark.parametrize("fungibility", [BOTH, SPARING], ids=["mode first", "borrowing first"])
def test_what_fits_by_borrowing_goes_before_what_has_no_candidates_g_f11(fungibility: Any) -> None:
    assert choice(assign_flavors(two_flavors(fungibility))) == ("two", GranularMode(PreemptionMode.FIT, 1))


def test_a_search_that_stops_at_the_first_flavor_says_so_g_f12() -> None:
    cluster = Cluster().flavors("one", "two")
    cluster.queue("a", group("cpu", one=[0], two=[2]), cohortName="all")
    cluster.queue("b", group("cpu", one=[2], two=[0]), cohortName="all").cpu("w", 2, queue="a")
    first = assign_flavors(cluster)

    assert choice(first) == ("one", GranularMode(PreemptionMode.FIT, 1))
    assert first.last_tried_flavors == {("main", "cpu"): 0}


def test_after_the_last_flavor_nothing_is_left_g_f12() -> None:
    cluster = Cluster().flavors("one", "two")
    cluster.queue("a", group("cpu", one=[0], two=[2]), cohortName="all")
    cluster.queue("b", group("cpu", one=[2], two=[0]), cohortName="all").cpu("w", 2, queue="a")
    second = assign_flavors(cluster, scan=LastAssignment({("main", "cpu"): 0}, 0, 0, (0, frozenset())))

    assert choice(second) == ("two", GranularMode(PreemptionMode.FIT, 0))
    assert second.last_tried_flavors == {}

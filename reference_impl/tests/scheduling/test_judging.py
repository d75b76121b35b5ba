"""What becomes of an entry behind others of its cycle,
and what it keeps from those behind it (Q-226, Q-229, MT-003).
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.quota.resources import FlavorResource, Quota
from reference_impl.kueue.quota.tree import Node
from reference_impl.kueue.scheduling.assignment import Assignment, PreemptionMode
from reference_impl.kueue.scheduling.entry import (
    process_entry,
    reserve_free,
    usage_within_limits,
    whole_usage,
)

CPU = FlavorResource("default", "cpu")
CLAIMS = {
    "no more than is left of its own": (0, None, 3, 2, 1),
    "less than is left of its own": (0, None, 1, 2, 2),
    "of its own, though it could borrow": (0, 9, 3, 2, 1),
    "all, where it borrows": (1, None, 3, 2, 2),
    "up to what it may borrow": (1, 1, 3, 3, 2),
    "as far as it borrows does not matter": (2, 1, 3, 3, 2),
    "nothing, where more is used": (0, None, 5, 2, 0),
}


@pytest.mark.parametrize(("level", "limit", "used", "requested", "expected"), CLAIMS.values(), ids=CLAIMS)
def test_what_is_kept_of_4_cores_q_226(
    level: int, limit: int | None, used: int, requested: int, expected: int
) -> None:
    node = Node("cq", is_queue=True)
    node.quotas, node.usage = {CPU: Quota(4, limit)}, {CPU: used}
    entry: Any = SimpleNamespace(assignment=SimpleNamespace(borrowing_level=level, usage={CPU: requested}))

    assert usage_within_limits(entry, node) == {CPU: expected}
    assert whole_usage(entry, node) == {CPU: requested}


def test_what_was_given_nothing_does_not_borrow() -> None:
    assert Assignment(()).borrowing_level == 0


def queue(used: int = 0) -> Node:
    """Return a ClusterQueue of 5 CPU without a cohort."""
    entry = Node("cq", is_queue=True)
    entry.quotas, entry.usage = {CPU: Quota(5)}, {CPU: used}
    return entry


def entry(mode: PreemptionMode, *targets: str, reclaim: str = "Never") -> Any:
    """Return an entry that wants 5 CPU and does not borrow."""
    assignment = SimpleNamespace(mode=mode, borrowing_level=0, usage={CPU: 5}, message="why")
    spec = SimpleNamespace(preemption=SimpleNamespace(reclaim_within_cohort=reclaim))
    viable = mode is PreemptionMode.FIT or bool(targets)
    return SimpleNamespace(
        head=None,
        assignment=assignment,
        spec=spec,
        targets=targets,
        is_viable=viable,
        is_deferred=False,
        last_assignment=lambda _: None,
    )


def booking(*, overlaps: bool = False, fits: bool = True) -> Any:
    """Return a cycle in which others took what this entry needs, or left it."""
    return SimpleNamespace(overlaps_targets=lambda _: overlaps, fits_without_targets=lambda *_: fits)


SKIPPED = {
    "its victims are another's": (entry(PreemptionMode.PREEMPT, "v"), booking(overlaps=True), True),
    "its victims do not suffice any more": (entry(PreemptionMode.PREEMPT, "v"), booking(fits=False), True),
    "it wanted no victims": (entry(PreemptionMode.FIT), booking(fits=False), False),
}


@pytest.mark.parametrize(("entry", "cycle", "skipped"), SKIPPED.values(), ids=SKIPPED)
def test_a_preemption_is_skipped_where_others_of_the_cycle_prevent_it_mt_003(
    entry: Any, cycle: Any, skipped: bool
) -> None:
    verdict: Any = process_entry(entry, queue(), cycle)

    assert (verdict.reason, verdict.is_preemption_skipped) == (RequeueReason.FAILED_AFTER_NOMINATION, skipped)


@pytest.mark.parametrize(
    ("reclaim", "expected"), [("Any", {}), ("LowerPriority", {CPU: 3}), ("Never", {CPU: 3})]
)
def test_nothing_is_kept_free_for_a_queue_that_may_reclaim_from_all_q_226(
    reclaim: str, expected: Any
) -> None:
    assert reserve_free(entry(PreemptionMode.PREEMPT, reclaim=reclaim), queue(used=2)) == expected

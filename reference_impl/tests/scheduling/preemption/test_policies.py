"""Which candidates each policy allows (Q-250, Q-251, Q-257)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.quota.cluster_queue import PreemptionPolicies
from reference_impl.kueue.scheduling.preemption.candidates import POLICIES, may_borrow_over

from ..queue_side import SENT_BACK
from .arenas import Arena

ALLOWED = {
    "Never": set(),
    "Any": {"lower", "older", "as-old", "newer", "higher"},
    "LowerPriority": {"lower"},
    "LowerOrNewerEqualPriority": {"lower", "newer"},
}


def make_arena() -> Arena:
    """Workloads of every standing towards one of priority 1 that was created at second 5."""
    arena = Arena().member("cq", cpu=9).workload("new", queue="cq", priority=1, created=5)
    for name, priority, created in (
        ("lower", 0, 0),
        ("older", 1, 4),
        ("as-old", 1, 5),
        ("newer", 1, 6),
        ("higher", 2, 9),
    ):
        arena.holds(name, "cq", priority, created=created, cpu=1)
    return arena


@pytest.mark.parametrize(("policy", "expected"), ALLOWED.items(), ids=ALLOWED)
def test_a_policy_allows_by_priority_and_age_q_250_q_251(policy: str, expected: set[str]) -> None:
    arena = make_arena()
    new, holders = arena.objects["ns/new"], arena.queue_manager.ledger.holders("cq")

    assert {
        holder.workload.name for holder in holders if POLICIES[policy](new, holder, SENT_BACK)
    } == expected


BORROWING = {
    "without a threshold": ("LowerPriority", None, {"lower"}),
    "at the threshold": ("LowerPriority", 0, {"lower"}),
    "above the threshold": ("LowerPriority", -1, set()),
    "a threshold above the preemptor": ("LowerPriority", 9, {"lower"}),
    "never": ("Never", None, set()),
}


@pytest.mark.parametrize(("policy", "threshold", "expected"), BORROWING.values(), ids=BORROWING)
def test_while_it_borrows_it_takes_what_is_lower_and_not_above_the_threshold_q_257(
    policy: str, threshold: int | None, expected: set[str]
) -> None:
    arena = make_arena()
    new, holders = arena.objects["ns/new"], arena.queue_manager.ledger.holders("cq")
    policies = PreemptionPolicies(borrow_within_cohort=policy, max_priority_threshold=threshold)

    assert {holder.workload.name for holder in holders if may_borrow_over(new, holder, policies)} == expected

"""Which candidates each policy allows (Q-250, Q-251, Q-257)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.quota.cluster_queue import Preemption
from reference_impl.kueue.scheduling.preemption.candidates import POLICIES, may_borrow_over

from ..queue_side import SENT_BACK
from .arenas import Arena

ALLOWED = {
    "Never": set(),
    "Any": {"lower", "older", "as-old", "newer", "higher"},
    "LowerPriority": {"lower"},
    "LowerOrNewerEqualPriority": {"lower", "newer"},
}


def held() -> Arena:
    """Workloads of every standing towards one of priority 1 that was created at second 5."""
    found = Arena().member("cq", cpu=9).workload("new", queue="cq", priority=1, created=5)
    for name, priority, created in (
        ("lower", 0, 0),
        ("older", 1, 4),
        ("as-old", 1, 5),
        ("newer", 1, 6),
        ("higher", 2, 9),
    ):
        found.holds(name, "cq", priority, created=created, cpu=1)
    return found


@pytest.mark.parametrize(("policy", "expected"), ALLOWED.items(), ids=ALLOWED)
def test_a_policy_allows_by_priority_and_age_q_250_q_251(policy: str, expected: set[str]) -> None:
    found = held()
    new, holders = found.objects["ns/new"], found.queue_manager.ledger.holders("cq")

    assert {each.workload.name for each in holders if POLICIES[policy](new, each, SENT_BACK)} == expected


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
    found = held()
    new, holders = found.objects["ns/new"], found.queue_manager.ledger.holders("cq")
    policies = Preemption(borrow_within_cohort=policy, max_priority_threshold=threshold)

    assert {each.workload.name for each in holders if may_borrow_over(new, each, policies)} == expected

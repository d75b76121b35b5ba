"""A back-off that kept a reservation because the Retry was withdrawn, without the defect (C-24, fixed)."""

from __future__ import annotations

import pytest

from reference_impl.api import instants
from reference_impl.kueue.workload.activity import backoff_over_or_withdrawn
from reference_impl.kueue.workload.decision import ApplyStatus
from reference_impl.kueue.workload.transitions import V0_19

from .objects import NOW, RESERVED, check, workload, world

CASES = {
    "over": (-1, "Ready", True),
    "over now": (0, "Ready", True),
    "not over": (1, "Ready", False),
    "over, and Retry again": (-1, "Retry", False),
}


@pytest.mark.parametrize(("ahead", "state", "forgotten"), CASES.values(), ids=CASES)
def test_a_withdrawn_backoff_is_forgotten_when_it_is_over(ahead: int, state: str, forgotten: bool) -> None:
    backoff = {"count": 1, "requeueAt": instants.render(NOW + ahead)}
    subject = workload(RESERVED, checks=[check("a", state)], requeueState=backoff)

    decision = backoff_over_or_withdrawn(subject, world("a"), NOW, V0_19)

    assert (decision is not None) == forgotten
    if decision is not None:
        assert isinstance(decision.write, ApplyStatus)
        assert "requeueAt" not in decision.write.status.get("requeueState", {})

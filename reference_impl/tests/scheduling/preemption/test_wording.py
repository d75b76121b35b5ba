"""How releases put a preemption (M-060, Q-512)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.scheduling.preemption.targets import PreemptionReason, PreemptionTarget
from reference_impl.kueue.scheduling.preemption.wording import V0_6, V0_9, PreemptionPair

from .arenas import Arena


def pair(reason: PreemptionReason) -> Any:
    arena = Arena().member("cq", cpu=9).holds("held", "cq", cpu=1).workload("new", queue="cq")
    (holding,) = arena.queue_manager.ledger.holders("cq")
    return PreemptionPair(arena.objects["ns/new"], None, PreemptionTarget(holding, reason), None)


WHY = {
    PreemptionReason.IN_CLUSTER_QUEUE: ("prioritization in the ClusterQueue", "ClusterQueue"),
    PreemptionReason.RECLAMATION: ("reclamation within the cohort", "cohort"),
    PreemptionReason.WHILE_BORROWING: ("reclamation within the cohort while borrowing", "cohort"),
    PreemptionReason.FAIR_SHARING: ("Fair Sharing within the cohort", "cohort"),
}


@pytest.mark.parametrize(("reason", "why", "scope"), [(key, *value) for key, value in WHY.items()])
def test_each_reason_has_its_words_m_060_q_512(reason: PreemptionReason, why: str, scope: str) -> None:
    meeting = pair(reason)

    assert V0_9.message(meeting).endswith(f") due to {why}")
    assert V0_6.victim_note(meeting) == f"Preempted by another workload in the {scope}"

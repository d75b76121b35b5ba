"""Evicting a Workload for another one: the condition `Preempted` beside the eviction (Q-291, AC-300)."""

from __future__ import annotations

from . import conditions as c
from .conditions import Condition
from .decision import Decision
from .draft import StatusDraft
from .rules import Eviction, WorkloadRules
from .view import Workload


def preempt(
    victim: Workload, reason: str, message: str, rules: WorkloadRules, current_time: float, *, condition: bool
) -> Decision:
    """Evict a victim in one write; `condition` says whether
    it is marked `Preempted` as well, without a generation.
    """
    draft = StatusDraft.of(victim, current_time)
    if condition:
        preempted = Condition(c.PREEMPTED, True, reason, message)
        draft = draft.put("conditions", c.put(draft.conditions, preempted, None, current_time))
    return rules.evict(victim, draft, Eviction("Preempted", message), rules)

"""The order of candidates for preemption (Q-262, Q-263)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.scheduling.preemption.candidates import (
    Candidate,
    Candidates,
    PreemptionVariant,
    by_rank,
    order,
)
from reference_impl.kueue.scheduling.preemption.classical import is_evicted

from .arenas import Arena

USED = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 3.0}


def make_holders(*names: str, evicted: str = "") -> list[Candidate]:
    """Workloads of which each is more important than those before it."""
    arena = Arena().member("cq", cpu=9)
    for priority, name in enumerate(names):
        arena.holds(name, "cq", priority, cpu=1, evicted=name == evicted)
    node, holders = (
        arena.queue_manager.ledger.cohort_trees.queues["cq"],
        arena.queue_manager.ledger.holders("cq"),
    )
    return [Candidate(holder, node, PreemptionVariant.WITHIN_QUEUE) for holder in holders]


def used(holding: Any) -> float:
    return USED[holding.workload.name]


def names(candidates: list[Candidate]) -> str:
    return "".join(candidate.holding.workload.name for candidate in candidates)


def test_what_used_more_goes_first_then_what_is_less_important_q_262() -> None:
    candidates = make_holders("a", "b", "c", "d")

    assert names(by_rank(candidates[::-1])) == "abcd"
    assert names(by_rank(candidates[::-1], used)) == "bdca"


@pytest.mark.parametrize(("evicted", "expected"), [("", "abdc"), ("a", "abdc"), ("c", "cabd"), ("d", "dabc")])
def test_what_leaves_anyway_goes_before_all_kinds_and_usage_counts_in_the_own_queue_q_262_q_263(
    evicted: str, expected: str
) -> None:
    a, b, c, d = make_holders("a", "b", "c", "d", evicted=evicted)

    assert names(order(Candidates([c, d], [a], [b]), is_evicted, used)) == expected

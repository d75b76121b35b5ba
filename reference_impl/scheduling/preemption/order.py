"""In which order candidates are tried (Q-262, Q-263)."""

from __future__ import annotations

from collections.abc import Callable

from ...quota.ledger import Holding
from .candidates import Candidate, Candidates

Leaving = Callable[[Holding], bool]
Used = Callable[[Holding], float]
"""Returns what the LocalQueue of a holding has used, 0 where that decides nothing."""


def unused(_holding: Holding) -> float:
    """Let usage decide nothing."""
    return 0.0


def ordered(candidates: Candidates, leaving: Leaving, used: Used = unused) -> list[Candidate]:
    """List those that are on their way out first; then by hierarchical advantage, by priority, of the own queue.

    In the own queue those of LocalQueues that have used more go first; those of several queues are not compared by that.
    """
    own = sorted(candidates.own, key=lambda each: (-used(each.holding), each.holding.rank))
    gone: list[Candidate] = []
    staying: list[Candidate] = []
    for in_order in (
        *(sorted(kind, key=_rank) for kind in (candidates.hierarchical, candidates.by_priority)),
        own,
    ):
        gone += (each for each in in_order if leaving(each.holding))
        staying += (each for each in in_order if not leaving(each.holding))
    return [*gone, *staying]


def _rank(candidate: Candidate) -> tuple[int, float, str]:
    return candidate.holding.rank

"""In which order candidates are tried (Q-262, Q-263)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

from ...quota.usage_cache import Holding
from .candidates import Candidate, Candidates

Leaving = Callable[[Holding], bool]
Used = Callable[[Holding], float]
"""Returns what the LocalQueue of a holding has used, 0 where that decides nothing."""


_RANK = attrgetter("holding.rank")


def ignore_usage(_holding: Holding) -> float:
    """Let usage decide nothing."""
    return 0.0


def order(candidates: Candidates, leaving: Leaving, used: Used = ignore_usage) -> list[Candidate]:
    """List those that are on their way out first;
    then by hierarchical advantage, by priority, of the own queue.

    In the own queue those of LocalQueues that have used more go first; those of several queues are not
    compared by that.
    """
    in_order = by_rank(candidates.hierarchical)
    in_order += by_rank(candidates.by_priority)
    in_order += by_rank(candidates.own, used)
    # Stable: within both halves the order stays as it was built.
    in_order.sort(key=lambda candidate: not leaving(candidate.holding))
    return in_order


def by_rank(candidates: Iterable[Candidate], used: Used = ignore_usage) -> list[Candidate]:
    """Sort by what was used, then by rank; those of one queue
    come in order of their ranks, which costs next to nothing.
    """
    sorted_candidates = sorted(candidates, key=_RANK)
    if used is not ignore_usage:
        sorted_candidates.sort(key=lambda candidate: -used(candidate.holding))
    return sorted_candidates

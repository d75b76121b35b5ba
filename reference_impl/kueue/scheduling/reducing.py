"""Partial admission: the largest number of pods with which a Workload gets in (Q-185…Q-187)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...api.resource import Json

T = TypeVar("T")
Counts = tuple[int, ...]


def is_reducible(pod_sets: Sequence[Json]) -> bool:
    """Tell whether some pod set may run with fewer pods (Q-087)."""
    return any(_slack(pod_set) > 0 for pod_set in pod_sets)


def find_largest_counts(pod_sets: Sequence[Json], attempt: Callable[[Counts], T | None]) -> T | None:
    """Find the smallest reduction of reducible pod sets that `attempt` accepts,
    by bisection; None when none does (Q-186).
    """
    full = [int(pod_set["count"]) for pod_set in pod_sets]
    slack = [_slack(pod_set) for pod_set in pod_sets]
    total = sum(slack)
    # Kueue uses sort.Search: bisection, although the outcome need not be monotonic. The
    # same probes give the same result.
    low, high, best = 0, total, None
    while low <= high:
        step = (low + high) // 2
        # Integer division in this order, as Go does it: cut pods first from where most
        # can go.
        cuts = [amount * step // total for amount in slack]
        result = attempt(tuple(n - cut for n, cut in zip(full, cuts, strict=True)))
        if result is None:
            low = step + 1
        else:
            best, high = result, step - 1
    return best


def _slack(pod_set: Json) -> int:
    least = pod_set.get("minCount")
    return 0 if least is None else int(pod_set["count"]) - int(least)

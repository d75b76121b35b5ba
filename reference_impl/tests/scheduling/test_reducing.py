"""Partial admission looks for the smallest reduction that gets in (Q-186)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.scheduling.reducing import Counts, find_largest_counts, is_reducible

POD_SETS = {
    "one": [{"count": 9, "minCount": 0}],
    "with a least number": [{"count": 9, "minCount": 4}],
    "one may shrink": [{"count": 3}, {"count": 4, "minCount": 1}],
    "both may": [{"count": 6, "minCount": 1}, {"count": 4, "minCount": 1}],
}


def steps(pod_sets: list[dict[str, int]]) -> list[Counts]:
    """Every number of pods, from all of them down to the least, each pod set giving up its share (Q-186)."""
    slack = [pod_set["count"] - pod_set.get("minCount", pod_set["count"]) for pod_set in pod_sets]
    return [
        tuple(
            pod_set["count"] - spare * step // sum(slack)
            for pod_set, spare in zip(pod_sets, slack, strict=True)
        )
        for step in range(sum(slack) + 1)
    ]


@pytest.mark.parametrize("pod_sets", POD_SETS.values(), ids=POD_SETS)
def test_most_pods_that_get_in_are_found_whatever_there_is_room_for_q_186(
    pod_sets: list[dict[str, int]],
) -> None:
    reductions = steps(pod_sets)

    for limit in range(sum(reductions[0]) + 3):
        largest = find_largest_counts(
            pod_sets, lambda counts, limit=limit: counts if sum(counts) <= limit else None
        )
        assert largest == next((pod_set for pod_set in reductions if sum(pod_set) <= limit), None)


def test_half_of_what_is_left_is_ruled_out_by_each_try_q_186() -> None:
    tried: list[Counts] = []

    assert find_largest_counts([{"count": 1000, "minCount": 0}], tried.append) is None
    assert (tried[0], len(tried)) == ((500,), 10)


@pytest.mark.parametrize(
    ("least", "reducible"), [(None, False), (5, False), (4, True)], ids=["no least", "all", "fewer"]
)
def test_pods_may_be_fewer_only_with_a_smaller_least_number_q_087(least: int | None, reducible: bool) -> None:
    assert is_reducible([{"count": 5, "minCount": least}]) is reducible

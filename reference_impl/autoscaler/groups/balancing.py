"""Similar groups share an increase (PR-349, PR-350)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..cloud import NodeGroup
from ..flags import Flags
from ..simulation.node import HOSTNAME, NodeShape

MEMORY: Final = "memory"
IGNORED_LABELS: Final = frozenset(
    {
        HOSTNAME,
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region",
        "beta.kubernetes.io/fluentd-ds-ready",
        "kops.k8s.io/instancegroup",
    }
)


def are_similar(first: NodeShape, other: NodeShape, flags: Flags) -> bool:
    """Tell whether nodes of two groups are the same to a pod: resources, memory nearly, and labels but those
    of the place. Labels that a flag names are compared alone.
    """
    if flags.balancing_label:
        return all(
            label in first.labels and first.labels[label] == other.labels.get(label)
            for label in flags.balancing_label
        )
    left_out = IGNORED_LABELS.union(flags.balancing_ignore_label)
    return (
        _same_capacity(first.capacity, other.capacity, flags.memory_difference_ratio)
        and _near_amounts(first.allocatable, other.allocatable, flags.max_allocatable_difference_ratio)
        and _labels(first, left_out) == _labels(other, left_out)
    )


def balance(nodes: int, groups: Sequence[NodeGroup]) -> Mapping[str, int]:
    """Return the new target of each group when `nodes` are added one by one where there are fewest; those at
    their maximum take none.
    """
    targets = {group.id: group.target for group in groups}
    for _ in range(nodes):
        open_ones = [group for group in groups if targets[group.id] < group.max]
        if not open_ones:
            break
        # One by one to the smallest, as the real one does; the id makes it the same in
        # every run.
        least = min(open_ones, key=lambda group: (targets[group.id], group.target, group.id))
        targets[least.id] += 1
    return {group.id: targets[group.id] for group in groups if targets[group.id] > group.target}


def _same_capacity(first: Mapping[str, int], other: Mapping[str, int], ratio: float) -> bool:
    if first.keys() != other.keys():
        return False
    return all(
        # Machines of one type differ a little in memory: exact equality would call
        # nothing similar.
        _is_near(value, other[name], ratio) if name == MEMORY else value == other[name]
        for name, value in first.items()
    )


def _near_amounts(first: Mapping[str, int], other: Mapping[str, int], ratio: float) -> bool:
    return first.keys() == other.keys() and all(
        _is_near(value, other[name], ratio) for name, value in first.items()
    )


def _is_near(first: int, other: int, ratio: float) -> bool:
    return abs(first - other) <= ratio * max(first, other)


def _labels(shape: NodeShape, left_out: frozenset[str]) -> Mapping[str, str]:
    return {key: value for key, value in shape.labels.items() if key not in left_out}

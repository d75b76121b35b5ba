"""How many replicas each ReplicaSet of a Deployment should have now: rolling updates, and scaling in the
middle of one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...base.json_types import Json
from .replica_sets import MAX_REPLICAS, age, number, replicas

Sized = tuple[Json, int]


def is_rolling(deployment: Json) -> bool:
    """Tell whether pods are replaced a few at a time."""
    return bool(deployment["spec"].get("strategy", {}).get("type", "RollingUpdate") == "RollingUpdate")


def surge(deployment: Json) -> int:
    """Return how many pods more than wanted there may be."""
    return _fenceposts(deployment)[0] if is_rolling(deployment) else 0


def unavailable(deployment: Json) -> int:
    """Return how many pods less than wanted may be available."""
    desired = replicas(deployment)
    # With no replicas at all nothing may be missing.
    return min(_fenceposts(deployment)[1], desired) if is_rolling(deployment) and desired else 0


def of_new(deployment: Json, new: Json, every: Sequence[Json]) -> int:
    """Return the size of the ReplicaSet of the present template; `every` are all of them, with this one."""
    desired = replicas(deployment)
    # Recreate knows no surge; a set that was scaled down shrinks at once.
    if not is_rolling(deployment) or replicas(new) > desired:
        return desired
    allowance = desired + surge(deployment) - sum(map(replicas, every))
    return replicas(new) + max(0, min(allowance, desired - replicas(new)))


def of_old(deployment: Json, new: Json, old: Sequence[Json]) -> list[Sized]:
    """Return the sizes of older ReplicaSets that change: pods that are not available go first, and as many
    others as may be missing.
    """
    active = sorted(filter(replicas, old), key=age)
    least = replicas(deployment) - unavailable(deployment)
    # Pods of the new one that are not available yet count as taken, lest too many old ones go.
    spare = sum(map(replicas, (*active, new))) - least - (replicas(new) - _available(new))
    if not active or spare <= 0:
        return []
    healthy, is_current = _without_unavailable(active, spare)
    if not is_current:
        return [(replica_set, size) for replica_set, size in healthy if size != replicas(replica_set)]
    # Counted anew: unavailable pods that went have not made anything less available.
    spare = sum(map(_available, (*active, new))) - least
    sizes = []
    for replica_set, size in healthy:
        gone = max(0, min(spare, size))
        spare -= gone
        sizes.append((replica_set, size - gone))
    return [(replica_set, size) for replica_set, size in sizes if size != replicas(replica_set)]


def _without_unavailable(active: Sequence[Json], spare: int) -> tuple[list[Sized], bool]:
    """Return the sizes without so many pods that are not available, and whether
    every status that was looked at is of the present size: of a ReplicaSet that
    was scaled down a moment ago more pods are available than it has.
    """
    sizes: list[Sized] = []
    for replica_set in active:
        unhealthy = replicas(replica_set) - _available(replica_set)
        if spare > 0 and unhealthy < 0:
            return sizes, False
        gone = min(spare, unhealthy)
        spare -= gone
        sizes.append((replica_set, replicas(replica_set) - gone))
    return sizes, True


def scale(deployment: Json, active: Sequence[Json]) -> list[Sized]:
    """Return the sizes when a Deployment was scaled in the
    middle of a rollout: each ReplicaSet gets its share.
    """
    desired = replicas(deployment)
    allowed = desired + surge(deployment) if desired else 0
    difference = allowed - sum(map(replicas, active))
    # The remainder goes to the largest; of equal ones to the newest when growing, to the oldest when
    # shrinking.
    newest_first = sorted(active, key=age, reverse=difference > 0)
    ordered = sorted(newest_first, key=replicas, reverse=True)
    added, sizes = 0, []
    for replica_set in ordered:
        share = _share(deployment, replica_set, difference, added)
        added += share
        sizes.append((replica_set, replicas(replica_set) + share))
    if sizes and difference:
        # What rounding left over goes to the first, which is the largest.
        first, size = sizes[0]
        sizes[0] = first, max(0, size + difference - added)
    return sizes


def _share(deployment: Json, replica_set: Json, difference: int, added: int) -> int:
    if not replicas(replica_set) or added == difference:
        return 0
    desired = replicas(deployment)
    if not desired:
        share = -replicas(replica_set)
    else:
        # The size for which the ReplicaSet was last scaled, else what the Deployment's status says.
        most = number(replica_set, MAX_REPLICAS) or deployment.get("status", {}).get("replicas", 0)
        if not most:
            return 0
        share = _round(replicas(replica_set) * (desired + surge(deployment)) / most) - replicas(replica_set)
    remainder = difference - added
    return min(share, remainder) if difference > 0 else max(share, remainder)


def _round(value: float) -> int:
    """Round halves away from zero, as Go does."""
    # Python's round takes halves to the even neighbour.
    return math.floor(value + 0.5)


def _fenceposts(deployment: Json) -> tuple[int, int]:
    """Return surge and unavailability as numbers; both 0 would let nothing happen."""
    rolling = deployment["spec"].get("strategy", {}).get("rollingUpdate") or {}
    desired = replicas(deployment)
    surge_pods = _amount(rolling.get("maxSurge", 0), desired, math.ceil)
    less = _amount(rolling.get("maxUnavailable", 0), desired, math.floor)
    # The API refuses two zeros, but a percentage for maxUnavailable can be rounded down to 0 beside a
    # maxSurge of 0.
    return (surge_pods, less) if surge_pods or less else (0, 1)


def _amount(value: Json, total: int, rounding: Any) -> int:
    return int(rounding(int(value[:-1]) * total / 100)) if isinstance(value, str) else int(value)


def _available(replica_set: Json) -> int:
    return int(replica_set.get("status", {}).get("availableReplicas", 0))

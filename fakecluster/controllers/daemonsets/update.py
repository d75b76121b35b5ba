"""The rolling update of a DaemonSet: old pods go first, or new ones come beside them, node by node in the
order of their names.
"""

from __future__ import annotations

import math

from msgspec import Struct

from ...base.json_types import Json
from ..pod_state import is_deleted
from .plan import DaemonSetState, PodChanges


class PodPair(Struct, frozen=True):
    """The pod of the present template on a node and the one of an older template,
    None where there is none.
    """

    new: Json | None
    old: Json | None


def surge(daemon_set: Json, number: int) -> int:
    """Return on how many of some nodes two pods may run."""
    return _amount(daemon_set, "maxSurge", number)


def rolling_update(view: DaemonSetState) -> PodChanges:
    """Return the pods to replace now."""
    number = sum(placement.runs for placement in view.placements.values())
    unavailable, surging = _amount(view.daemon_set, "maxUnavailable", number), surge(view.daemon_set, number)
    if not surging:
        return _replace(view, unavailable or min(number, 1))
    return _surge(view, surging, number)


def _amount(daemon_set: Json, name: str, number: int) -> int:
    """Return a number of nodes, of which a share is rounded up."""
    strategy = daemon_set["spec"].get("updateStrategy") or {}
    if strategy.get("type") != "RollingUpdate":
        return 0
    value = (strategy.get("rollingUpdate") or {}).get(name) or 0
    return math.ceil(int(value[:-1]) * number / 100) if isinstance(value, str) else int(value)


def _pairs(view: DaemonSetState) -> list[tuple[str, PodPair | None]]:
    """Return the pods of every node that has or needs some; None where there are several of a kind."""
    needing = {node for node, placement in view.placements.items() if placement.runs}
    return [(node, _pair(view, view.pods.get(node, []))) for node in sorted({*view.pods, *needing})]


def _pair(view: DaemonSetState, pods: list[Json]) -> PodPair | None:
    staying = [pod for pod in pods if not is_deleted(pod)]
    new = [pod for pod in staying if view.is_updated(pod)]
    old = [pod for pod in staying if not view.is_updated(pod)]
    if len(new) > 1 or len(old) > 1:
        return None
    return PodPair(next(iter(new), None), next(iter(old), None))


def _replace(view: DaemonSetState, most: int) -> PodChanges:
    """Delete old pods: those that are not available, and others as long as not too many nodes have none."""
    unavailable, replaced, candidates = 0, [], []
    for _, pair in _pairs(view):
        if pair is None or (pair.new is None) == (pair.old is None):
            unavailable += 1
        elif pair.new is not None:
            unavailable += not view.is_available(pair.new)
        elif not view.is_available(pair.old):
            replaced.append(pair.old)
            unavailable += 1
        elif unavailable < most:
            candidates.append(pair.old)
    return PodChanges(delete=(*replaced, *candidates[: max(0, most - unavailable)]))


def _surge(view: DaemonSetState, most: int, desired: int) -> PodChanges:
    """Create new pods beside old ones, which go when the new ones are available."""
    surging, available = 0, 0
    outdated: list[Json] = []
    strays: list[Json] = []
    replaced: list[str] = []
    candidates: list[str] = []
    for node, pair in _pairs(view):
        if pair is None:
            surging += 1
            continue
        first = pair.old or pair.new
        available += first is not None and view.is_available(first)
        if pair.old is None:
            continue
        placement = view.placements.get(node)
        runs = placement is not None and placement.runs
        if pair.new is not None and view.is_available(pair.new):
            outdated.append(pair.old)
        elif pair.new is not None:
            surging += 1
        elif not view.is_available(pair.old):
            (replaced.append(node) if runs else outdated.append(pair.old))
        elif not runs:
            strays.append(pair.old)
        elif surging < most:
            candidates.append(node)
    outdated += strays[: max(0, available - desired)]
    return PodChanges((*replaced, *candidates[: max(0, most - surging)]), tuple(outdated))

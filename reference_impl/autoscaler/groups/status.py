"""How the cluster and its groups are, as the status ConfigMap says it: counts, health, growth, nodes that
could go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl import instants
from reference_impl.api.resource import Json

from ..cloud import NodeGroup
from ..cluster_state import ClusterState, Member
from ..flags import Flags
from .backoff import Cause
from .health import is_cluster_healthy, is_group_healthy

INITIALIZING: Final = {"autoscalerStatus": "Initializing"}
_HEALTH: Final = {True: "Healthy", False: "Unhealthy"}
_SCALE_DOWN: Final = {True: "CandidatesPresent", False: "NoCandidates"}


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a status is made of."""

    cluster: ClusterState
    flags: Flags
    now: float
    awaited: Callable[[str], int]
    growing: Callable[[str], bool]
    backed_off: Callable[[str], Cause | None]
    overdue: Callable[[NodeGroup], int]
    """How many machines of a group are without a Node for too long."""
    unneeded: Sequence[str]
    """The nodes that could go, as scale-down saw them."""
    unneeded_seen: float
    """When it did; before it ever has, minus infinity."""


def status_of(seen: Seen, before: Json) -> Json:
    """Return the status; a part that says what it said before keeps its time of transition."""
    known = {each["name"]: each for each in before.get("nodeGroups") or ()}
    groups = [_group(group, seen, known.get(group.id, {})) for group in seen.cluster.groups]
    growing = any(each["scaleUp"]["status"] == "InProgress" for each in groups)
    counts = _counts(seen.cluster.members, seen.cluster.groups, seen)
    told: dict[str, Json] = {
        "health": _told(_HEALTH[is_cluster_healthy(seen.cluster, seen.flags)], seen.now, nodeCounts=counts),
        "scaleUp": _told("InProgress" if growing else "NoActivity", seen.now),
        "scaleDown": _scale_down(len(seen.unneeded), seen),
    }
    whole = _since(told, before.get("clusterWide") or {})
    return {"autoscalerStatus": "Running", "clusterWide": whole, **({"nodeGroups": groups} if groups else {})}


def _group(group: NodeGroup, seen: Seen, before: Json) -> Json:
    members = seen.cluster.by_group.get(group.id, ())
    names = {each.name for each in members}
    healthy = is_group_healthy(seen.cluster, group, seen.awaited(group.id), seen.flags)
    told: dict[str, Json] = {
        "health": _told(
            _HEALTH[healthy],
            seen.now,
            nodeCounts=_counts(members, (group,), seen),
            cloudProviderTarget=group.target,
            minSize=group.min,
            maxSize=group.max,
        ),
        "scaleUp": _scale_up(group, seen, healthy=healthy),
        "scaleDown": _scale_down(len(names.intersection(seen.unneeded)), seen),
    }
    return {"name": group.id, **_since(told, before)}


def _scale_up(group: NodeGroup, seen: Seen, *, healthy: bool) -> Json:
    cause = seen.backed_off(group.id)
    info: Json = {}
    if seen.growing(group.id):
        status = "InProgress"
    elif not healthy:
        status = "Unhealthy"
    elif cause is not None:
        status = "Backoff"
        info = {"errorCode": cause.code, "errorMessage": cause.message}
    else:
        status = "NoActivity"
    return _told(status, seen.now, backoffInfo=info)


def _scale_down(candidates: int, seen: Seen) -> Json:
    found = {"candidates": candidates} if candidates else {}
    return _told(_SCALE_DOWN[candidates > 0], seen.unneeded_seen, **found)


def _counts(members: Sequence[Member], groups: Sequence[NodeGroup], seen: Seen) -> Json:
    by_readiness = Counter(each.readiness for each in members)
    overdue = sum(map(seen.overdue, groups))
    unregistered = sum(len(seen.cluster.unregistered(group)) for group in groups) - overdue
    return {
        "registered": {
            "total": len(members),
            "ready": by_readiness["ready"],
            "notStarted": by_readiness["starting"],
            "suspended": 0,
            "unready": {"total": by_readiness["unready"], "resourceUnready": 0},
        },
        "longUnregistered": overdue,
        "unregistered": unregistered,
    }


def _told(status: str, probed: float, **more: Json) -> Json:
    time = None if probed == float("-inf") else instants.render(probed)
    return {"status": status, "lastProbeTime": time, "lastTransitionTime": time, **more}


def _since(told: Mapping[str, Json], before: Mapping[str, Json]) -> Json:
    """Keep the time of the last change of each part of the status."""
    return {
        part: {**now, "lastTransitionTime": before[part]["lastTransitionTime"]}
        if part in before and before[part]["status"] == now["status"]
        else now
        for part, now in told.items()
    }

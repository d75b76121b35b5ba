"""How the cluster and its groups are, as the status ConfigMap says it:
counts, health, growth, nodes that could go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api import instants
from reference_impl.api.resource import Json

from ..cloud import NodeGroup
from ..cluster_state import ClusterState, GroupNode
from ..flags import Flags
from .backoff import BackoffErrorInfo
from .health import is_cluster_healthy, is_group_healthy

INITIALIZING: Final = {"autoscalerStatus": "Initializing"}
_HEALTH: Final = {True: "Healthy", False: "Unhealthy"}
_SCALE_DOWN: Final = {True: "CandidatesPresent", False: "NoCandidates"}


@dataclass(frozen=True, kw_only=True)
class StatusInput:
    """What a status is made of."""

    cluster: ClusterState
    flags: Flags
    current_time: float
    awaited: Callable[[str], int]
    growing: Callable[[str], bool]
    backed_off: Callable[[str], BackoffErrorInfo | None]
    overdue: Callable[[NodeGroup], int]
    """How many machines of a group are without a Node for too long."""
    unneeded: Sequence[str]
    """The nodes that could go, as scale-down saw them."""
    unneeded_seen: float
    """When it did; before it ever has, minus infinity."""


def status_of(observed: StatusInput, before: Json) -> Json:
    """Return the status; a part that says what it said before keeps its time of transition."""
    node_groups = {node_group["name"]: node_group for node_group in before.get("nodeGroups") or ()}
    groups = [_group(group, observed, node_groups.get(group.id, {})) for group in observed.cluster.groups]
    growing = any(group_status["scaleUp"]["status"] == "InProgress" for group_status in groups)
    counts = _counts(observed.cluster.members, observed.cluster.groups, observed)
    status: dict[str, Json] = {
        "health": _status(
            _HEALTH[is_cluster_healthy(observed.cluster, observed.flags)],
            observed.current_time,
            nodeCounts=counts,
        ),
        "scaleUp": _status("InProgress" if growing else "NoActivity", observed.current_time),
        "scaleDown": _scale_down(len(observed.unneeded), observed),
    }
    cluster_wide = _since(status, before.get("clusterWide") or {})
    return {
        "autoscalerStatus": "Running",
        "clusterWide": cluster_wide,
        **({"nodeGroups": groups} if groups else {}),
    }


def _group(group: NodeGroup, observed: StatusInput, before: Json) -> Json:
    members = observed.cluster.by_group.get(group.id, ())
    names = {member.name for member in members}
    healthy = is_group_healthy(observed.cluster, group, observed.awaited(group.id), observed.flags)
    status: dict[str, Json] = {
        "health": _status(
            _HEALTH[healthy],
            observed.current_time,
            nodeCounts=_counts(members, (group,), observed),
            cloudProviderTarget=group.target,
            minSize=group.min,
            maxSize=group.max,
        ),
        "scaleUp": _scale_up(group, observed, healthy=healthy),
        "scaleDown": _scale_down(len(names.intersection(observed.unneeded)), observed),
    }
    return {"name": group.id, **_since(status, before)}


def _scale_up(group: NodeGroup, observed: StatusInput, *, healthy: bool) -> Json:
    cause = observed.backed_off(group.id)
    info: Json = {}
    if observed.growing(group.id):
        status = "InProgress"
    elif not healthy:
        status = "Unhealthy"
    elif cause is not None:
        status = "Backoff"
        info = {"errorCode": cause.code, "errorMessage": cause.message}
    else:
        status = "NoActivity"
    return _status(status, observed.current_time, backoffInfo=info)


def _scale_down(candidates: int, observed: StatusInput) -> Json:
    counted = {"candidates": candidates} if candidates else {}
    return _status(_SCALE_DOWN[candidates > 0], observed.unneeded_seen, **counted)


def _counts(members: Sequence[GroupNode], groups: Sequence[NodeGroup], observed: StatusInput) -> Json:
    by_readiness = Counter(member.readiness for member in members)
    overdue = sum(map(observed.overdue, groups))
    unregistered = sum(len(observed.cluster.unregistered_instances(group)) for group in groups) - overdue
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


def _status(status: str, probed: float, **details: Json) -> Json:
    # Go's zero time is written as null.
    time = None if probed == float("-inf") else instants.render(probed)
    return {"status": status, "lastProbeTime": time, "lastTransitionTime": time, **details}


def _since(status: Mapping[str, Json], before: Mapping[str, Json]) -> Json:
    """Keep the time of the last change of each part of the status."""
    return {
        # The time is that of the last change, not of the last probe.
        part: {**current_time, "lastTransitionTime": before[part]["lastTransitionTime"]}
        if part in before and before[part]["status"] == current_time["status"]
        else current_time
        for part, current_time in status.items()
    }

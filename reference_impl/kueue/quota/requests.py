"""The requests of a Workload, in amounts per pod set (Q-081, Q-083, Q-085…Q-088)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...api.resource import Json
from ...pods.amounts import LARGEST, amount
from ...pods.requests import pod_requests
from .resources import FlavorResource, Usage


@dataclass(frozen=True, slots=True)
class PodSetRequests:
    """One pod set: how many pods, and what they request together."""

    name: str
    count: int
    requests: Mapping[str, int]


def total_requests(workload: Json) -> tuple[PodSetRequests, ...]:
    """Compute the requests of a pending Workload; reclaimable pods no longer count (Q-083, Q-088)."""
    reclaimed = _reclaimable(workload)
    return tuple(
        pod_set_requests(pod_set, max(0, _count(pod_set) - reclaimed.get(pod_set["name"], 0)))
        for pod_set in (workload.get("spec") or {}).get("podSets") or ()
    )


def pod_set_requests(pod_set: Json, count: int) -> PodSetRequests:
    """Compute what `count` pods of a pod set request."""
    requests = pod_requests(pod_set["template"]["spec"])
    # int64 in Go: Kueue caps in place of an overflow.
    total = {name: min(LARGEST, value * count) for name, value in requests.items()}
    return PodSetRequests(pod_set["name"], count, total)


def admitted_usage(workload: Json) -> Usage:
    """Compute what a Workload with a reservation uses: its admission, less the pods it gave back (Q-085)."""
    reclaimed = _reclaimable(workload)
    counts = {
        pod_set["name"]: _count(pod_set) for pod_set in (workload.get("spec") or {}).get("podSets") or ()
    }
    usage: dict[FlavorResource, int] = {}
    for assigned in workload["status"]["admission"].get("podSetAssignments") or ():
        count = counts.get(assigned["name"], 0)
        admitted = min(assigned.get("count", count), count)  # never more than were asked for
        remaining = max(0, count - reclaimed.get(assigned["name"], 0))
        for fr, value in _usage_of(assigned):
            # Divided first, as Go does: usage is a multiple of its pods (AC-112).
            scaled = value // admitted * remaining if remaining < admitted else value
            usage[fr] = usage.get(fr, 0) + scaled
    return usage


def _reclaimable(workload: Json) -> Mapping[str, int]:
    pods = (workload.get("status") or {}).get("reclaimablePods") or ()
    return {entry["name"]: max(0, entry["count"]) for entry in pods}


def _count(pod_set: Json) -> int:
    return max(0, int(pod_set["count"]))


def _usage_of(assignment: Json) -> Iterable[tuple[FlavorResource, int]]:
    flavors = assignment.get("flavors") or {}
    for resource, quantity in (assignment.get("resourceUsage") or {}).items():
        if resource in flavors:
            yield FlavorResource(flavors[resource], resource), amount(resource, quantity)

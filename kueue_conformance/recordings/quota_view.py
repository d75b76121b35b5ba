"""Views of stories about queues: the quota that Workloads hold, and the status of queues and cohorts (pure).

What is empty is left out, so that a part that was not recorded and one that is not there are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..base.json_types import Json
from .view import conditions, plain


def workload(document: Json) -> Json:
    """Return conditions, assignment, answers of checks, evictions and requests of a Workload."""
    status = document.get("status") or {}
    fields = {
        "admission": _admission(status.get("admission")),
        "checks": {entry["name"]: entry["state"] for entry in status.get("admissionChecks") or ()},
        "requeueState": plain(status.get("requeueState") or {}),
        "evictions": _evictions(status),
        "resourceRequests": {
            request["name"]: request.get("resources") or {}
            for request in status.get("resourceRequests") or ()
        },
        "inactive": document["spec"].get("active") is False,
        "deleting": _is_deleted(document),
    }
    return {"conditions": conditions(document), **_present(fields)}


def cluster_queue(document: Json) -> Json:
    """Return conditions, counters, usage and share of a ClusterQueue."""
    status = document.get("status") or {}
    return {
        "conditions": conditions(document),
        "pending": status.get("pendingWorkloads", 0),
        "reserving": status.get("reservingWorkloads", 0),
        "admitted": status.get("admittedWorkloads", 0),
        "reservation": _usage(status.get("flavorsReservation") or ()),
        "usage": _usage(status.get("flavorsUsage") or ()),
        **_share(status),
        **_present({"deleting": _is_deleted(document)}),
    }


def cohort(document: Json) -> Json:
    """Return the share of a Cohort."""
    return _share(document.get("status") or {})


VIEWS: Mapping[str, Callable[[Json], Json]] = {
    "Workload": workload,
    "ClusterQueue": cluster_queue,
    "Cohort": cohort,
}


def _is_deleted(document: Json) -> bool:
    return "deletionTimestamp" in document["metadata"]


def _present(fields: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if value}


def _admission(document: Json) -> Json:
    if not document:
        return None
    pod_sets = {
        assignment["name"]: {
            "count": assignment.get("count"),
            "flavors": assignment.get("flavors") or {},
            "usage": assignment.get("resourceUsage") or {},
        }
        for assignment in document.get("podSetAssignments") or ()
    }
    return {"clusterQueue": document["clusterQueue"], "podSets": pod_sets}


def _evictions(status: Json) -> Sequence[Json]:
    """Return reason, underlying cause and count of the evictions that were counted (AC-344)."""
    counted = (status.get("schedulingStats") or {}).get("evictions") or ()
    return sorted(
        [eviction.get("reason"), eviction.get("underlyingCause") or "", eviction.get("count")]
        for eviction in counted
    )


def _usage(flavors: Sequence[Json]) -> Json:
    """Return flavor → resource → total and borrowed."""
    return {
        flavor["name"]: {
            resource["name"]: [resource.get("total", "0"), resource.get("borrowed", "0")]
            for resource in flavor.get("resources") or ()
        }
        for flavor in flavors
    }


def _share(status: Json) -> dict[str, Json]:
    sharing = status.get("fairSharing")
    return {} if sharing is None else {"share": sharing.get("weightedShare", 0)}

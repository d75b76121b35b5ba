"""Views of stories about queues: who holds which quota, and what queues and cohorts tell of it (pure).

What is empty is left out, so that a part that was not recorded and one that is not there are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..base.json_types import Json
from .view import conditions, plain


def workload(found: Json) -> Json:
    """Return conditions, assignment, answers of checks, evictions and requests of a Workload."""
    status = found.get("status") or {}
    parts = {
        "admission": _admission(status.get("admission")),
        "checks": {one["name"]: one["state"] for one in status.get("admissionChecks") or ()},
        "requeueState": plain(status.get("requeueState") or {}),
        "evictions": _evictions(status),
        "resourceRequests": {
            one["name"]: one.get("resources") or {} for one in status.get("resourceRequests") or ()
        },
        "inactive": found["spec"].get("active") is False,
        "deleting": _is_deleted(found),
    }
    return {"conditions": conditions(found), **_present(parts)}


def cluster_queue(found: Json) -> Json:
    """Return conditions, counters, usage and share of a ClusterQueue."""
    status = found.get("status") or {}
    return {
        "conditions": conditions(found),
        "pending": status.get("pendingWorkloads", 0),
        "reserving": status.get("reservingWorkloads", 0),
        "admitted": status.get("admittedWorkloads", 0),
        "reservation": _usage(status.get("flavorsReservation") or ()),
        "usage": _usage(status.get("flavorsUsage") or ()),
        **_share(status),
        **_present({"deleting": _is_deleted(found)}),
    }


def cohort(found: Json) -> Json:
    """Return the share of a Cohort."""
    return _share(found.get("status") or {})


VIEWS: Mapping[str, Callable[[Json], Json]] = {
    "Workload": workload,
    "ClusterQueue": cluster_queue,
    "Cohort": cohort,
}


def _is_deleted(found: Json) -> bool:
    return "deletionTimestamp" in found["metadata"]


def _present(parts: Mapping[str, Json]) -> dict[str, Json]:
    return {name: one for name, one in parts.items() if one}


def _admission(found: Json) -> Json:
    if not found:
        return None
    pod_sets = {
        one["name"]: {
            "count": one.get("count"),
            "flavors": one.get("flavors") or {},
            "usage": one.get("resourceUsage") or {},
        }
        for one in found.get("podSetAssignments") or ()
    }
    return {"clusterQueue": found["clusterQueue"], "podSets": pod_sets}


def _evictions(status: Json) -> Sequence[Json]:
    """Return reason, underlying cause and count of the evictions that were counted (AC-344)."""
    counted = (status.get("schedulingStats") or {}).get("evictions") or ()
    return sorted([one.get("reason"), one.get("underlyingCause") or "", one.get("count")] for one in counted)


def _usage(found: Sequence[Json]) -> Json:
    """Return flavor → resource → total and borrowed."""
    return {
        flavor["name"]: {
            one["name"]: [one.get("total", "0"), one.get("borrowed", "0")]
            for one in flavor.get("resources") or ()
        }
        for flavor in found
    }


def _share(status: Json) -> dict[str, Json]:
    sharing = status.get("fairSharing")
    return {} if sharing is None else {"share": sharing.get("weightedShare", 0)}

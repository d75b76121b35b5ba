"""What a Node looks like (FK-484)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.json_types import Json

READY = "Ready"


def manifest(
    name: str,
    capacity: Mapping[str, str],
    labels: Mapping[str, str] | None = None,
    taints: Sequence[Json] = (),
) -> Json:
    """Return a Node with this capacity, all of it allocatable."""
    amounts = {"pods": "110", **capacity}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "spec": {"taints": list(taints)} if taints else {},
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def ready_condition(current_time: str) -> Json:
    """Return the condition of a Node whose kubelet says that it is ready."""
    return {
        "type": READY,
        "status": "True",
        "lastHeartbeatTime": current_time,
        "lastTransitionTime": current_time,
        "reason": "KubeletReady",
        "message": "kubelet is posting ready status",
    }


def ready_status(node: Json) -> str:
    """Return the status of a Node's Ready condition, empty when it has none."""
    conditions = node.get("status", {}).get("conditions") or ()
    return next((str(condition["status"]) for condition in conditions if condition["type"] == READY), "")

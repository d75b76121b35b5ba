"""The taints that follow from the state of a Node: NoSchedule from its conditions and a cordon, NoExecute
from its readiness (FK-496).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ..taints import NO_EXECUTE, NO_SCHEDULE, NOT_READY, UNREACHABLE, UNSCHEDULABLE
from .manifests import READY, ready_status

Taint = tuple[str, str]
"""Key and effect."""
OF_READINESS: Mapping[str, str] = {"False": NOT_READY, "Unknown": UNREACHABLE}
TAINT_KEYS: Mapping[tuple[str, str], str] = {
    **{(READY, status): key for status, key in OF_READINESS.items()},
    ("MemoryPressure", "True"): "node.kubernetes.io/memory-pressure",
    ("DiskPressure", "True"): "node.kubernetes.io/disk-pressure",
    ("NetworkUnavailable", "True"): "node.kubernetes.io/network-unavailable",
    ("PIDPressure", "True"): "node.kubernetes.io/pid-pressure",
}
"""The key of a taint by type and status of a condition."""
MANAGED_TAINTS: frozenset[Taint] = frozenset(
    {
        *((key, NO_SCHEDULE) for key in (*TAINT_KEYS.values(), UNSCHEDULABLE)),
        *((key, NO_EXECUTE) for key in OF_READINESS.values()),
    }
)


def adjust(node: Json, current_time: str, *, evicts: bool) -> list[Json]:
    """Return the taints that a Node should have; those of others stay, new ones say since when.

    evicts: whether pods may be evicted from a Node that is not ready.
    """
    present: list[Json] = node.get("spec", {}).get("taints") or []
    desired = _taints_of_state(node, evicts=evicts)
    # Taints of others stay as they are, in their order.
    stay = [taint for taint in present if _id(taint) not in MANAGED_TAINTS or _id(taint) in desired]
    missing = desired - {_id(taint) for taint in stay}
    return [
        *stay,
        *({"key": key, "effect": effect, "timeAdded": current_time} for key, effect in sorted(missing)),
    ]


def _taints_of_state(node: Json, *, evicts: bool) -> frozenset[Taint]:
    conditions = node.get("status", {}).get("conditions") or ()
    keys = [TAINT_KEYS.get((condition["type"], condition["status"])) for condition in conditions]
    cordon = UNSCHEDULABLE if node.get("spec", {}).get("unschedulable") else None
    # No eviction while no node at all is ready: the fault may be the control plane's own.
    readiness = OF_READINESS.get(ready_status(node)) if evicts else None
    return frozenset(
        {
            *((key, NO_SCHEDULE) for key in (*keys, cordon) if key),
            *((key, NO_EXECUTE) for key in (readiness,) if key),
        }
    )


def _id(taint: Json) -> Taint:
    return taint["key"], taint["effect"]

"""Taints of nodes and the tolerations of pods (FK-461, FK-496)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Json = Any
NOT_READY = "node.kubernetes.io/not-ready"
UNREACHABLE = "node.kubernetes.io/unreachable"
UNSCHEDULABLE = "node.kubernetes.io/unschedulable"
NO_SCHEDULE, NO_EXECUTE = "NoSchedule", "NoExecute"


def taints_of(node: Json, *effects: str) -> list[Json]:
    """Return the taints of a node that have one of these effects."""
    return [taint for taint in node.get("spec", {}).get("taints") or () if taint["effect"] in effects]


def tolerations_of(pod: Json, taint: Json) -> list[Json]:
    """Return the tolerations of a pod that match a taint."""
    return [
        toleration for toleration in pod["spec"].get("tolerations") or () if _tolerates(toleration, taint)
    ]


def tolerates(pod: Json, taints: Iterable[Json]) -> bool:
    """Tell whether a pod tolerates every one of these taints."""
    return all(tolerations_of(pod, taint) for taint in taints)


def _tolerates(toleration: Json, taint: Json) -> bool:
    if toleration.get("effect") not in {None, "", taint["effect"]}:
        return False
    key, operator = toleration.get("key") or "", toleration.get("operator") or "Equal"
    if operator == "Exists":
        return key in {"", taint["key"]}
    same_value = toleration.get("value", "") == taint.get("value", "")
    return operator == "Equal" and key == taint["key"] and same_value

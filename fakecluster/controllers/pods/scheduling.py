"""Which node takes a pod: one that is ready, matches, is tolerated and has room (FK-461).

A cluster without any Node takes every pod on a node that exists by name only, so that Jobs run without set-up.
Affinity beyond nodeSelector, spreading, volumes and devices are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...api.builtins.quantity import Quantity

Json = Any
NAMELESS = "node-0"


def node_for(pod: Json, nodes: Sequence[Json], running: Iterable[Json]) -> str:
    """Return the name of the node for a pod, empty when none takes it."""
    if not nodes:
        return NAMELESS
    used = list(running)
    return next((node["metadata"]["name"] for node in nodes if _takes(node, pod, used)), "")


def message(nodes: Sequence[Json]) -> str:
    """Word why no node takes a pod."""
    return f"0/{len(nodes)} nodes are available."


def _takes(node: Json, pod: Json, running: Sequence[Json]) -> bool:
    spec = node.get("spec", {})
    labels = node["metadata"].get("labels", {})
    selector = pod["spec"].get("nodeSelector", {})
    return (
        not spec.get("unschedulable")
        and all(labels.get(name) == value for name, value in selector.items())
        and all(_tolerated(taint, pod) for taint in spec.get("taints", ()))
        and _fits(node, pod, running)
    )


def _tolerated(taint: Json, pod: Json) -> bool:
    if taint["effect"] == "PreferNoSchedule":
        return True
    return any(_tolerates(one, taint) for one in pod["spec"].get("tolerations", ()))


def _tolerates(toleration: Json, taint: Json) -> bool:
    if toleration.get("effect") not in {None, "", taint["effect"]}:
        return False
    if toleration.get("operator") == "Exists":
        return toleration.get("key") in {None, "", taint["key"]}
    same_value = toleration.get("value", "") == taint.get("value", "")
    return bool(toleration.get("key") == taint["key"] and same_value)


def _fits(node: Json, pod: Json, running: Sequence[Json]) -> bool:
    room = {
        name: Quantity.of(amount).nanos
        for name, amount in node.get("status", {}).get("allocatable", {}).items()
    }
    here = [one for one in running if one["spec"].get("nodeName") == node["metadata"]["name"]]
    asked = requests(pod)
    if "pods" in room and len(here) * 10**9 >= room["pods"]:
        return False
    return all(
        room.get(name, 0) - sum(requests(one).get(name, 0) for one in here) >= amount
        for name, amount in asked.items()
    )


def requests(pod: Json) -> dict[str, int]:
    """Return what the containers of a pod ask for together, in billionths."""
    totals: dict[str, int] = {}
    for container in pod["spec"].get("containers") or ():
        for name, amount in (container.get("resources") or {}).get("requests", {}).items():
            totals[name] = totals.get(name, 0) + Quantity.of(amount).nanos
    return totals

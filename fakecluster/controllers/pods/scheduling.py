"""Which node takes a pod: one that is ready, matches, is tolerated and has room (FK-461).

A cluster without any Node takes every pod on a node that exists by name only, so that Jobs run without
set-up. Affinity beyond nodeSelector, spreading, volumes and devices are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...kinds import resource_lists
from ...numbers.quantity import Quantity

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
        name: Quantity.of(amount) for name, amount in node.get("status", {}).get("allocatable", {}).items()
    }
    here = [one for one in running if one["spec"].get("nodeName") == node["metadata"]["name"]]
    asked = _requests(pod)
    if "pods" in room and len(here) >= room["pods"].amount:
        return False
    then = resource_lists.total([asked, *map(_requests, here)])
    return all(then[name].amount <= room.get(name, resource_lists.NONE).amount for name in asked)


def _requests(pod: Json) -> resource_lists.Amounts:
    """Return what the containers of a pod ask for together."""
    containers = pod["spec"].get("containers") or ()
    return resource_lists.total(
        resource_lists.of((one.get("resources") or {}).get("requests")) for one in containers
    )

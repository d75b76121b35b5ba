"""On which nodes a DaemonSet has pods."""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json
from ..scheduler.affinity import selects
from ..taints import NO_EXECUTE, NO_SCHEDULE, taints_of, tolerates
from .pods import tolerant


class Placement(Struct, frozen=True):
    """Whether a pod is created on a node, and whether one that runs there stays."""

    runs: bool
    stays: bool


def placement(daemon_set: Json, node: Json) -> Placement:
    """Return what becomes of a DaemonSet on a node."""
    template = daemon_set["spec"]["template"]["spec"]
    pod = {"spec": tolerant(template)}
    if template.get("nodeName") not in {None, "", node["metadata"]["name"]} or not selects(pod, node):
        return Placement(runs=False, stays=False)
    if tolerates(pod, taints_of(node, NO_EXECUTE, NO_SCHEDULE)):
        return Placement(runs=True, stays=True)
    return Placement(runs=False, stays=tolerates(pod, taints_of(node, NO_EXECUTE)))

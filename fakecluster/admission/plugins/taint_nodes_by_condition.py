"""TaintNodesByCondition: pods keep off a new node until it is ready (FK-496)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from .plugin import CREATE, Plugin

NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}


def taint(api: Context, review: Review, node: Json) -> Json:
    """Return a new node with the taint, unless it has it."""
    del api, review
    spec = node.get("spec", {})
    taints = spec.get("taints", [])
    # By key and effect: a taint of another value is the same taint.
    if any((has["key"], has["effect"]) == (NOT_READY["key"], NOT_READY["effect"]) for has in taints):
        return node
    return {**node, "spec": {**spec, "taints": [*taints, NOT_READY]}}


PLUGIN = Plugin(name="TaintNodesByCondition", operations=CREATE, mutates={("", "nodes", ""): taint})

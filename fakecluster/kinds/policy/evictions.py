"""Whether a PodDisruptionBudget lets a pod be evicted, and what an eviction leaves in it (FK-487)."""

from __future__ import annotations

from typing import Any

from ...api import status
from ...meta import metadata
from ...registry.action import Action
from ...store import Stored
from ..validation import basics

Json = Any
RESOURCE = ("policy", "poddisruptionbudgets")
VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget."
MANY = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
PROCESSING = "The disruption budget {} is still being processed by the server."
NEEDED = "The disruption budget {} needs {} healthy pods and has {} currently"
NOT_NOW = "The disruption budget {} does not allow evicting pods currently"
OVER = frozenset({"Succeeded", "Failed", "Pending"})
RETRY = 10


def spend(action: Action, pod: Stored, *, dry_run: bool) -> None:
    """Take one disruption from the budget of a pod. Raises 429 when it has none, 500 when there are several budgets."""
    if pod.object["status"].get("phase") in OVER or "deletionTimestamp" in pod.object["metadata"]:
        return
    found = [
        one
        for one in action.api.store.list(RESOURCE, namespace=pod.name[0])
        if _covers(one.object, pod.object)
    ]
    if len(found) > 1:
        raise status.raw(MANY)
    for one in found:
        if not _needless(one.object, pod.object):
            check(one.object)
            if not dry_run:
                _note(action, one, pod.name[1])


def check(budget: Json) -> None:
    """Check that a budget has a disruption left. Raises 429."""
    name, found = budget["metadata"]["name"], budget.get("status", {})
    if found.get("observedGeneration", 0) < budget["metadata"].get("generation", 0):
        raise status.disrupting(VIOLATED, PROCESSING.format(name), RETRY)
    if found.get("disruptionsAllowed", 0) > 0:
        return
    needed, healthy = found.get("desiredHealthy", 0), found.get("currentHealthy", 0)
    raise status.disrupting(
        VIOLATED, (NEEDED if healthy <= needed else NOT_NOW).format(name, needed, healthy), 0
    )


def _covers(budget: Json, pod: Json) -> bool:
    selector = budget["spec"].get("selector")
    return selector is not None and basics.matches(selector, pod["metadata"].get("labels", {}))


def _needless(budget: Json, pod: Json) -> bool:
    """Tell whether a pod that is not ready may go whatever the budget has left."""
    conditions = pod["status"].get("conditions", ())
    if any(one["type"] == "Ready" and one["status"] == "True" for one in conditions):
        return False
    found = budget.get("status", {})
    healthy, desired = found.get("currentHealthy", 0), found.get("desiredHealthy", 0)
    always = budget["spec"].get("unhealthyPodEvictionPolicy") == "AlwaysAllow"
    return bool(always or healthy >= desired > 0)


def _note(action: Action, budget: Stored, pod: str) -> None:
    before = budget.object["status"]
    after = {
        **before,
        "disruptionsAllowed": before["disruptionsAllowed"] - 1,
        "disruptedPods": {**before.get("disruptedPods", {}), pod: metadata.timestamp(action.api.clock.now())},
    }
    new = {**budget.object, "status": after}
    event = action.api.store.commit(RESOURCE, budget.name, new, expected=budget)
    action.trace.events.append(event)

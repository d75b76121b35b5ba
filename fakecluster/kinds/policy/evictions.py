"""Whether a PodDisruptionBudget lets a pod be evicted, and what an eviction leaves in it (FK-487)."""

from __future__ import annotations

from typing import Literal

from ...api import status
from ...base.json_types import Json
from ...meta import metadata
from ...registry.action import Action
from ...store import Store, Stored
from ..validation import basics
from .disruption_condition import condition_of, with_condition

RESOURCE = ("policy", "poddisruptionbudgets")
WOULD_VIOLATE_BUDGET = "Cannot evict pod as it would violate the pod's disruption budget."
SEVERAL_BUDGETS = (
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
)
TOO_MANY_NOTED = "DisruptedPods map too big - too many evictions not confirmed by PDB controller"
BUDGET_IN_PROCESS = "The disruption budget {} is still being processed by the server."
BUDGET_NEEDS_PODS = "The disruption budget {} needs {} healthy pods and has {} currently"
NOT_NOW = "The disruption budget {} does not allow evicting pods currently"
ENDED = frozenset({"Succeeded", "Failed", "Pending"})
RETRY_SECONDS = 10
MOST_NOTED = 2000
Permission = Literal["unguarded", "spends", "unhealthy"]
"""Whether no budget guards a pod, its budget has to have a disruption left, or the pod is not ready and its
budget does not count on it.
"""


def budget_of(store: Store, pod: Stored) -> Stored | None:
    """Return the budget that guards a pod, None when there is none or none is needed any more.

    Raises 500 when there are several.
    """
    if pod.object["status"].get("phase") in ENDED or "deletionTimestamp" in pod.object["metadata"]:
        return None
    there = store.list(RESOURCE, namespace=pod.name[0])
    budgets = [budget for budget in there if _covers(budget.object, pod.object)]
    if len(budgets) > 1:
        raise status.raw(SEVERAL_BUDGETS)
    return budgets[0] if budgets else None


def permission(budget: Json, pod: Json) -> Permission:
    """Return how a budget, None for none, bears on the eviction of a pod."""
    if budget is None:
        return "unguarded"
    conditions = pod["status"].get("conditions", ())
    if ("Ready", "True") in {(condition["type"], condition["status"]) for condition in conditions}:
        return "spends"
    state = budget.get("status", {})
    healthy, desired = state.get("currentHealthy", 0), state.get("desiredHealthy", 0)
    always = budget["spec"].get("unhealthyPodEvictionPolicy") == "AlwaysAllow"
    return "unhealthy" if always or healthy >= desired > 0 else "spends"


def check(budget: Json) -> None:
    """Check that a budget has a disruption left. Raises 429, 403."""
    name, state = budget["metadata"]["name"], budget.get("status", {})
    if state.get("observedGeneration", 0) < budget["metadata"].get("generation", 0):
        raise status.disrupting(WOULD_VIOLATE_BUDGET, BUDGET_IN_PROCESS.format(name), RETRY_SECONDS)
    if len(state.get("disruptedPods") or ()) > MOST_NOTED:
        raise status.forbidden(RESOURCE[0], "poddisruptionbudget", name, TOO_MANY_NOTED)
    if not state.get("disruptionsAllowed", 0):
        raise status.disrupting(WOULD_VIOLATE_BUDGET, _refusal(name, state), 0)


def spend(action: Action, budget: Stored, pod: str) -> None:
    """Take one disruption from a budget; the condition turns False at zero."""
    time = metadata.timestamp(action.api.clock.now())
    before = budget.object["status"]
    allowed = before["disruptionsAllowed"] - 1
    # The disruption controller forgets the pod when its deletion is seen, so that it is not counted twice.
    noted = {**before.get("disruptedPods", {}), pod: time}
    after = {**before, "disruptionsAllowed": allowed, "disruptedPods": noted}
    if not allowed:
        after = with_condition(after, time)
    event = action.api.store.commit(
        RESOURCE, budget.name, {**budget.object, "status": after}, expected=budget
    )
    action.trace.events.append(event)


def _refusal(name: str, state: Json) -> str:
    condition = condition_of(state)
    reason, message = condition.get("reason", ""), condition.get("message", "")
    says_no = condition.get("status") == "False" and bool(message)
    needed, healthy = state.get("desiredHealthy", 0), state.get("currentHealthy", 0)
    if says_no and reason == "SyncFailed":
        return f"{NOT_NOW.format(name)} because it failed sync: {message}"
    if healthy <= needed:
        return BUDGET_NEEDS_PODS.format(name, needed, healthy)
    return f"{NOT_NOW.format(name)} ({reason}): {message}" if says_no else NOT_NOW.format(name)


def _covers(budget: Json, pod: Json) -> bool:
    selector = budget["spec"].get("selector")
    return selector is not None and basics.matches(selector, pod["metadata"].get("labels", {}))

"""How many pods may be evicted now: the status of every PodDisruptionBudget (FK-487).

A number of pods that must be there is compared with the pods that are; a share of them, or a number that may be missing, with
those that their owners want.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ..api.steps import Steps
from ..kinds.validation.basics import matches
from ..numbers.integers import bounded
from ..numbers.timestamps import at
from ..registry.machinery import Api
from ..store import Event, Store
from .actor import Actor, service_account
from .engine import Key
from .scales import NoScale, wanted

Json = Any
BUDGETS, PODS = ("policy", "poddisruptionbudgets"), ("", "pods")
ENDED = frozenset({"Succeeded", "Failed"})


class DisruptionKeeper:
    """Writes what each budget has left."""

    resources = (BUDGETS, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("disruption-controller"), "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every budget."""
        return [one.name for one in store.list(BUDGETS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a budget that changed, or those that may cover a changed pod."""
        if event.resource == BUDGETS:
            return (event.after.name,) if event.type != "DELETED" else ()
        return [one.name for one in self._api.store.list(BUDGETS, namespace=event.after.name[0])]

    def work(self, key: Key) -> Steps[float | None]:
        """Count the pods of one budget."""
        stored = self._api.store.get(BUDGETS, (key[0], key[1]))
        row = self._actor.kind("policy/v1", "PodDisruptionBudget")
        if stored is None or row is None:
            return None
        budget = stored.object
        pods = [
            one.object for one in self._api.store.list(PODS, namespace=key[0]) if _covers(budget, one.object)
        ]
        now = at(self._api.clock.now())
        try:
            status = _status(budget, pods, self._expected(budget, pods), now)
        except NoScale as why:
            status = _failed(budget, str(why), now)
        if status != budget.get("status"):
            yield from self._actor.update_status(row, {**budget, "status": status})
        return None

    def _expected(self, budget: Json, pods: Sequence[Json]) -> int:
        """Return how many pods there should be. Raises NoScale."""
        least = budget["spec"].get("minAvailable")
        counts_pods = isinstance(least, int) and budget["spec"].get("maxUnavailable") is None
        return len(pods) if counts_pods else wanted(self._api, pods)


def _covers(budget: Json, pod: Json) -> bool:
    selector = budget["spec"].get("selector")
    over = pod.get("status", {}).get("phase") in ENDED
    return not over and selector is not None and matches(selector, pod["metadata"].get("labels", {}))


def _status(budget: Json, pods: Sequence[Json], expected: int, now: str) -> Json:
    before = budget.get("status") or {}
    going = {one["metadata"]["name"] for one in pods if "deletionTimestamp" in one["metadata"]}
    here = {one["metadata"]["name"] for one in pods} - going
    evicted = {name: when for name, when in before.get("disruptedPods", {}).items() if name in here}
    healthy = sum(_is_ready(one) for one in pods if one["metadata"]["name"] in here - set(evicted))
    desired = _desired(budget["spec"], expected)
    allowed = max(0, healthy - desired) if expected else 0
    reason = "SufficientPods" if allowed else "InsufficientPods"
    return {
        "conditions": [_condition(budget, reason, "", now)],
        "currentHealthy": healthy,
        "desiredHealthy": desired,
        "disruptionsAllowed": allowed,
        **({"disruptedPods": evicted} if evicted else {}),
        "expectedPods": expected,
        "observedGeneration": budget["metadata"].get("generation", 0),
    }


def _desired(spec: Json, expected: int) -> int:
    if spec.get("maxUnavailable") is not None:
        return max(0, expected - _amount(spec["maxUnavailable"], expected))
    return _amount(spec.get("minAvailable", 0), expected)


def _amount(value: Json, whole: int) -> int:
    return math.ceil(bounded(value[:-1]) * whole / 100) if isinstance(value, str) else int(value)


def _is_ready(pod: Json) -> bool:
    conditions = pod.get("status", {}).get("conditions", ())
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def _failed(budget: Json, why: str, now: str) -> Json:
    """Return a status that allows nothing, because it is unknown how many pods there should be."""
    zero = {"currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0, **(budget.get("status") or {})}
    told = [_condition(budget, "SyncFailed", why, now)]
    observed = budget["metadata"].get("generation", 0)
    return {**zero, "conditions": told, "disruptionsAllowed": 0, "observedGeneration": observed}


def _condition(budget: Json, reason: str, message: str, now: str) -> Json:
    before = budget.get("status") or {}
    told = {
        "type": "DisruptionAllowed",
        "status": "True" if reason == "SufficientPods" else "False",
        "reason": reason,
        "message": message,
        "observedGeneration": budget["metadata"].get("generation", 0),
    }
    old = next((one for one in before.get("conditions", ()) if one["type"] == told["type"]), None)
    since = old["lastTransitionTime"] if old and old["status"] == told["status"] else now
    return {**told, "lastTransitionTime": since}

"""How many pods may be evicted now: the status of every PodDisruptionBudget (FK-487).

A number of pods that must be there is compared with the pods that are; a share of them, or a number that may
be missing, with those that their owners want.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ..api.steps import Steps
from ..base.json_types import Json
from ..base.numbers.integers import parse_capped
from ..base.numbers.timestamps import at, since_epoch
from ..kinds.policy.disruption_condition import with_condition
from ..kinds.validation.basics import matches
from ..registry.machinery import Api
from ..store import Event, Store
from .actor import Actor, service_account
from .engine import Key
from .recorder import Recorder
from .scales import NoScale, sum_replicas

BUDGETS, PODS = ("policy", "poddisruptionbudgets"), ("", "pods")
FINISHED_PHASES = frozenset({"Succeeded", "Failed"})
DELETION_SECONDS = 120
"""How long a pod whose eviction is noted may stay before it counts again."""
NOT_DELETED = "Pod was expected by PDB {0}/{0} to be deleted but it wasn't"


class DisruptionController:
    """Writes what each budget has left."""

    resources = (BUDGETS, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("disruption-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "controllermanager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every budget."""
        return [budget.name for budget in store.list(BUDGETS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a budget that changed, or those that may cover a changed pod."""
        if event.resource == BUDGETS:
            return (event.after.name,) if event.type != "DELETED" else ()
        # Pods have no index of their budgets, so all of the namespace are looked at.
        return [budget.name for budget in self._api.store.list(BUDGETS, namespace=event.after.name[0])]

    def work(self, key: Key) -> Steps[float | None]:
        """Count the pods of one budget."""
        stored = self._api.store.get(BUDGETS, (key[0], key[1]))
        row = self._actor.kind("policy/v1", "PodDisruptionBudget")
        if stored is None or row is None:
            return None
        budget = stored.object
        pods = [
            pod.object for pod in self._api.store.list(PODS, namespace=key[0]) if _covers(budget, pod.object)
        ]
        current_time = self._api.clock.now()
        noted = _pending_evictions(budget, pods)
        recent = {
            name: when for name, when in noted.items() if since_epoch(when) + DELETION_SECONDS >= current_time
        }
        try:
            status = _status(budget, pods, self._count_expected(budget, pods), recent, at(current_time))
        except NoScale as why:
            status = _sync_failure(budget, str(why), at(current_time))
        if status != budget.get("status"):
            yield from self._actor.update_status(row, {**budget, "status": status})
        # After the status, so that a refused write is tried again before an event tells of it.
        for pod in pods:
            if pod["metadata"]["name"] in noted.keys() - recent.keys():
                yield from self._recorder.record(pod, "NotDeleted", NOT_DELETED.format(key[0]), "Warning")
        ends = [since_epoch(when) + DELETION_SECONDS - current_time for when in recent.values()]
        # The times of disruptedPods have whole seconds, so the last one may end up to a second later.
        return min(ends) + 1 if ends else None

    def _count_expected(self, budget: Json, pods: Sequence[Json]) -> int:
        """Return how many pods there should be. Raises NoScale."""
        least = budget["spec"].get("minAvailable")
        counts_pods = isinstance(least, int) and budget["spec"].get("maxUnavailable") is None
        return len(pods) if counts_pods else sum_replicas(self._api, pods)


def _covers(budget: Json, pod: Json) -> bool:
    selector = budget["spec"].get("selector")
    over = pod.get("status", {}).get("phase") in FINISHED_PHASES
    # An absent selector selects nothing, an empty one everything.
    return not over and selector is not None and matches(selector, pod["metadata"].get("labels", {}))


def _staying(pods: Sequence[Json]) -> set[str]:
    """Return the names of the pods that are not told to go."""
    return {pod["metadata"]["name"] for pod in pods if "deletionTimestamp" not in pod["metadata"]}


def _pending_evictions(budget: Json, pods: Sequence[Json]) -> dict[str, str]:
    """Return the pods whose eviction is noted and which are not told to go yet, with the time of the note."""
    noted = (budget.get("status") or {}).get("disruptedPods", {})
    return {name: noted[name] for name in _staying(pods) & noted.keys()}


def _status(
    budget: Json, pods: Sequence[Json], expected: int, evicted: Mapping[str, str], current_time: str
) -> Json:
    before = budget.get("status") or {}
    counted_on = _staying(pods) - evicted.keys()
    healthy = sum(_is_ready(pod) for pod in pods if pod["metadata"]["name"] in counted_on)
    desired = _healthy_target(budget["spec"], expected)
    # A budget without pods allows nothing, so that it is safe when its first pods appear before its next
    # status.
    allowed = max(0, healthy - desired) if expected else 0
    counted = {
        "conditions": before.get("conditions", []),
        "currentHealthy": healthy,
        "desiredHealthy": desired,
        "disruptionsAllowed": allowed,
        **({"disruptedPods": dict(evicted)} if evicted else {}),
        "expectedPods": expected,
        "observedGeneration": budget["metadata"].get("generation", 0),
    }
    return with_condition(counted, current_time)


def _healthy_target(spec: Json, expected: int) -> int:
    if spec.get("maxUnavailable") is not None:
        # The two are exclusive, which validation sees to.
        return max(0, expected - _amount(spec["maxUnavailable"], expected))
    return _amount(spec.get("minAvailable", 0), expected)


def _amount(value: Json, total: int) -> int:
    # Rounded up, in favour of the budget: GetScaledValueFromIntOrPercent with roundUp.
    return math.ceil(parse_capped(value[:-1]) * total / 100) if isinstance(value, str) else int(value)


def _is_ready(pod: Json) -> bool:
    conditions = pod.get("status", {}).get("conditions", ())
    return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)


def _sync_failure(budget: Json, why: str, current_time: str) -> Json:
    """Return a status that allows nothing, because it is unknown how many pods there should be."""
    zero = {"currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0, **(budget.get("status") or {})}
    return with_condition({**zero, "disruptionsAllowed": 0}, current_time, reason="SyncFailed", message=why)

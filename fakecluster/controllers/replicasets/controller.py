"""The controller of ReplicaSets and ReplicationControllers:
as many pods as each one wants, and its status.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from ...api.status import StatusError
from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.integers import fits
from ...base.numbers.timestamps import at, since_epoch
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor, service_account
from ..claims import Claims
from ..engine import Key
from ..owners import controller_of
from ..pod_state import is_active, is_ready, phase, ready_since
from ..pod_templates import pod_of
from ..pod_writer import BURST, PodWriter
from ..recorder import Recorder
from . import status
from .variants import REPLICA_SETS, ReplicaKind

PODS = ("", "pods")
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
PHASE_ORDER = ("Pending", "Unknown", "Running")


class ReplicaSetController:
    """Creates and deletes the pods of one kind of owner."""

    def __init__(self, api: Api, variant: ReplicaKind = REPLICA_SETS) -> None:
        self._api = api
        self._variant = variant
        self._owners = variant.owners
        self.resources = (self._owners.resource, PODS)
        self._actor = Actor(api, service_account(variant.account), "kube-controller-manager")
        self._recorder = Recorder(self._actor, variant.account)
        self._writer = PodWriter(self._actor, self._recorder)
        self._claims = Claims(self._actor, self._owners, PODS, "v1", "Pod")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every owner."""
        return self._claims.begin(store)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the owners that an event concerns."""
        return self._claims.keys(event)

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one owner forward.

        Raises StatusError, also of a pod that could not be created or deleted.
        """
        stored = self._api.store.get(self._owners.resource, (key[0], key[1]))
        if stored is None:
            return None
        owned = yield from self._claims.of(stored)
        goes = "deletionTimestamp" in stored.object["metadata"]
        failure, error = (None, None) if goes else (yield from self._manage(stored.object, owned))
        current_time = self._api.clock.now()
        counts = yield from status.count(stored.object, owned, current_time)
        yield from self._write(stored, counts, (failure, str(error)) if failure else None)
        if error:
            raise error
        return counts.next_available

    def _manage(self, owner: Json, owned: Sequence[Json]) -> Steps[tuple[str | None, StatusError | None]]:
        """Create or delete pods until there are as many as wanted;
        return reason and error of what was refused.
        """
        active = [pod for pod in owned if is_active(pod)]
        missing = int(owner["spec"]["replicas"]) - len(active)
        if missing < 0:
            surplus = surplus_pods(active, self._sibling_pods(owner), min(-missing, BURST))
            burst = yield from self._writer.delete(owner, surplus)
            return ("FailedDelete", burst.error) if burst.error else (None, None)
        new = pod_of(owner, owner["spec"]["template"])
        burst = yield from self._writer.create(owner, repeat(new, min(missing, BURST)))
        return ("FailedCreate", burst.error) if burst.error else (None, None)

    def _sibling_pods(self, owner: Json) -> Iterator[Json]:
        """Yield the pods of all ReplicaSets of the Deployment that controls one."""
        above = controller_of(owner)
        namespace = owner["metadata"]["namespace"]
        siblings = self._api.store.list(self._owners.resource, namespace=namespace) if above else ()
        for sibling in siblings:
            if above and (controller_of(sibling.object) or {}).get("uid") == above["uid"]:
                yield from (pod.object for pod in self._claims.list_owned(sibling.uid))

    def _write(
        self, before: Stored, counts: status.PodCounts, failure: tuple[str, str] | None
    ) -> Steps[None]:
        """Write what the status is now;
        pods that were created or deleted change it when their events come.
        """
        row, owner = self._actor.kind(self._owners.api_version, self._owners.kind), before.object
        new = status.of(owner, counts, failure, at(self._api.clock.now()))
        if not self._variant.counts_terminating:
            new = {name: value for name, value in new.items() if name != "terminatingReplicas"}
        if row and new != owner.get("status"):
            yield from self._actor.update_status(row, {**owner, "status": new})


def surplus_pods(active: Sequence[Json], related: Iterable[Json], number: int) -> list[Json]:
    """Return the pods that go first: without a node, pending, not ready, cheap, on a node with many related
    pods, ready for a short time, restarted, young.
    """
    crowd = Counter(pod["spec"].get("nodeName") for pod in related if is_active(pod))
    return sorted(active, key=lambda pod: _rank(pod, crowd))[:number]


def _rank(pod: Json, crowd: Counter[Any]) -> tuple[Any, ...]:
    node = pod["spec"].get("nodeName")
    pod_phase = phase(pod) if phase(pod) in PHASE_ORDER else "Unknown"
    return (
        bool(node),
        PHASE_ORDER.index(pod_phase),
        is_ready(pod),
        _cost(pod),
        -crowd[node],
        -(ready_since(pod) or 0.0),
        -_restarts(pod),
        -since_epoch(pod["metadata"]["creationTimestamp"]),
        pod["metadata"]["name"],
    )


def _restarts(pod: Json) -> int:
    """Return how often the container of a pod that restarted most has restarted."""
    statuses = pod.get("status", {}).get("containerStatuses") or ()
    return max((status.get("restartCount", 0) for status in statuses), default=0)


def _cost(pod: Json) -> int:
    text = pod["metadata"].get("annotations", {}).get(DELETION_COST, "0")
    return int(text) if fits(text, 32) else 0

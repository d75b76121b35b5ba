"""Keeps as many pods as each ReplicaSet wants, and its status."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...api.status import StatusError
from ...api.steps import Steps
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor, service_account
from ..claims import Claims, claimants
from ..engine import Key
from ..jobs.pods import is_active
from ..recorder import Recorder
from . import pods, status

Json = Any
REPLICA_SETS, PODS = ("apps", "replicasets"), ("", "pods")
BURST = 500
"""Pods made or deleted in one look at a ReplicaSet."""


class ReplicaSetController:
    """Makes and deletes pods."""

    resources = (REPLICA_SETS, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("replicaset-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "replicaset-controller")
        self._claims = Claims(self._actor, PODS, "v1", "Pod")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every ReplicaSet."""
        self._claims.begin(store)
        return [one.name for one in store.list(REPLICA_SETS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the ReplicaSets that an event concerns."""
        if event.resource == REPLICA_SETS:
            return (event.after.name,) if event.type != "DELETED" else ()
        self._claims.observe(event)
        return claimants(
            event, "ReplicaSet", self._api.store.list(REPLICA_SETS, namespace=event.after.name[0])
        )

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one ReplicaSet forward. Raises StatusError, also of a pod that could not be made or deleted."""
        stored = self._api.store.get(REPLICA_SETS, (key[0], key[1]))
        if stored is None:
            return None
        owned = yield from self._claims.of(stored)
        goes = "deletionTimestamp" in stored.object["metadata"]
        problem = None if goes else (yield from self._manage(stored.object, owned))
        failure = (_FAILED[problem[0]], str(problem[1])) if problem else None
        yield from self._write(stored, owned, failure)
        if problem:
            raise problem[1]
        return status.next_available(stored.object, owned, self._api.clock.now())

    def _manage(self, replica_set: Json, owned: Sequence[Json]) -> Steps[tuple[str, StatusError] | None]:
        """Make or delete pods until there are as many as wanted; return what was refused."""
        active = [one for one in owned if is_active(one)]
        missing = int(replica_set["spec"]["replicas"]) - len(active)
        try:
            for _ in range(min(missing, BURST)):
                yield from self._create(replica_set)
        except StatusError as error:
            yield from self._recorder.record(
                replica_set, "FailedCreate", f"Error creating: {error}", "Warning"
            )
            return "create", error
        try:
            for pod in pods.surplus(active, min(-missing, BURST)) if missing < 0 else ():
                yield from self._delete(replica_set, pod)
        except StatusError as error:
            return "delete", error
        return None

    def _create(self, replica_set: Json) -> Steps[None]:
        row = self._actor.kind("v1", "Pod")
        if row:
            made = yield from self._actor.create(row, pods.new(replica_set))
            yield from self._recorder.record(
                replica_set, "SuccessfulCreate", f"Created pod: {made['metadata']['name']}"
            )

    def _delete(self, replica_set: Json, pod: Json) -> Steps[None]:
        row, metadata = self._actor.kind("v1", "Pod"), pod["metadata"]
        found = self._api.store.get(PODS, (metadata["namespace"], metadata["name"]))
        if row and found is not None and found.uid == metadata["uid"]:
            yield from self._actor.delete(row, found)
            yield from self._recorder.record(
                replica_set, "SuccessfulDelete", f"Deleted pod: {metadata['name']}"
            )

    def _write(self, before: Stored, owned: Sequence[Json], failure: tuple[str, str] | None) -> Steps[None]:
        """Write what the status is now; pods that were made or deleted change it when their events come."""
        row, found = self._actor.kind("apps/v1", "ReplicaSet"), before.object
        new = status.of(found, owned, failure, self._api.clock.now())
        if row and new != found.get("status"):
            yield from self._actor.update_status(row, {**found, "status": new})


_FAILED = {"create": "FailedCreate", "delete": "FailedDelete"}

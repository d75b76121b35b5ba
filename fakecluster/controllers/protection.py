"""Takes the finalizers off storage objects that are in use no more (FK-504)."""

from __future__ import annotations

from collections.abc import Iterable

from ..api.steps import Steps
from ..base.json_types import Json
from ..kinds.storage_finalizers import FINALIZERS
from ..registry.machinery import Api
from ..store import Event, Resource, Store, Stored
from .actor import Actor, service_account
from .engine import Key

PODS = ("", "pods")
CLAIMS = ("", "persistentvolumeclaims")
ENDED = frozenset({"Succeeded", "Failed"})


class ProtectionController:
    """Lets a claim go when no pod mounts it, a volume when it is not bound, other objects at once."""

    resources = (*FINALIZERS, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actors = {
            resource: Actor(
                api, service_account(f"{name.rpartition('/')[2]}-controller"), "kube-controller-manager"
            )
            for resource, name in FINALIZERS.items()
        }

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every object that is going."""
        return [
            _key(stored) for resource in FINALIZERS for stored in store.list(resource) if _is_going(stored)
        ]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return an object that is going, also when a pod that may have used it changed."""
        if event.resource in FINALIZERS:
            return (_key(event.after),) if _is_going(event.after) else ()
        namespace = event.after.name[0]
        claims = (self._api.store.get(CLAIMS, (namespace, name)) for name in _claim_names(event.after.object))
        return [_key(claim) for claim in claims if claim and _is_going(claim)]

    def work(self, key: Key) -> Steps[float | None]:
        """Let one object go when it is not in use."""
        resource: Resource = (key[0], key[1])
        stored = self._api.store.get(resource, (key[2], key[3]))
        if stored is None or not _is_going(stored) or self._is_used(stored):
            return None
        row = self._api.registry.of_kind(stored.object["apiVersion"], stored.object["kind"])
        finalizer = FINALIZERS[resource]
        finalizers = stored.object["metadata"].get("finalizers", [])
        if row and finalizer in finalizers:
            remaining = [name for name in finalizers if name != finalizer]
            metadata = {**stored.object["metadata"], "finalizers": remaining}
            yield from self._actors[resource].update(row, {**stored.object, "metadata": metadata})
        return None

    def _is_used(self, stored: Stored) -> bool:
        if stored.resource != CLAIMS:
            return bool(stored.object.get("status", {}).get("phase") == "Bound")
        pods = self._api.store.list(PODS, namespace=stored.name[0])
        return any(stored.name[1] in _claim_names(pod.object) for pod in pods if not _has_ended(pod.object))


def _claim_names(pod: Json) -> list[str]:
    """Return the claims that a pod mounts."""
    volumes = pod["spec"].get("volumes") or ()
    return [
        volume["persistentVolumeClaim"]["claimName"]
        for volume in volumes
        if volume.get("persistentVolumeClaim")
    ]


def _has_ended(pod: Json) -> bool:
    return pod.get("status", {}).get("phase") in ENDED


def _is_going(stored: Stored) -> bool:
    return "deletionTimestamp" in stored.object["metadata"]


def _key(stored: Stored) -> Key:
    return (*stored.resource, *stored.name)

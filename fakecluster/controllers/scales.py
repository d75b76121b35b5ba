"""How many pods their owners want:
the sum of the replicas of everything that controls some of them (FK-487).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..base.json_types import Json
from ..registry.machinery import Api
from ..registry.verbs import scale
from .owners import controller_of

DEPLOYED = ("apps", "ReplicaSet", "Deployment")


class NoScale(Exception):
    """A pod is controlled by something that has no number of replicas; the text says by what."""


def sum_replicas(api: Api, pods: Iterable[Json]) -> int:
    """Return how many pods the owners of these want; pods without an owner do not count. Raises NoScale."""
    replicas_by_uid: dict[str, int] = {}
    for pod in pods:
        owner = controller_of(pod)
        if owner is not None and owner["uid"] not in replicas_by_uid:
            controlling = _controlling(api, owner, pod)
            replicas_by_uid[controlling["metadata"]["uid"]] = _replicas(api, controlling)
            if controlling["metadata"]["uid"] != owner["uid"]:
                replicas_by_uid[owner["uid"]] = 0
    return sum(replicas_by_uid.values())


def _controlling(api: Api, owner: Json, pod: Json) -> Json:
    """Return the object that says how many: the owner, or the Deployment that owns a ReplicaSet.

    Raises NoScale.
    """
    stored = _get_owner(api, owner, pod["metadata"]["namespace"])
    if stored is None:
        raise NoScale(f'found no controllers for pod "{pod["metadata"]["name"]}"')
    above = controller_of(stored)
    group = stored["apiVersion"].rpartition("/")[0]
    if above is None or (group, stored["kind"], above["kind"]) != DEPLOYED:
        return stored
    return _get_owner(api, above, pod["metadata"]["namespace"]) or stored


def _get_owner(api: Api, reference: Json, namespace: str) -> Json | None:
    row = api.registry.of_kind(reference["apiVersion"], reference["kind"])
    if row is None:
        return None
    stored = api.store.get(row.stored_as, (namespace if row.namespaced else "", reference["name"]))
    return stored.object if stored is not None and stored.uid == reference["uid"] else None


def _replicas(api: Api, controlling: Json) -> int:
    row = api.registry.of_kind(controlling["apiVersion"], controlling["kind"])
    if row is None or "scale" not in row.subresources:
        resource = row.resource if row else controlling["kind"]
        raise NoScale(f"{resource} does not implement the scale subresource")
    return int(scale.of(row, controlling, silent=True)["spec"].get("replicas", 0))

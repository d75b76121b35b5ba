"""Binds a volume and a claim to each other: four writes, each where it is missing (FK-504)."""

from __future__ import annotations

from ...api.steps import Steps
from ...base.json_types import Json
from ...store import Stored
from .matching import is_claimed_by
from .storage import BIND_COMPLETED, BOUND_BY_CONTROLLER, Storage, annotate


def bind(storage: Storage, volume: Stored, claim: Stored) -> Steps[None]:
    """Bind a volume and a claim to each other. Raises StatusError."""
    bound = yield from storage.update(volume, reserve(volume.object, claim.object))
    yield from storage.update_status(volume, bound, {**_without_reason(bound), "phase": "Bound"})
    own_claim = yield from storage.update(claim, _claim_of(claim.object, volume.name[1]))
    yield from storage.update_status(claim, own_claim, _bound_status(own_claim, volume.object))


def reserve(volume: Json, claim: Json) -> Json:
    """Return a volume that refers to its claim."""
    metadata = claim["metadata"]
    reference = volume["spec"].get("claimRef") or {}
    if reference.get("uid") == metadata["uid"]:
        return volume
    bound = {
        **reference,
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "namespace": metadata["namespace"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "resourceVersion": metadata["resourceVersion"],
    }
    changed = {**volume, "spec": {**volume["spec"], "claimRef": bound}}
    return changed if is_claimed_by(volume, claim) else annotate(changed, **{BOUND_BY_CONTROLLER: "yes"})


def _claim_of(claim: Json, volume: str) -> Json:
    """Return a claim that refers to its volume."""
    if claim["spec"].get("volumeName"):
        return annotate(claim, **{BIND_COMPLETED: "yes"})
    changed = {**claim, "spec": {**claim["spec"], "volumeName": volume}}
    return annotate(changed, **{BIND_COMPLETED: "yes", BOUND_BY_CONTROLLER: "yes"})


def _bound_status(claim: Json, volume: Json) -> Json:
    """Return the status of a bound claim; its capacity is that of the volume only when it is bound first, for
    it grows by other means.
    """
    status = claim.get("status") or {}
    if status.get("phase") == "Bound":
        return status
    spec = volume["spec"]
    return {**status, "phase": "Bound", "accessModes": spec["accessModes"], "capacity": spec["capacity"]}


def _without_reason(volume: Json) -> Json:
    status = volume.get("status") or {}
    return {name: value for name, value in status.items() if name not in {"message", "reason"}}

"""Which PersistentVolume a claim gets (FK-504)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...kinds.validation.basics import matches
from ..node_selectors import node_selector_matches

CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
FILESYSTEM = "Filesystem"


def class_of(obj: Json) -> str:
    """Return the StorageClass of a volume or a claim, empty when it has none."""
    annotation = (obj["metadata"].get("annotations") or {}).get(CLASS_ANNOTATION)
    return str(obj["spec"].get("storageClassName") or "") if annotation is None else str(annotation)


def is_claimed_by(volume: Json, claim: Json) -> bool:
    """Tell whether a volume is bound to a claim, or reserved for it."""
    reference, metadata = volume["spec"].get("claimRef"), claim["metadata"]
    if not reference:
        return False
    names = (reference.get("namespace"), reference.get("name")) == (metadata["namespace"], metadata["name"])
    return names and reference.get("uid") in {None, "", metadata["uid"]}


def best(
    claim: Json,
    volumes: Iterable[Json],
    *,
    delayed: bool = False,
    node: Json | None = None,
    taken: Collection[str] = (),
) -> Json | None:
    """Return the volume for a claim: one that is reserved for it, else the smallest that satisfies it.

    delayed: unreserved volumes are left to the scheduler.
    node: the volume has to be usable there.
    taken: names of volumes that are not to be looked at.
    """
    candidates = []
    for volume in volumes:
        if volume["metadata"]["name"] in taken or not _may_serve(volume, claim):
            continue
        usable = node is None or is_usable(volume, node)
        if is_claimed_by(volume, claim):
            return volume if usable else None
        if not volume["spec"].get("claimRef") and not delayed and usable and _satisfies(volume, claim):
            candidates.append(volume)
    return min(candidates, key=_order, default=None)


def mismatch(volume: Json, claim: Json) -> str:
    """Return why a claim that names a volume cannot have it, empty when it can."""
    if "deletionTimestamp" in volume["metadata"]:
        return f'the volume is marked for deletion "{volume["metadata"]["name"]}"'
    if size_of(volume).amount < request_of(claim).amount:
        return "requested PV is too small"
    if class_of(volume) != class_of(claim):
        return "storageClassName does not match"
    if _attributes(volume) != _attributes(claim):
        return "volumeAttributesClassName does not match"
    if _mode(volume) != _mode(claim):
        return "incompatible volumeMode"
    return "" if _has_access_modes(volume, claim) else "incompatible accessMode"


def size_of(volume: Json) -> Quantity:
    """Return the capacity of a volume."""
    return Quantity.of(str(volume["spec"]["capacity"]["storage"]))


def request_of(claim: Json) -> Quantity:
    """Return the capacity that a claim requests."""
    return Quantity.of(
        str(((claim["spec"].get("resources") or {}).get("requests") or {}).get("storage", "0"))
    )


def is_usable(volume: Json, node: Json) -> bool:
    """Tell whether a volume can be used on a node."""
    required = (volume["spec"].get("nodeAffinity") or {}).get("required")
    return required is None or node_selector_matches(required.get("nodeSelectorTerms") or [], node)


def _may_serve(volume: Json, claim: Json) -> bool:
    """Tell whether a volume can serve a claim, also one that it is reserved for."""
    return (
        size_of(volume).amount >= request_of(claim).amount
        and _mode(volume) == _mode(claim)
        and _attributes(volume) == _attributes(claim)
        and "deletionTimestamp" not in volume["metadata"]
        and _has_access_modes(volume, claim)
    )


def _satisfies(volume: Json, claim: Json) -> bool:
    selector, labels = claim["spec"].get("selector"), volume["metadata"].get("labels") or {}
    return (
        volume.get("status", {}).get("phase") == "Available"
        and (selector is None or matches(selector, labels))
        and class_of(volume) == class_of(claim)
    )


def _order(volume: Json) -> Any:
    """Return the order of volumes: few access modes first, then small ones."""
    return len(volume["spec"].get("accessModes") or ()), size_of(volume).amount, volume["metadata"]["name"]


def _has_access_modes(volume: Json, claim: Json) -> bool:
    return {*(claim["spec"].get("accessModes") or ())} <= {*(volume["spec"].get("accessModes") or ())}


def _mode(obj: Json) -> str:
    return str(obj["spec"].get("volumeMode") or FILESYSTEM)


def _attributes(obj: Json) -> str:
    return str(obj["spec"].get("volumeAttributesClassName") or "")

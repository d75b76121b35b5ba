"""PersistentVolumeClaimResize: a claim grows only where its class lets it (FK-504)."""

from __future__ import annotations

from typing import Any

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from .default_storage_class import CLASSES, NAMED_BEFORE
from .plugin import UPDATE, Plugin, forbidden

UNBOUND_CLAIM = "Only bound persistent volume claims can be expanded"
NOT_EXPANDABLE = "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize"


def check_growth(api: Context, review: Review) -> None:
    """Check that a claim that grows is bound, and of a class whose volumes can. Raises 403."""
    # Shrinking is refused by validation, not here.
    if _size(review.new) <= _size(review.old):
        return
    if (review.old.get("status") or {}).get("phase") != "Bound":
        raise forbidden(review, UNBOUND_CLAIM)
    name = _class_of(review.new)
    # A claim that changes its class at once has none whose word could be taken.
    stored = api.store.get(CLASSES, ("", name)) if name and name == _class_of(review.old) else None
    if stored is None or not stored.object.get("allowVolumeExpansion"):
        raise forbidden(review, NOT_EXPANDABLE)


def _size(claim: Json) -> Any:
    requests = (claim["spec"].get("resources") or {}).get("requests") or {}
    return Quantity.of(requests.get("storage", "0")).amount


def _class_of(claim: Json) -> str:
    annotations = claim["metadata"].get("annotations") or {}
    # The beta annotation still comes first.
    return str(annotations.get(NAMED_BEFORE) or claim["spec"].get("storageClassName") or "")


PLUGIN = Plugin(
    name="PersistentVolumeClaimResize",
    operations=UPDATE,
    validates={("", "persistentvolumeclaims", ""): check_growth},
)

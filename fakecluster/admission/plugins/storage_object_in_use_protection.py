"""StorageObjectInUseProtection: finalizers keep storage objects while they are in use (FK-504)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...kinds.storage_finalizers import FINALIZERS
from .plugin import CREATE, Plugin


def protect(api: Context, review: Review, obj: Json) -> Json:
    """Return a new storage object with the finalizer of its kind."""
    del api
    finalizer = FINALIZERS[review.kind.group, review.kind.plural]
    present = obj["metadata"].get("finalizers") or []
    if finalizer in present:
        return obj
    return {**obj, "metadata": {**obj["metadata"], "finalizers": [*present, finalizer]}}


PLUGIN = Plugin(
    name="StorageObjectInUseProtection",
    operations=CREATE,
    mutates={(group, plural, ""): protect for group, plural in FINALIZERS},
)

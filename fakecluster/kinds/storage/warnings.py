"""Warnings of StorageClasses, CSIStorageCapacities and CSIDrivers (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json
from ..validation import deprecated_labels

SECRETS = (
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver,"
    " set to true to prevent possible logging of tokens in volume attributes"
)


def storage_class(new: Json, old: Json) -> list[str]:
    """Return the warnings of a StorageClass."""
    del old
    return [
        f"allowedTopologies[{number}].matchLabelExpressions[{index}].key: {deprecated_labels.MESSAGES[expression['key']]}"
        for number, topology in enumerate(new.get("allowedTopologies") or ())
        for index, expression in enumerate(topology.get("matchLabelExpressions") or ())
        if expression.get("key") in deprecated_labels.MESSAGES
    ]


def capacity(new: Json, old: Json) -> list[str]:
    """Return the warnings of a CSIStorageCapacity."""
    del old
    return list(deprecated_labels.of_selector(new.get("nodeTopology"), "nodeTopology"))


def driver(new: Json, old: Json) -> list[str]:
    """Return the warning of a CSIDriver that begins to get tokens beside its secrets."""
    spec = new["spec"]
    tokens = spec.get("tokenRequests") or []
    changed = old is None or tokens != (old["spec"].get("tokenRequests") or [])
    return [SECRETS] if tokens and changed and spec.get("serviceAccountTokenInSecrets") is None else []

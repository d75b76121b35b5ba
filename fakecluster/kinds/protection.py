"""Finalizers that keep storage objects while they are in use, put on every new one (FK-504)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Json = Any


def _protected(finalizer: str) -> Callable[[Json], Json]:
    def prepare(obj: Json) -> Json:
        found = obj["metadata"].get("finalizers", [])
        if finalizer in found:
            return obj
        return {**obj, "metadata": {**obj["metadata"], "finalizers": [*found, finalizer]}}

    return prepare


CLAIM, VOLUME, ATTRIBUTES = (
    "kubernetes.io/pvc-protection",
    "kubernetes.io/pv-protection",
    "kubernetes.io/vac-protection",
)
FINALIZERS = {
    ("", "persistentvolumeclaims"): CLAIM,
    ("", "persistentvolumes"): VOLUME,
    ("storage.k8s.io", "volumeattributesclasses"): ATTRIBUTES,
}
of_claim = _protected(CLAIM)
of_volume = _protected(VOLUME)
of_attributes = _protected(ATTRIBUTES)


def dated(obj: Json) -> Json:
    """Return a new volume that says since when it is in its phase."""
    return {
        **obj,
        "status": {**obj["status"], "lastPhaseTransitionTime": obj["metadata"]["creationTimestamp"]},
    }

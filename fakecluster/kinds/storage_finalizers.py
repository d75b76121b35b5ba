"""Finalizers that keep storage objects while they are in use (FK-504)."""

from __future__ import annotations

from ..base.json_types import Json

FINALIZERS = {
    ("", "persistentvolumeclaims"): "kubernetes.io/pvc-protection",
    ("", "persistentvolumes"): "kubernetes.io/pv-protection",
    ("storage.k8s.io", "volumeattributesclasses"): "kubernetes.io/vac-protection",
}


def with_phase_time(obj: Json) -> Json:
    """Return a new volume with the lastPhaseTransitionTime of its phase."""
    return {
        **obj,
        "status": {**obj["status"], "lastPhaseTransitionTime": obj["metadata"]["creationTimestamp"]},
    }

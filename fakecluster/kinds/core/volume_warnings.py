"""Warnings of volumes and claims (FK-236)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ..validation import deprecated_labels
from ..validation.fractional_bytes import of_amounts

CLASS = "volume.beta.kubernetes.io/storage-class"
USE_CLASS = 'deprecated since v1.8; use "storageClassName" attribute instead'
ANNOTATIONS = {
    CLASS: USE_CLASS,
    "volume.beta.kubernetes.io/mount-options": 'deprecated since v1.31; use "mountOptions" attribute instead',
}
RECYCLE_WARNING = (
    "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated."
    " Instead, the recommended approach is to use dynamic provisioning."
)
SOURCES = {
    "cephfs": "cephfs: deprecated in v1.28, non-functional in v1.31+",
    "photonPersistentDisk": "photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
    "scaleIO": "scaleIO: deprecated in v1.16, non-functional in v1.22+",
    "storageos": "storageOS: deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "glusterfs: deprecated in v1.25, non-functional in v1.26+",
    "rbd": "rbd: deprecated in v1.28, non-functional in v1.31+",
}


def volume(new: Json, old: Json) -> list[str]:
    """Return the warnings of a PersistentVolume."""
    del old
    return list(_volume(new["metadata"].get("annotations") or {}, new["spec"]))


def _volume(annotations: Json, spec: Json) -> Iterator[str]:
    for name, text in ANNOTATIONS.items():
        if name in annotations:
            yield f"metadata.annotations[{name}]: {text}"
    if spec.get("persistentVolumeReclaimPolicy") == "Recycle":
        yield RECYCLE_WARNING
    terms = ((spec.get("nodeAffinity") or {}).get("required") or {}).get("nodeSelectorTerms") or ()
    for number, term in enumerate(terms):
        yield from deprecated_labels.of_term(term, f"spec.nodeAffinity.required.nodeSelectorTerms[{number}]")
    for source, text in SOURCES.items():
        if spec.get(source) is not None:
            yield f"spec.{text}"


def claim(new: Json, old: Json) -> list[str]:
    """Return the warnings of a PersistentVolumeClaim."""
    del old
    annotations = new["metadata"].get("annotations") or {}
    deprecated = [f"metadata.annotations[{CLASS}]: {USE_CLASS}"] if CLASS in annotations else []
    return [*deprecated, *of_claim_spec(new["spec"], "spec")]


def of_claim_spec(spec: Json, path: str) -> Iterator[str]:
    """Yield the warnings of the spec of a claim, or of a template of one."""
    for side in ("requests", "limits"):
        amounts = (spec.get("resources") or {}).get(side)
        yield from of_amounts(amounts, f"{path}.resources.{side}", ("storage",))

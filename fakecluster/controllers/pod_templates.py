"""A pod as the template of its controller has it."""

from __future__ import annotations

from ..base.json_types import Json
from .owners import reference_to

LONGEST_NAME = 253


def pod_of(owner: Json, template: Json) -> Json:
    """Return a pod of a template for its owner; its name is generated."""
    metadata, name = template.get("metadata") or {}, owner["metadata"]["name"]
    own = {
        "generateName": f"{name}-" if len(name) < LONGEST_NAME else name,
        "namespace": owner["metadata"]["namespace"],
        "labels": dict(metadata.get("labels") or {}),
        "annotations": dict(metadata.get("annotations") or {}),
        "finalizers": list(metadata.get("finalizers") or ()),
        "ownerReferences": [reference_to(owner)],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": own, "spec": template["spec"]}

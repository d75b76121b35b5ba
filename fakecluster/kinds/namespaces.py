"""What the server makes of a new Namespace, and what updates may not touch (FK-340, FK-345)."""

from __future__ import annotations

from typing import Any

Json = Any
FINALIZER = "kubernetes"
NAME_LABEL = "kubernetes.io/metadata.name"


def prepare(namespace: Json) -> Json:
    """Make it active and keep it until its content is gone."""
    given = namespace.get("spec", {}).get("finalizers") or []
    finalizers = given if FINALIZER in given else [*given, FINALIZER]
    metadata = namespace["metadata"]
    labels = {**metadata.get("labels", {}), NAME_LABEL: metadata.get("name", "")}
    return {
        **namespace,
        "metadata": {**metadata, "labels": labels},
        "spec": {"finalizers": finalizers},
        "status": {"phase": "Active"},
    }


def keep_finalizers(new: Json, old: Json) -> Json:
    """Only /finalize changes the spec."""
    return {**new, "spec": old["spec"]}

"""The class that annotations mark as the default of its kind:
the newest, and of equally old ones the first by name.
"""

from __future__ import annotations

from collections.abc import Collection

from ...base.json_types import Json
from ...store import Resource, Store


def default_class(store: Store, resource: Resource, annotations: Collection[str]) -> str:
    """Return the name of the default class of a resource, empty when there is none."""
    if not store.has_any((resource,)):
        return ""
    classes = [stored.object["metadata"] for stored in store.list(resource)]
    marked = [metadata for metadata in classes if _is_marked(metadata, annotations)]
    newest = max((metadata["creationTimestamp"] for metadata in marked), default="")
    # By name where several were made in the same second.
    return min(
        (metadata["name"] for metadata in marked if metadata["creationTimestamp"] == newest), default=""
    )


def _is_marked(metadata: Json, annotations: Collection[str]) -> bool:
    present = metadata.get("annotations") or {}
    return any(present.get(annotation) == "true" for annotation in annotations)

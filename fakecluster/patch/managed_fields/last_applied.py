"""The annotation of client-side apply, as server-side apply by the same tool treats it (FK-210, FK-226).

What the annotation says and the live object still holds belongs to that tool, so taking it over is no
conflict. The annotation is kept in step with the body for as long as the object carries it.
"""

from __future__ import annotations

import orjson

from ...base.json_types import Json
from .comparison import compare
from .fieldset import Fields, claimed_fields, difference
from .typed import NodeType

KUBECTL = "kubectl"
ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
ANNOTATIONS_LIMIT = 256 * 1024


def owned_fields(live: Json, api_version: str, typed: NodeType) -> Fields:
    """Return the fields that client-side apply set and that have not changed since."""
    try:
        last_config = orjson.loads(_text(live))
    except orjson.JSONDecodeError:
        return {}
    # An annotation of another version cannot be compared: its fields may have other names.
    if not isinstance(last_config, dict) or last_config.get("apiVersion") != api_version:
        return {}
    comparison = compare(last_config, live, typed)
    unchanged = claimed_fields(last_config, typed)
    for changed_fields in (comparison.modified, comparison.added, comparison.removed):
        unchanged = difference(unchanged, changed_fields)
    return unchanged


def sync_annotation(obj: Json, config: Json) -> Json:
    """Return the object with its annotation, if it has one, saying what was applied now."""
    if not _text(obj):
        return obj
    metadata = obj["metadata"]
    annotations = {**metadata["annotations"], ANNOTATION: _to_annotation(config)}
    # With the annotation the object would be refused for the size of its annotations; kubectl then goes on
    # without it.
    if sum(len(name) + len(value.encode()) for name, value in annotations.items()) > ANNOTATIONS_LIMIT:
        del annotations[ANNOTATION]
    return {**obj, "metadata": {**metadata, "annotations": annotations}}


def _text(obj: Json) -> str:
    return str((obj.get("metadata", {}).get("annotations") or {}).get(ANNOTATION) or "")


def _to_annotation(config: Json) -> str:
    metadata = config.get("metadata") or {}
    annotations = {
        name: value for name, value in (metadata.get("annotations") or {}).items() if name != ANNOTATION
    }
    if "annotations" in metadata:
        metadata = {**metadata, "annotations": annotations}
    # kubectl writes it by an encoder that ends with a line break.
    return orjson.dumps({**config, "metadata": metadata}, option=orjson.OPT_SORT_KEYS).decode() + "\n"

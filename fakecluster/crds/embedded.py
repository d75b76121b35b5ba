"""Metadata of the objects that custom resources embed (FK-260): read as its type, judged like any metadata
but its name.
"""

from __future__ import annotations

from collections.abc import Callable

from ..base.json_types import Json
from ..gotypes import typed
from ..meta import names, objectmeta
from ..schema import fields
from ..schema.compiled import CompiledSchema, below
from ..schema.fields import FieldError, go_json
from .naming import KIND_RULE, label_problems


def pruner(compiled: CompiledSchema) -> Callable[[Json], tuple[Json, list[str]]]:
    """Return how objects of a schema lose their unknown fields, those in embedded metadata last.

    The function raises GoTypeError when embedded metadata is none.
    """
    walk = compiled.walk_embedded
    if walk is None:
        return compiled.prune

    def prune(obj: Json) -> tuple[Json, list[str]]:
        pruned, dropped = compiled.prune(obj)
        # Pruned first, then decoded: the metadata of an object that the schema drops is not read.
        unknown: list[str] = []
        replaced = walk(pruned, "", lambda resource, path: decode_resource(resource, path, unknown))
        # Both lists are sorted on their own: fields of metadata come last.
        return replaced, [*dropped, *sorted(unknown)]

    return prune


def decode_resource(resource: Json, path: str, unknown: list[str]) -> Json:
    """Return an embedded resource whose metadata has only known fields. Raises GoTypeError."""
    # Before the metadata, and only if present: an absent member is judged with the values.
    for member in ("apiVersion", "kind"):
        if member in resource and not isinstance(resource[member], str):
            shown = go_json(resource[member])
            raise typed.GoTypeError(f"{path}.{member}: Invalid value: {shown}: must be a string")
    if "metadata" not in resource:
        return resource
    try:
        decoded = typed.decode_message("meta.v1.ObjectMeta", resource["metadata"])
    except typed.GoTypeError as error:
        shown = go_json(resource["metadata"])
        # The decoder counts from the object, the message from its metadata.
        text = str(error).replace("field ObjectMeta.metadata.", "field ObjectMeta.")
        raise typed.GoTypeError(f"{path}.metadata: Invalid value: {shown}: {text}") from error
    unknown.extend(f"{path}.metadata.{field}" for field in decoded.unknown)
    return {**resource, "metadata": decoded.object}


def metadata_errors(resource: Json, path: str) -> list[FieldError]:
    """Return the errors of the metadata of an embedded resource."""
    metadata = resource.get("metadata") or {}
    name = metadata.get("name") or ""
    # Only whether the name could stand in a path: its form is for the kind to decide, which nothing here
    # knows.
    named = [fields.invalid("metadata.name", name, why) for why in names.path_problems(name)]
    kind = str(resource.get("kind") or "")
    if kind and (problem := label_problems(kind.lower())):
        named.append(fields.invalid("kind", kind, KIND_RULE + problem))
    return [below(path, error) for error in (*named, *objectmeta.content_errors(metadata, strict=False))]

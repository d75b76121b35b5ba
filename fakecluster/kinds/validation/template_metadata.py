"""The metadata of templates, which are labels and annotations alone (FK-498, FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...meta import objectmeta
from ...schema import fields
from . import basics
from .basics import Errors

OTHER_MEMBERS = (
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "ownerReferences",
    "finalizers",
    "managedFields",
)
"""What a template may not say, in the order of the Go struct."""
ERROR_PATHS = {"uid": "uID"}
"""Members whose errors show the name of the Go field, of which only the first letter is made small."""


def template_metadata(metadata: Json, path: str) -> Errors:
    """Judge the metadata of a template; an empty list counts as said."""
    for error in objectmeta.map_errors("annotations", metadata.get("annotations") or {}):
        under = error.field.removeprefix("metadata.")
        yield fields.FieldError(error.reason, f"{path}.{under}", error.body)
    yield from basics.label_map(metadata.get("labels"), f"{path}.labels")
    for name in OTHER_MEMBERS:
        value = metadata.get(name)
        if value or isinstance(value, list) or (name == "deletionGracePeriodSeconds" and value is not None):
            yield fields.forbidden(f"{path}.{ERROR_PATHS.get(name, name)}", "cannot be set")

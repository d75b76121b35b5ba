"""Selectable fields of a version (FK-280)."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.json_types import Json
from ..schema import fields
from ..schema.fields import FieldError
from ..schema.memberpaths import PathError, PathTarget, follow

MAX_SELECTABLE_FIELDS = 8
TYPES = ("string", "boolean", "integer")
WRONG_TYPE = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."


def selectable_errors(version: Json, path: str, *, apart: bool) -> Iterator[FieldError]:
    """Return the errors of the selectable fields of a version at its path.

    The real server looks for a schema in the version, and has moved one that all versions share: `apart` is
    whether they differ.
    """
    selectable, schema = version.get("selectableFields") or [], _schema(version)
    if selectable and (schema is None or not apart):
        why = "may only be set when `version.schema.openAPIV3Schema` is not included"
        yield fields.invalid(f"{path}.selectableFields", "", why)
    elif selectable:
        yield from _errors(selectable, schema, f"{path}.selectableFields")


def selectable_errors_of_all(version: Json, *, shared_schema: bool) -> Iterator[FieldError]:
    """Return the errors of selectable fields that all versions have, as this one; the schema has to be one
    that they share as well.
    """
    selectable, path = version.get("selectableFields") or [], "spec.selectableFields"
    if selectable and (version.get("schema") is None or not shared_schema):
        yield fields.invalid(path, "", "may only be set when validations.schema is included")
    elif selectable:
        yield from _errors(selectable, _schema(version) or {}, path)


def _schema(version: Json) -> Json:
    return (version.get("schema") or {}).get("openAPIV3Schema")


def _errors(selectable: list[Json], schema: Json, path: str) -> Iterator[FieldError]:
    paths: set[str] = set()
    for i, field in enumerate(selectable):
        value, where = field.get("jsonPath") or "", f"{path}[{i}].jsonPath"
        if not value:
            yield fields.required(where)
            continue
        try:
            target = follow(schema, value, brackets=False)
        except PathError as error:
            yield fields.invalid(where, value, f"is an invalid path: {error}")
            continue
        yield from (fields.invalid(where, value, why) for why in _problems(target))
        if target.path in paths:
            yield fields.duplicate(where, value)
        paths.add(target.path)
    if len(paths) > MAX_SELECTABLE_FIELDS:
        yield fields.too_many(path, len(paths), MAX_SELECTABLE_FIELDS)


def _problems(target: PathTarget) -> Iterator[str]:
    if target.path.split(".")[0] == "metadata":
        yield "must not point to fields in metadata"
    if target.node.get("type") not in TYPES:
        yield WRONG_TYPE

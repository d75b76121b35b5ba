"""Selectable fields of a version (FK-280)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...schema import fields
from ...schema.fields import FieldError
from .memberpaths import resolved

Json = Any
LIMIT = 8
TYPES = ("string", "boolean", "integer")
WRONG_TYPE = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."


def selectable_errors(version: Json, path: str) -> Iterator[FieldError]:
    """Return what is wrong with the selectable fields of a version."""
    selectable = version.get("selectableFields") or []
    schema = (version.get("schema") or {}).get("openAPIV3Schema")
    if not selectable:
        return
    if schema is None:
        yield fields.invalid(path, "", "may only be set when a schema is set")
        return
    seen: set[str] = set()
    for i, field in enumerate(selectable):
        value, where = field.get("jsonPath") or "", f"{path}[{i}].jsonPath"
        found = list(_path_errors(schema, value, where))
        yield from found
        if not found and value in seen:
            yield fields.duplicate(where, value)
        seen.add(value)
    if len(selectable) > LIMIT:
        yield fields.too_many(path, len(selectable), LIMIT)


def _path_errors(schema: Json, value: str, path: str) -> Iterator[FieldError]:
    if not value:
        yield fields.required(path)
        return
    problem = _problem(schema, value)
    if problem:
        yield fields.invalid(path, value, problem)


def _problem(schema: Json, value: str) -> str:
    if value[0] not in ".[":
        return f"is an invalid path: expected [ or . but got: {value.split('.', maxsplit=1)[0].split('[', maxsplit=1)[0]}"
    if "[" in value and "['" not in value:
        return "is an invalid path: array notation is not allowed"
    node = None if value.startswith(".metadata") else resolved(schema, value)
    if node is None:
        return "is an invalid path: does not refer to a valid field"
    return "" if node.get("type") in TYPES else WRONG_TYPE

"""Selectable fields of a version (FK-280)."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.json_types import Json
from ..schema import fields
from ..schema.fields import FieldError
from ..schema.memberpaths import PathError, follow

LIMIT = 8
TYPES = ("string", "boolean", "integer")
WRONG_TYPE = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."


def selectable_errors(version: Json, path: str) -> Iterator[FieldError]:
    """Return the errors of the selectable fields of a version."""
    selectable = version.get("selectableFields") or []
    schema = (version.get("schema") or {}).get("openAPIV3Schema")
    if not selectable:
        return
    if schema is None:
        yield fields.invalid(
            path, "", "may only be set when `version.schema.openAPIV3Schema` is not included"
        )
        return
    seen: set[str] = set()
    for i, field in enumerate(selectable):
        value, where = field.get("jsonPath") or "", f"{path}[{i}].jsonPath"
        found = list(_path_errors(schema, value, where))
        yield from found
        if not found and value in seen:
            yield fields.duplicate(where, value)
        seen.add(value)
    if len(seen) > LIMIT:
        yield fields.too_many(path, len(seen), LIMIT)


def _path_errors(schema: Json, value: str, path: str) -> Iterator[FieldError]:
    if not value:
        yield fields.required(path)
        return
    problem = _problem(schema, value)
    if problem:
        yield fields.invalid(path, value, problem)


def _problem(schema: Json, value: str) -> str:
    try:
        target = follow(schema, value, brackets=False)
    except PathError as error:
        return f"is an invalid path: {error}"
    if target.path.split(".")[0] == "metadata":
        return "must not point to fields in metadata"
    return "" if target.node.get("type") in TYPES else WRONG_TYPE

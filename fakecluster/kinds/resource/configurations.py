"""Parameters for drivers of devices: in classes, claims and allocations (FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import go_json
from ..validation.basics import Errors
from . import qualified_names

PARAMETERS_LIMIT_BYTES = 10 * 1024
VALUE_OMITTED = "<value omitted>"


def configuration(value: Json, path: str) -> Errors:
    """Judge a configuration, which is opaque to Kubernetes."""
    opaque, inner_path = value.get("opaque"), f"{path}.opaque"
    if opaque is None:
        yield fields.required(inner_path)
        return
    yield from qualified_names.driver(opaque.get("driver", ""), f"{inner_path}.driver")
    yield from raw_object(opaque.get("parameters"), f"{inner_path}.parameters")


def raw_object(value: Json, path: str) -> Errors:
    """Judge JSON that must be an object of limited size."""
    if value is None:
        yield fields.required(path)
    elif len(go_json(value).encode()) > PARAMETERS_LIMIT_BYTES:
        yield fields.too_long(path, PARAMETERS_LIMIT_BYTES)
    elif not isinstance(value, dict):
        yield fields.invalid(path, VALUE_OMITTED, "must be a valid JSON object")

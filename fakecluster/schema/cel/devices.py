"""What selectors of devices may say: `device` with its driver, attributes and capacity (FK-504)."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..fields import FieldError, forbidden, invalid, too_long
from .engine import CompileError
from .model.shapes import Shape, shape_of
from .native import EXTENSIONS, NATIVE
from .typing.expressions import check_type

LONGEST_BYTES = 10 * 1024
MAX_SELECTOR_COST = 1_000_000
UNKNOWN_TYPE = "any"
"""The type of an attribute's value."""
MAX_ATTRIBUTES = 32


def _by_domain(inner: dict[str, Any]) -> dict[str, Any]:
    named = {"type": "object", "maxProperties": MAX_ATTRIBUTES, "additionalProperties": inner}
    return {"type": "object", "maxProperties": MAX_ATTRIBUTES, "additionalProperties": named}


DEVICE = {
    "type": "object",
    "x-go-type": "kubernetes.DRADevice",
    "properties": {
        "driver": {"type": "string", "maxLength": 63},
        "attributes": _by_domain({"x-cel-type": "dyn", "x-go-type": UNKNOWN_TYPE}),
        "capacity": _by_domain({"x-cel-type": "quantity"}),
        "allowMultipleAllocations": {"type": "boolean"},
    },
}


def problem(expression: str, path: str) -> FieldError | None:
    """Return why an expression selects no devices, None when it does."""
    if len(expression.encode()) > LONGEST_BYTES:
        return too_long(path, LONGEST_BYTES)
    try:
        checked = check_type(expression, _environment(), {"device": _device()})
    except CompileError as error:
        return invalid(path, expression, f"compilation failed: {error}")
    if checked.title not in {"bool", UNKNOWN_TYPE}:
        title = checked.title.replace(UNKNOWN_TYPE, "google.protobuf.Any")
        return invalid(path, expression, f"must evaluate to bool or the unknown type, not {title}")
    return forbidden(path, "too complex, exceeds cost limit") if checked.cost > MAX_SELECTOR_COST else None


@cache
def _device() -> Shape:
    return shape_of(DEVICE) or Shape("dyn")


@cache
def _environment() -> Any:
    return NATIVE.environment({"device": "dyn"}, extensions=(*EXTENSIONS, "bindings"))

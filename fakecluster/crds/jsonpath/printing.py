"""Values of JSON paths as text."""

from __future__ import annotations

from ...base.json_types import Json
from ...base.numbers.floats import go_float
from ...schema.fields import html_safe
from ...schema.scalars import json_text

NO_VALUE = "<no value>"
"""How null is printed."""


def go_text(value: Json) -> str:
    """Return a value as Go prints it, lists and maps as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return html_safe(json_text(value))
    return go_float(value) if isinstance(value, float) else str(int(value))

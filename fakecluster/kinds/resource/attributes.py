"""Attributes of devices, each of which has one value (FK-504)."""

from __future__ import annotations

import re

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ..validation.basics import Errors

VALUE_LIMIT_BYTES = 64
NUMBER = r"(0|[1-9]\d*)"
PRERELEASE = r"(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
BUILD = r"[0-9a-zA-Z-]+"
SEMVER = re.compile(
    rf"{NUMBER}\.{NUMBER}\.{NUMBER}(-{PRERELEASE}(\.{PRERELEASE})*)?(\+{BUILD}(\.{BUILD})*)?", re.ASCII
)
VALUES = ("bool", "int", "string", "version")
ONE_VALUE = "exactly one value must be specified"


def attribute(value: Json, path: str) -> Errors:
    """Judge an attribute."""
    for name in ("string", "version"):
        if value.get(name) is not None:
            yield from _text(value[name], f"{path}.{name}", version=name == "version")
    members = [name for name in VALUES if value.get(name) is not None]
    if not members:
        yield fields.invalid(path, "", ONE_VALUE)
    elif len(members) > 1:
        yield fields.invalid(path, to_go_struct("resource.v1.DeviceAttribute", value), ONE_VALUE)


def _text(text: str, path: str, *, version: bool) -> Errors:
    if version and not SEMVER.fullmatch(text):
        yield fields.invalid(path, text, "must be a string compatible with semver.org spec 2.0.0")
    if len(text.encode()) > VALUE_LIMIT_BYTES:
        yield fields.too_long(path, VALUE_LIMIT_BYTES)

"""The structure of an OpenAPI document: it without texts of documentation, which are each server's own."""

from __future__ import annotations

import hashlib
import json
import re

from ..base.json_types import Json

SHARED_PARAMETER = re.compile(r"(#/parameters/[A-Za-z]+)-[\w-]{8}")
"""A parameter of version 2, whose name ends with a hash that its description is part of."""


def comparable_part(value: Json, how: str) -> Json:
    """Return what is compared of a part of a body: all of it, its `structure`, or a `digest` of that."""
    if not how:
        return value
    undescribed = _structure(value)
    if how == "structure":
        return undescribed
    return hashlib.sha256(json.dumps(undescribed, sort_keys=True).encode()).hexdigest()[:16]


def _structure(value: Json) -> Json:
    if isinstance(value, dict):
        members = {
            key: member
            for key, member in value.items()
            if key != "description" or not isinstance(member, str)
        }
        return {key: _structure(member) for key, member in members.items()}
    if isinstance(value, list):
        return [_structure(item) for item in value]
    return SHARED_PARAMETER.sub(r"\1", value) if isinstance(value, str) else value

"""Is an object allowed: metadata first, then what the kind says (FK-060, FK-065…FK-071, FK-108)."""

from __future__ import annotations

from typing import Any

from ..schema import fields
from ..schema.fields import FieldError
from . import names
from .action import Action

Json = Any


def of_new(action: Action, new: Json) -> list[FieldError]:
    """Judge an object that is about to be created."""
    kind = action.kind
    rules = [rule for rule in (kind.validate, kind.validate_new) if rule]
    return [*_name(new, names.RULES[kind.name_rule]), *(error for rule in rules for error in rule(new))]


def of_update(action: Action, new: Json, old: Json) -> list[FieldError]:
    """Judge an object that is about to replace another."""
    kind = action.kind
    if action.info.subresource == "status" and kind.validate_status:
        return kind.validate_status(new, old)
    errors = kind.validate(new) if kind.validate else []
    return [*errors, *(kind.validate_update(new, old) if kind.validate_update else [])]


def _name(new: Json, rule: Any) -> list[FieldError]:
    name = new["metadata"].get("name")
    if not name:
        return [fields.required("metadata.name", "name or generateName is required")]
    return [fields.invalid("metadata.name", name, problem) for problem in rule(name)]

"""From declared shapes to the structural schema of a dialect (AC-001…185, spec/apiserver.md §2.5.7)."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec

from ..resource import Json
from .edition import Edition, notes_of, strip
from .vocabulary import CelRule, SchemaKeywords, Shape

SCALARS: Mapping[Any, Json] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
}


def schema_of(shape: type[Shape], edition: Edition) -> Json:
    """Return the schema of an object."""
    properties: dict[str, Json] = {}
    required: list[str] = []
    for field in edition.fields(shape):
        properties[field.encode_name] = {**_default(field), **_schema_of_type(field.type, edition)}
        if field.required:
            required.append(field.encode_name)
    return {
        **_description(inspect.getdoc(shape) or ""),
        "type": "object",
        **({"properties": properties} if properties else {}),
        **({"required": sorted(required)} if required else {}),
        **shape.keywords,
        **_validations(edition.rules(shape), edition),
    }


def _schema_of_type(hint: Any, edition: Edition) -> Json:
    """Return the schema of a type with its annotations."""
    bare = strip(hint)
    notes = notes_of(hint)
    facts = [note.keywords for note in notes if isinstance(note, SchemaKeywords) and edition.has(note)]
    # A fact that brings its own kind of type (quantities, pod templates) stands instead of the Python type.
    base = {} if any("anyOf" in fact or "type" in fact for fact in facts) else _bare(bare, edition)
    merged = dict(base)
    for fact in facts:
        merged.update(fact)
    merged.update(_description(next((note for note in notes if isinstance(note, str)), "")))
    rules = tuple(note for note in notes if isinstance(note, CelRule))
    return {**merged, **_validations(rules, edition)}


def _bare(kind: Any, edition: Edition) -> Json:
    if kind in SCALARS:
        return SCALARS[kind]
    if isinstance(kind, type) and issubclass(kind, Shape):
        return schema_of(kind, edition)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _schema_of_type(arguments[0], edition)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema_of_type(arguments[1], edition)}
    raise TypeError(f"no schema for {kind!r}")


def _default(field: msgspec.structs.FieldInfo) -> Json:
    if field.default_factory is not msgspec.NODEFAULT:
        return {"default": {}}
    if field.default in (msgspec.NODEFAULT, None, ()):
        return {}
    return {"default": field.default}


def _description(text: str) -> Json:
    return {"description": " ".join(text.split())} if text else {}


def _validations(rules: tuple[CelRule, ...], edition: Edition) -> Json:
    valid = [rule for rule in rules if edition.has(rule)]
    if not valid:
        return {}
    return {
        "x-kubernetes-validations": [{"rule": rule.expression, "message": rule.message} for rule in valid]
    }

"""Built-in messages as OpenAPI publishes them, made from their Go types (FK-371).

A value that Go always encodes has its zero as default; a reference that has a default, or that is a field,
stands in `allOf`. Version 2 knows neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...base.json_types import Json
from ...gotypes.types import enumeration, go_fields, has_fields, is_named, schemas, underlying_type, union

NUMBER_OR_TEXT = [{"type": "integer"}, {"type": "string"}]
ZERO_BY_TYPE: Mapping[str, Json] = {"string": "", "integer": 0, "number": 0, "boolean": False}
INT_OR_STRING = "intstr.IntOrString"
SPECIAL_SCHEMAS: Mapping[str, Json] = {
    INT_OR_STRING: {"format": "int-or-string", "oneOf": NUMBER_OR_TEXT},
    "meta.v1.FieldsV1": {"type": "object"},
    "runtime.RawExtension": {"type": "object"},
    "apiextensions.v1.JSON": {},
    "apiextensions.v1.JSONSchemaPropsOrArray": {},
    "apiextensions.v1.JSONSchemaPropsOrBool": {},
    "apiextensions.v1.JSONSchemaPropsOrStringArray": {},
}
"""Types with an encoding of their own, whose forms for patches say more than is published."""
SPECIAL_V2_SCHEMAS: Mapping[str, Json] = {
    INT_OR_STRING: {"type": "string", "format": "int-or-string"},
    "resource.Quantity": {"type": "string"},
}
"""Types that version 2 has otherwise."""


UNDESCRIBED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "networking.v1.IngressRule": ("http",),
    "apiextensions.v1.JSONSchemaProps": (
        "additionalItems",
        "additionalProperties",
        "example",
        "externalDocs",
        "items",
        "not",
    ),
}
"""References without a comment in Go, which stand alone."""


@cache
def message_schema(name: str, *, simple: bool) -> Json:
    """Return the schema of a message; `simple` is the form of version 2."""
    # Version 2 cannot say that a value is an integer or a text, and calls it a text.
    if simple and name in SPECIAL_V2_SCHEMAS:
        return SPECIAL_V2_SCHEMAS[name]
    if not has_fields(name):
        return SPECIAL_SCHEMAS[name] if name in SPECIAL_SCHEMAS else schemas()[name]
    form, fields = schemas()[name], go_fields(name)
    unwrapped = UNDESCRIBED_FIELDS.get(name, ())
    properties = {
        field: schema if field in unwrapped else _field(schema, *fields[field][1:], simple=simple)
        for field, schema in form["properties"].items()
    }
    rest = {key: value for key, value in form.items() if key != "properties"}
    return {**rest, **({"properties": properties} if properties else {}), **_union(name, fields)}


def _union(name: str, fields: Mapping[str, Json]) -> Json:
    discriminator = union(name)
    if discriminator is None:
        return {}
    members = {field: fields[field][0] for field in fields if field != discriminator}
    chosen = {"discriminator": discriminator} if discriminator else {}
    return {"x-kubernetes-unions": [{**chosen, "fields-to-discriminateBy": members}]}


def _field(form: Json, go_type: str, presence: str, *, simple: bool) -> Json:
    """Return a field; `presence` says when Go leaves it out: `!` never."""
    value = _value(form, go_type, simple=simple)
    if simple:
        return value
    # Go always encodes a field without `omitempty`, so its zero is what a reader gets by default.
    if "default" not in form and not (presence != "!" and "type" in value):
        value |= _zero(value, go_type)
    return _in_all_of(value)


def _element(form: Json, go_type: str, *, simple: bool) -> Json:
    """Return an item of a list or a value of a map, which are always encoded."""
    value = _value(form, go_type, simple=simple)
    zero = {} if simple else _zero(value, go_type)
    return _in_all_of({**value, **zero}) if zero else value


def _value(form: Json, go_type: str, *, simple: bool) -> Json:
    """Return a value of a type without a default of its own."""
    plain = go_type.lstrip("*")
    values = enumeration(plain)
    # The zero and the elements are those of the type behind the name.
    while is_named(plain):
        plain = underlying_type(plain)
    inside = {}
    for key in ("items", "additionalProperties"):
        if key in form:
            inside[key] = _element(form[key], plain[plain.index("]") + 1 :], simple=simple)
    allowed = {"enum": values} if values else {}
    value = {**form, **inside, **allowed}
    if simple:
        value.pop("default", None)
    return value


def _zero(value: Json, go_type: str) -> Json:
    if go_type.startswith("*"):
        return {}
    if "$ref" in value:
        return {"default": {}} if has_fields(value["$ref"]) else {}
    kind = value.get("type")
    return {"default": ZERO_BY_TYPE[kind]} if kind in ZERO_BY_TYPE and value.get("format") != "byte" else {}


def _in_all_of(value: Json) -> Json:
    if "$ref" not in value:
        return value
    rest = {key: member for key, member in value.items() if key != "$ref"}
    # Version 3.0 ignores what stands beside a `$ref`, hence the `allOf`.
    return {"allOf": [{"$ref": value["$ref"]}], **rest}

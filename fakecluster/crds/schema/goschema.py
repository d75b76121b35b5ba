"""A schema as the real server prints it inside a message:
the names of its own fields, nothing left out (FK-037).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.json_types import Json


def go_schema(raw: Json) -> Json:
    """Return a schema in the shape of the server's own type."""
    if raw is None:
        return None
    return {go_name: convert(raw.get(name)) for go_name, (name, convert) in _FIELDS.items()}


def is_set(schema: Json, name: str) -> bool:
    """Whether a keyword is more than its type's zero value: Go keeps empty lists, maps and pointers."""
    value, convert = schema.get(name), _CONVERSIONS[name]
    # An empty text is the zero value of a Go string, while a pointer to one, or an empty list, prints.
    return value is not None and (bool(value) or convert not in {_text, bool})


def go_rule(rule: Json) -> Json:
    """Return a validation rule in the shape of the server's own type."""
    return {
        "Rule": rule.get("rule") or "",
        "Message": rule.get("message") or "",
        "MessageExpression": rule.get("messageExpression") or "",
        "Reason": rule.get("reason"),
        "FieldPath": rule.get("fieldPath") or "",
        "OptionalOldSelf": rule.get("optionalOldSelf"),
    }


def _text(value: Json) -> str:
    return str(value or "")


def _same(value: Json) -> Json:
    return value


def _list(value: Json) -> Json:
    return value or None


def _each(value: Json) -> Json:
    return [go_schema(schema) for schema in value] if value else None


def _map(value: Json) -> Json:
    # Go prints maps by sorted keys, in a message as in JSON.
    return {name: go_schema(value[name]) for name in sorted(value)} if value else None


def go_items(value: Json) -> Json:
    """Return the items of a schema in the shape of the server's own type."""
    if value is None:
        return None
    if isinstance(value, list):
        # A pointer to a struct of two: Go's JSONSchemaPropsOrArray.
        return {"Schema": None, "JSONSchemas": _each(value) or []}
    return {"Schema": go_schema(value), "JSONSchemas": None}


def _dependencies(value: Json) -> Json:
    if value is None:
        return None
    return {name: _dependency(value[name]) for name in sorted(value)}


def _dependency(value: Json) -> Json:
    is_list = isinstance(value, list)
    return {"Schema": None if is_list else go_schema(value), "Property": value if is_list else None}


def _schema_or_bool(value: Json) -> Json:
    if value is None:
        return None
    # Go's JSONSchemaPropsOrBool: a schema allows by being one.
    if isinstance(value, bool):
        return {"Allows": value, "Schema": None}
    return {"Allows": True, "Schema": go_schema(value)}


def _rules(value: Json) -> Json:
    return [go_rule(rule) for rule in value] if value else None


_FIELDS: Mapping[str, tuple[str, Callable[[Json], Json]]] = {
    "ID": ("id", _text),
    "Schema": ("$schema", _text),
    "Ref": ("$ref", _same),
    "Description": ("description", _text),
    "Type": ("type", _text),
    "Nullable": ("nullable", bool),
    "Format": ("format", _text),
    "Title": ("title", _text),
    "Default": ("default", _same),
    "Maximum": ("maximum", _same),
    "ExclusiveMaximum": ("exclusiveMaximum", bool),
    "Minimum": ("minimum", _same),
    "ExclusiveMinimum": ("exclusiveMinimum", bool),
    "MaxLength": ("maxLength", _same),
    "MinLength": ("minLength", _same),
    "Pattern": ("pattern", _text),
    "MaxItems": ("maxItems", _same),
    "MinItems": ("minItems", _same),
    "UniqueItems": ("uniqueItems", bool),
    "MultipleOf": ("multipleOf", _same),
    "Enum": ("enum", _list),
    "MaxProperties": ("maxProperties", _same),
    "MinProperties": ("minProperties", _same),
    "Required": ("required", _list),
    "Items": ("items", go_items),
    "AllOf": ("allOf", _each),
    "OneOf": ("oneOf", _each),
    "AnyOf": ("anyOf", _each),
    "Not": ("not", go_schema),
    "Properties": ("properties", _map),
    "AdditionalProperties": ("additionalProperties", _schema_or_bool),
    "PatternProperties": ("patternProperties", _map),
    "Dependencies": ("dependencies", _dependencies),
    "AdditionalItems": ("additionalItems", _schema_or_bool),
    "Definitions": ("definitions", _map),
    "ExternalDocs": ("externalDocs", _same),
    "Example": ("example", _same),
    "XPreserveUnknownFields": ("x-kubernetes-preserve-unknown-fields", _same),
    "XEmbeddedResource": ("x-kubernetes-embedded-resource", bool),
    "XIntOrString": ("x-kubernetes-int-or-string", bool),
    "XListMapKeys": ("x-kubernetes-list-map-keys", _list),
    "XListType": ("x-kubernetes-list-type", _same),
    "XMapType": ("x-kubernetes-map-type", _same),
    "XValidations": ("x-kubernetes-validations", _rules),
}
_CONVERSIONS = dict(_FIELDS.values())
FIELDS: Mapping[str, str] = {go_name: name for go_name, (name, _) in _FIELDS.items()}
"""The server's name of each keyword of a schema."""

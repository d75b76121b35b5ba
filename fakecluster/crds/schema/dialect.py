"""The part of OpenAPI v3 that a definition may use (FK-251, FK-259, FK-283), node by node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from ...schema.memberpaths import PathError, follow
from .listmaps import list_errors

META_FIELDS = ("metadata", "kind", "apiVersion")
TYPES = ("array", "boolean", "integer", "number", "object", "string")


def is_there(value: Json) -> bool:
    """Whether a keyword has any value, an empty one too."""
    return value is not None


UNSUPPORTED_KEYWORDS: Mapping[str, Callable[[Json], bool]] = {
    "id": bool,
    "additionalItems": is_there,
    "patternProperties": bool,
    "definitions": bool,
    "dependencies": is_there,
    "$ref": is_there,
}
"""Keywords that are refused, in the order of their errors, and which of their values are."""
NOT_STRUCTURAL: Mapping[str, Callable[[Json], bool]] = {
    # Go tells an absent pointer from an empty one; converting to a structural schema asks for less than
    # validation.
    **UNSUPPORTED_KEYWORDS,
    "dependencies": bool,
    "$ref": bool,
    "$schema": bool,
    "items": lambda items: isinstance(items, list) and bool(items),
    "x-kubernetes-preserve-unknown-fields": lambda value: value is False,
}
"""Keywords that have no structural form, and with which of their values."""
SUBSCHEMA_KEYWORDS = frozenset(
    {
        "additionalProperties",
        "properties",
        "not",
        "allOf",
        "oneOf",
        "anyOf",
        "definitions",
        "items",
        "dependencies",
    }
)
"""What other nodes are below."""


def children(node: Json, path: str) -> Iterator[tuple[Json, str]]:
    """Yield the nodes directly below a node with their paths, as errors are ordered."""
    if SUBSCHEMA_KEYWORDS.isdisjoint(node):  # most nodes are leaves
        return
    # `additionalProperties: true` is no node: there is nothing below it.
    if isinstance(node.get("additionalProperties"), dict):
        yield node["additionalProperties"], f"{path}.additionalProperties"
    for name, child in (node.get("properties") or {}).items():
        yield child, f"{path}.properties[{name}]"
    if node.get("not") is not None:
        yield node["not"], f"{path}.not"
    for junctor in ("allOf", "oneOf", "anyOf"):
        for i, child in enumerate(node.get(junctor) or ()):
            yield child, f"{path}.{junctor}[{i}]"
    for name, child in (node.get("definitions") or {}).items():
        yield child, f"{path}.definitions[{name}]"
    items = node.get("items")
    if isinstance(items, dict):
        yield items, f"{path}.items"
    elif isinstance(items, list):
        yield from ((child, f"{path}.items[{i}]") for i, child in enumerate(items))
    for name, child in (node.get("dependencies") or {}).items():
        if isinstance(child, dict):
            yield child, f"{path}.dependencies[{name}]"


def is_unsupported(node: Json, path: str) -> bool:
    """Whether a schema says something that has no structural form, so that only the dialect is judged."""
    own = any(has_none(node.get(name)) for name, has_none in NOT_STRUCTURAL.items())
    return own or any(is_unsupported(child, where) for child, where in children(node, path))


class Context(Struct, frozen=True):
    """Where a node stands: at the root, inside of metadata, where a default may not be and why."""

    root: bool = False
    in_meta: bool = False
    no_default: str = ""

    def below(self, node: Json, path: str, child: str) -> Context:
        """Return the context of a child at its path."""
        # A map in metadata (labels, annotations) has keys of its own, for which a default has no place.
        if child == f"{path}.additionalProperties" and self.in_meta:
            return Context(in_meta=True, no_default="inside additionalProperties applying to object metadata")
        if self.root or node.get("x-kubernetes-embedded-resource"):
            for name in META_FIELDS:
                if child == f"{path}.properties[{name}]":
                    why = f"in top-level {name}" if self.root else self.no_default
                    return Context(in_meta=True, no_default=why)
        # The context goes on unchanged below metadata: at any depth it is still metadata.
        return replace(self, root=False) if self.root else self


def dialect_errors(node: Json, path: str, context: Context) -> Iterator[FieldError]:
    """Return what a definition may not say, of a node and all below it."""
    yield from _keywords(node, path, context)
    if node.get("uniqueItems"):
        why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        yield fields.forbidden(f"{path}.uniqueItems", why)
    if node.get("additionalProperties") not in (None, True) and node.get("properties"):
        why = "additionalProperties and properties are mutual exclusive"
        yield fields.forbidden(f"{path}.additionalProperties", why)
    # The children in the middle, as in the real validation: the errors of a node frame those of its children.
    for child, where in children(node, path):
        yield from dialect_errors(child, where, context.below(node, path, where))
    if node.get("x-kubernetes-preserve-unknown-fields") is False:
        yield fields.invalid(
            f"{path}.x-kubernetes-preserve-unknown-fields", False, "must be true or undefined"
        )
    yield from _extension_of_type(node, path, "x-kubernetes-map-type", "object", ("atomic", "granular"))
    yield from _extension_of_type(node, path, "x-kubernetes-list-type", "array", ("atomic", "set", "map"))
    yield from list_errors(node, path)
    yield from _rule_texts(node, path)


def _keywords(node: Json, path: str, context: Context) -> Iterator[FieldError]:
    kind = node.get("type") or ""
    if kind and kind not in TYPES:
        yield fields.not_supported(f"{path}.type", kind, list(TYPES))
    if context.no_default and node.get("default") is not None:
        yield fields.forbidden(f"{path}.default", f"must not be set {context.no_default}")
    # Each keyword by its own notion of being there: an empty `definitions` is allowed, an empty `$ref` is
    # not.
    for name, is_refused in UNSUPPORTED_KEYWORDS.items():
        if is_refused(node.get(name)):
            yield fields.forbidden(f"{path}.{name}", f"{name} is not supported")
    if kind == "null":
        yield fields.forbidden(f"{path}.type", "type cannot be set to null, use nullable as an alternative")
    if node.get("items") and isinstance(node["items"], list):
        yield fields.forbidden(f"{path}.items", "items must be a schema object and not an array")
    if context.in_meta and node.get("x-kubernetes-embedded-resource"):
        yield fields.forbidden(
            f"{path}.x-kubernetes-embedded-resource", "must not be used inside of resource meta"
        )


def _extension_of_type(
    node: Json, path: str, name: str, kind: str, allowed: tuple[str, ...]
) -> Iterator[FieldError]:
    value = node.get(name)
    if value is None:
        return
    # A wrong type and an unknown value are two errors: the real server reports both.
    if node.get("type") != kind:
        why = f"must be {kind} if {name} is specified"
        type_name = node.get("type") or ""
        yield (
            fields.invalid(f"{path}.type", type_name, why)
            if type_name
            else fields.required(f"{path}.type", why)
        )
    if value not in allowed:
        yield fields.not_supported(f"{path}.{name}", value, list(allowed))


def _rule_texts(node: Json, path: str) -> Iterator[FieldError]:
    for i, rule in enumerate(node.get("x-kubernetes-validations") or ()):
        yield from _rule_text(node, rule, f"{path}.x-kubernetes-validations[{i}]")


def _rule_text(node: Json, rule: Json, path: str) -> Iterator[FieldError]:
    text, message = rule.get("rule") or "", rule.get("message") or ""
    # The first of these that is wrong ends the list, as the real chain of conditions does.
    if not text.strip():
        yield fields.required(f"{path}.rule", "rule is not specified")
    elif message and not message.strip():
        yield fields.invalid(f"{path}.message", message, "must be non-empty if specified")
    elif LINE_BREAK.search(message.strip()):
        yield fields.invalid(f"{path}.message", message, "must not contain line breaks")
    elif LINE_BREAK.search(text.strip()) and not message.strip():
        yield fields.required(f"{path}.message", "message must be specified if rule contains line breaks")
    expression = rule.get("messageExpression") or ""
    if expression and not expression.strip():
        yield fields.required(f"{path}.messageExpression", "messageExpression must be non-empty if specified")
    if rule.get("reason") is not None and rule["reason"] not in REASONS:
        yield fields.not_supported(f"{path}.reason", rule["reason"], list(REASONS))
    yield from _field_path(node, rule.get("fieldPath") or "", f"{path}.fieldPath")


LINE_BREAK = re.compile(r"[\n\r]")
REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def _field_path(node: Json, value: str, path: str) -> Iterator[FieldError]:
    if value and not value.strip():
        yield fields.invalid(path, value, "must be non-empty if specified")
    if LINE_BREAK.search(value):
        yield fields.invalid(path, value, "must not contain line breaks")
    # Judged last, since a path with line breaks leads nowhere either and is reported for both.
    if value and not _leads_somewhere(node, value):
        yield fields.invalid(path, value, "must be a valid path")


def _leads_somewhere(node: Json, value: str) -> bool:
    """Whether a rule's fieldPath names a field of the node's schema."""
    try:
        follow(node, value)
    except PathError:
        return False
    return True

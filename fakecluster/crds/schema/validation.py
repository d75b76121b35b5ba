"""Is the schema of a version allowed (FK-251, FK-259, FK-261, FK-276): structure, defaults, dialect, rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import orjson

from ...base.json_types import Json
from ...schema import fields
from ...schema.compiled import Compiled, below, compile_schema
from ...schema.fields import FieldError
from ...schema.structural import Structural
from .dialect import Context, dialect_errors, unsupported
from .goschema import FIELDS, go_schema
from .structure import structural_errors

ROOT_FIELDS = (
    "Description",
    "Type",
    "Format",
    "Title",
    "Maximum",
    "ExclusiveMaximum",
    "Minimum",
    "ExclusiveMinimum",
    "MaxLength",
    "MinLength",
    "Pattern",
    "MaxItems",
    "MinItems",
    "UniqueItems",
    "MultipleOf",
    "Required",
    "Items",
    "Properties",
    "ExternalDocs",
    "Example",
    "XPreserveUnknownFields",
    "XValidations",
)


def schema_errors(version: Json, path: str) -> list[FieldError]:
    """Return the errors of the schema of a version; `path` is where the server keeps it."""
    schema = (version.get("schema") or {}).get("openAPIV3Schema")
    if schema is None:
        return []
    root = f"{path}.openAPIV3Schema"
    with_status = "status" in (version.get("subresources") or ())
    own = list(_root_errors(schema, root)) if with_status else []
    return [*own, *_judged(orjson.dumps(schema), root)]


def _root_errors(schema: Json, root: str) -> Iterator[FieldError]:
    """With a status subresource the root says little, as the status is judged by its own part of the schema."""
    for go_name, name in FIELDS.items():
        if schema.get(name) in (None, "", False, [], {}) and not (name == "default" and name in schema):
            continue
        if name == "type" and schema[name] != "object":
            why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
            yield fields.invalid(f"{root}.type", schema[name], why)
            return
        if go_name not in ROOT_FIELDS:
            why = f"only [{' '.join(ROOT_FIELDS)}] fields are allowed at the root of the schema if the status subresource is enabled"
            yield fields.invalid(root, go_schema(schema), why)
            return


@lru_cache(maxsize=256)
def _judged(content: bytes, root: str) -> tuple[FieldError, ...]:
    """Judge a schema once for each content, as every cluster of the process brings the same ones."""
    schema = orjson.loads(content)
    return tuple(_errors(schema, root))


def _errors(schema: Json, root: str) -> list[FieldError]:
    first: list[FieldError] = []
    if schema.get("nullable"):
        first.append(fields.forbidden(f"{root}.nullable", "nullable cannot be true at the root"))
    plain = not unsupported(schema, root)
    structure = structural_errors(schema, root) if plain else []
    if plain and not structure:
        structure = list(_default_errors(schema, root, root=True))
    errors = [*first, *structure, *dialect_errors(schema, root, Context(root=True))]
    if plain and not errors:
        from .rules import rule_errors  # checks of CEL come with the first definition

        return rule_errors(schema, root)
    return errors


def _default_errors(node: Json, path: str, *, root: bool = False) -> Iterator[FieldError]:
    if node.get("default") is not None:
        yield from _default(node, f"{path}.default", root=root)
    if isinstance(node.get("items"), dict):
        yield from _default_errors(node["items"], f"{path}.items")
    for name, child in (node.get("properties") or {}).items():
        yield from _default_errors(child, f"{path}.properties[{name}]")
    if isinstance(node.get("additionalProperties"), dict):
        yield from _default_errors(node["additionalProperties"], f"{path}.additionalProperties")


def _default(node: Json, path: str, *, root: bool) -> Iterator[FieldError]:
    """A default must be a valid value without unknown fields."""
    value = node["default"]
    if not root and not node.get("x-kubernetes-embedded-resource"):
        _, dropped = compile_schema({"type": "object", "properties": {"v": node}}).prune({"v": value})
        if dropped:
            yield fields.invalid(path, value, "must not have unknown fields")
    judged = Compiled(Structural.of(_as_judged(node)))
    yield from (below(path, error) for error in judged.values(value) or judged.rule_errors(value))


def _as_judged(node: Json) -> Json:
    """Return the node without what the judge of defaults does not know: integer or string."""
    if isinstance(node, list):
        return [_as_judged(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {name: _as_judged(child) for name, child in node.items() if name != "x-kubernetes-int-or-string"}

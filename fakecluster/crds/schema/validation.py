"""Is the schema of a version allowed (FK-251, FK-259, FK-261, FK-276):
structure, defaults, dialect, rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import orjson

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from .default_values import default_errors
from .dialect import Context, dialect_errors, is_unsupported
from .goschema import FIELDS, go_schema, is_set
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
    errors = [*own, *_judge(orjson.dumps(schema), root)]
    if not errors and is_unsupported(schema, root):  # all else without a structural form is refused already
        return [fields.invalid(root, "", "OpenAPIV3Schema 'schema' is not supported")]
    return errors


def _root_errors(schema: Json, root: str) -> Iterator[FieldError]:
    """With a status subresource the root says little,
    as the status is judged by its own part of the schema.
    """
    for go_name, name in FIELDS.items():
        if not is_set(schema, name) and not (name == "default" and name in schema):
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
def _judge(content: bytes, root: str) -> tuple[FieldError, ...]:
    """Judge a schema once for each content, as every cluster of the process brings the same ones."""
    schema = orjson.loads(content)
    return tuple(_errors(schema, root))


def _errors(schema: Json, root: str) -> list[FieldError]:
    first: list[FieldError] = []
    if schema.get("nullable"):
        first.append(fields.forbidden(f"{root}.nullable", "nullable cannot be true at the root"))
    dialect = list(dialect_errors(schema, root, Context(root=True)))
    if is_unsupported(schema, root):
        return [*first, *dialect]
    if structure := structural_errors(schema, root) or list(default_errors(schema, root)):
        return [*first, *structure, *dialect]
    from .rules import rule_errors  # checks of CEL come with the first definition

    return [*first, *dialect, *rule_errors(schema, root, dialect)]

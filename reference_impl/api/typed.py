"""The Go types of Kueue's kinds, made from the declared shapes:
the same source as the schemas (design.md §3).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin

from . import gotypes as go
from .crds.definitions import DEFINITIONS, edition
from .crds.edition import Edition, notes_of, strip
from .crds.pods import EMPTY_BUT_WRITTEN, POD_TEMPLATE, ROOT, raw_schemas
from .crds.vocabulary import QUANTITY, AlwaysWritten, SchemaKeywords, Shape
from .gotypes import GoType, ListOf, MapOf, Struct, StructField
from .resource import Json

NAMED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "clusterQueue": "ClusterQueueReference",
        "cohortName": "CohortReference",
        "cohort": "CohortReference",
        "parentName": "CohortReference",
        "queueName": "LocalQueueName",
        "queueingStrategy": "QueueingStrategy",
        "stopPolicy": "StopPolicy",
    }
)
"""Fields whose Go type is a string by another name."""


@cache
def kind_of(kind: str, dialect: str, version: str) -> Struct:
    """Return the Go type of a kind; raises KeyError for an unknown one."""
    shape = next((row.shape for row in DEFINITIONS if row.resource.kind == kind), None)
    if shape is None:
        raise KeyError(kind)
    inner = _struct(shape, edition(dialect, version))
    identity = {
        "apiVersion": StructField(go.STRING),
        "kind": StructField(go.STRING),
        "metadata": StructField(go.OBJECT_META, written=True),
    }
    return Struct(inner.name, version, lambda: {**identity, **inner.members})


@cache
def _struct(shape: type[Shape], at: Edition) -> Struct:
    name = shape.go or shape.__name__.rstrip("1")
    return Struct(
        name, at.version, lambda: {field.encode_name: _member(field, at) for field in at.fields(shape)}
    )


def _member(declared: Any, at: Edition) -> StructField:
    """Return a field; in v1beta1 whatever is required is written, v1beta2 says it field by field."""
    hint = declared.type
    written = any(isinstance(note, AlwaysWritten) for note in notes_of(hint))
    kind = _kind(hint, at)
    if kind is go.STRING and declared.encode_name in NAMED:
        kind = go.Scalar(f"{at.version}.{NAMED[declared.encode_name]}", (str,), "")
    return StructField(kind, written or (declared.required and bool(at.differences)))


def _kind(hint: Any, at: Edition) -> GoType:
    facts = [note.keywords for note in notes_of(hint) if isinstance(note, SchemaKeywords)]
    if any(fact is POD_TEMPLATE for fact in facts):
        return core_struct(ROOT)
    if any(fact is QUANTITY for fact in facts):
        return go.QUANTITY
    bare = strip(hint)
    if bare is bool:
        return go.BOOL
    if bare is int:
        return go.integer(64 if any(fact.get("format") == "int64" for fact in facts) else 32)
    if isinstance(bare, type) and issubclass(bare, Shape):
        return _struct(bare, at)
    origin, arguments = get_origin(bare), get_args(bare)
    if origin is tuple:
        return ListOf(_kind(arguments[0], at))
    if origin is not None and origin is not Literal:
        return MapOf(_kind(arguments[1], at))
    return go.STRING


@cache
def core_struct(name: str) -> GoType:
    """Return the Go type of one of Kubernetes' own types, such as `core.v1.Container`."""
    if name == "resource.Quantity":
        return go.QUANTITY
    if name == "meta.v1.ObjectMeta":
        return go.OBJECT_META
    schema = raw_schemas().get(name, {})
    if "properties" not in schema:
        return go.RAW
    return Struct(name.rpartition(".")[2], "v1", lambda: _core_members(name, schema))


def _core_members(owner: str, schema: Json) -> Mapping[str, StructField]:
    required = frozenset(schema.get("required", ()))
    return {
        name: StructField(_core_kind(below), name in required or (owner, name) in EMPTY_BUT_WRITTEN)
        for name, below in schema["properties"].items()
    }


def _core_kind(schema: Json) -> GoType:
    if reference := schema.get("$ref"):
        return core_struct(reference)
    if schema.get("type") == "array":
        return ListOf(_core_kind(schema["items"]))
    if additional := schema.get("additionalProperties"):
        return MapOf(_core_kind(additional))
    return CORE_SCALARS.get((schema.get("type", ""), schema.get("format", "")), go.RAW)


CORE_SCALARS: Final[Mapping[tuple[str, str], GoType]] = MappingProxyType(
    {
        ("string", ""): go.STRING,
        ("boolean", ""): go.BOOL,
        ("integer", "int32"): go.integer(32),
        ("integer", "int64"): go.integer(64),
    }
)

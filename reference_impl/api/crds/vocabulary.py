"""The words in which kinds are declared: a field's type is its shape, an annotation is a limit of it.

    class CheckReference(Shape):
        '''An AdmissionCheck and the flavors it applies to.'''
        name: Annotated[str, length(1, 316)]
        on_flavors: Annotated[tuple[FlavorName, ...], items(0, 64), SET] = ()

No default means required; a default that says something (a word, a number, an empty Shape) is the schema's
default; None and an empty tuple mean optional. Shapes that webhooks quote have their fields in the order in
which Go writes them. Docstrings describe objects, bare texts among annotations fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, dataclass_transform

import msgspec

from ..releases import Since
from ..resource import Json

EMPTY: Mapping[str, Json] = MappingProxyType({})


NEVER: Since = ()
"""The releases without a rule that all later ones have."""


@dataclass(frozen=True, slots=True)
class SchemaKeywords:
    """Keywords that an annotation adds to the schema of a field, in releases from `since` on, until those
    from `gone` on.
    """

    keywords: Json
    since: Since = (0,)
    gone: Since = NEVER

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True, slots=True)
class CelRule:
    """A CEL rule and its message, in releases from `since` on, until those from `gone` on; it may not name
    fields that an older dialect lacks.
    """

    expression: str
    message: str
    since: Since = (0,)
    gone: Since = NEVER


@dataclass(frozen=True, slots=True)
class DialectRange:
    """Which dialects have a field: versions from `since` on, or only the dialects named."""

    since: Since = (0,)
    only: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AlwaysWritten:
    """A Go program writes the field even when it is empty:
    a struct that is no pointer, or a value without `omitempty`.
    """


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class ShapeMeta(msgspec.StructMeta):
    """Makes every shape frozen, made by keywords, and named in camel case on the wire."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Make the class."""
        return super().__new__(
            cls, name, bases, namespace, frozen=True, kw_only=True, rename="camel", omit_defaults=True
        )


class Shape(metaclass=ShapeMeta):
    """A JSON object of the API; its subclasses are both type and schema."""

    rules: ClassVar[tuple[CelRule, ...]] = ()
    go: ClassVar[str] = ""
    """The name of the Go type, where it is another one than ours."""
    keywords: ClassVar[Mapping[str, Json]] = EMPTY


def length(low: int = 0, high: int | None = None) -> SchemaKeywords:
    """Limit the length of a string."""
    return SchemaKeywords(_without_none(minLength=low or None, maxLength=high))


def items(low: int = 0, high: int | None = None) -> SchemaKeywords:
    """Limit the number of items of a list."""
    return SchemaKeywords(_without_none(minItems=low or None, maxItems=high))


def entries(high: int) -> SchemaKeywords:
    """Limit the number of entries of a map."""
    return SchemaKeywords({"maxProperties": high})


def at_least(low: int, since: Since = (0,), gone: Since = NEVER) -> SchemaKeywords:
    """Limit a number from below, in all releases or in some."""
    return SchemaKeywords({"minimum": low}, since, gone)


def pattern(regex: str) -> SchemaKeywords:
    """Say how a string must look."""
    return SchemaKeywords({"pattern": regex})


def string_format(name: str) -> SchemaKeywords:
    """Name the format of a string or a number."""
    return SchemaKeywords({"format": name})


def list_map_keys(*keys: str) -> SchemaKeywords:
    """Make a list a map by the values of these fields."""
    return SchemaKeywords({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)})


def since(*version: int) -> DialectRange:
    """Leave a field out of older dialects."""
    return DialectRange(since=version)


def only(*dialects: str) -> DialectRange:
    """Have a field in these dialects only."""
    return DialectRange(only=frozenset(dialects))


def _without_none(**keywords: Any) -> Json:
    return {name: value for name, value in keywords.items() if value is not None}


WRITTEN = AlwaysWritten()
ATOMIC = SchemaKeywords({"x-kubernetes-list-type": "atomic"})
ATOMIC_MAP = SchemaKeywords({"x-kubernetes-map-type": "atomic"})
SET = SchemaKeywords({"x-kubernetes-list-type": "set"})

SUBDOMAIN = pattern(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
LABEL = pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")

Int32 = Annotated[int, string_format("int32")]
Int64 = Annotated[int, string_format("int64")]
Count = Annotated[Int32, at_least(0)]
Time = Annotated[str, string_format("date-time")]
Name = Annotated[str, length(0, 253), SUBDOMAIN]
"""The name of a cluster-scoped object that others refer to."""
PodSetName = Annotated[str, length(0, 63), LABEL]
CheckName = Annotated[str, length(1, 316)]

QUANTITY_PATTERN = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
    r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
INT_OR_STRING: Json = {
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "x-kubernetes-int-or-string": True,
}
QUANTITY: Json = {**INT_OR_STRING, "pattern": QUANTITY_PATTERN}
Quantity = Annotated[int | str, SchemaKeywords(QUANTITY)]

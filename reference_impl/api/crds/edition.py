"""Which fields a shape has: by the dialect that is served,
and by the version of the API (AC-001, AC-200…211).
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Union, cast, get_args, get_origin

import msgspec

from ..releases import Version, has_change
from .vocabulary import CelRule, DialectRange, SchemaKeywords, Shape

NEWEST = "v1beta2"
NO_DIFFERENCES: Mapping[type[Shape], Difference] = types.MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences of a shape in an older version: fields that are other ones or new, fields that are
    gone, and its rules.
    """

    fields: type[Shape] = Shape
    gone: frozenset[str] = frozenset()
    rules: tuple[CelRule, ...] | None = None


@dataclass(frozen=True, slots=True)
class Edition:
    """The dialect a schema is made for, the release it stands for, and the version of the API."""

    dialect: str
    release: Version
    version: str = NEWEST
    differences: Mapping[type[Shape], Difference] = field(
        default_factory=lambda: NO_DIFFERENCES, hash=False, compare=False
    )

    def at(self, version: str, differences: Mapping[type[Shape], Difference]) -> Edition:
        """Return the same dialect in an older version of the API."""
        return replace(self, version=version, differences=differences)

    def fields(self, shape: type[Shape]) -> list[msgspec.structs.FieldInfo]:
        """Return the fields that a shape has here, in the order in which they are declared."""
        change = self.differences.get(shape, Difference())
        other = {field.encode_name: field for field in _fields_of(change.fields)}
        shared = [other.pop(field.encode_name, field) for field in _fields_of(shape)]
        return [field for field in (*shared, *other.values()) if self._has(field, change.gone)]

    def rules(self, shape: type[Shape]) -> tuple[CelRule, ...]:
        """Return the CEL rules that a shape has here."""
        change = self.differences.get(shape)
        return shape.rules if change is None or change.rules is None else change.rules

    def has(self, limit: SchemaKeywords | CelRule) -> bool:
        """Return whether the release has a limit of a field or of an object."""
        return has_change(self.release, limit.since) and not (
            limit.gone and has_change(self.release, limit.gone)
        )

    def _has(self, declared: msgspec.structs.FieldInfo, gone: frozenset[str]) -> bool:
        eras = (note for note in notes_of(declared.type) if isinstance(note, DialectRange))
        return declared.encode_name not in gone and all(self._within(era) for era in eras)

    def _within(self, era: DialectRange) -> bool:
        return self.dialect in era.only if era.only else has_change(self.release, era.since)


@cache
def _fields_of(shape: type[Shape]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(cast("type[msgspec.Struct]", shape))


def strip(hint: Any) -> Any:
    """Return a type without annotations and without `| None`."""
    while True:
        if get_origin(hint) is Annotated:
            hint = get_args(hint)[0]
        elif is_optional(hint):
            hint = next(kind for kind in get_args(hint) if kind is not type(None))
        else:
            return hint


def notes_of(hint: Any) -> tuple[Any, ...]:
    """Return the annotations of a type, those of the inner type first."""
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        return (*notes_of(inner), *notes)
    if is_optional(hint):
        return notes_of(next(kind for kind in get_args(hint) if kind is not type(None)))
    return ()


def is_optional(hint: Any) -> bool:
    """Tell whether a type is a union with None."""
    return get_origin(hint) in {Union, types.UnionType} and type(None) in get_args(hint)

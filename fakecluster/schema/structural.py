"""The type of one node of an object, read from an OpenAPI v3 schema: the one
model that pruning, defaulting, validation, apply, strategic merge and OpenAPI
answers share, for custom and built-in kinds alike (FK-259…270, FK-200…217).

A node is immutable; recursive built-in types are tied by `Definitions`, which resolves `$ref` lazily.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from ..base.json_types import Json

NO_DEFAULT: Any = object()
NO_PROPERTIES: Mapping[str, Any] = MappingProxyType({})


class Structural(Struct, frozen=True, dict=True):
    """One node. `raw` is its OpenAPI form, the source of everything else."""

    raw: Mapping[str, Json]
    definitions: Mapping[str, Json] = field(default_factory=lambda: NO_PROPERTIES)

    @classmethod
    def of(cls, raw: Mapping[str, Json], definitions: Mapping[str, Json] = NO_PROPERTIES) -> Structural:
        """Return the node for a schema, following `$ref` into `definitions`;
        what stands beside the `$ref` is kept.
        """
        reference = raw.get("$ref")
        if not reference:
            return cls(raw, definitions)
        beside = {key: value for key, value in raw.items() if key != "$ref"}
        return cls({**definitions[reference], **beside} if beside else definitions[reference], definitions)

    @cached_property
    def type(self) -> str:
        """`object`, `array`, `string`, `integer`, `number`, `boolean`, or empty when any is allowed."""
        return str(self.raw.get("type", ""))

    @cached_property
    def properties(self) -> Mapping[str, Structural]:
        """Named children of an object."""
        return {
            name: Structural.of(child, self.definitions)
            for name, child in (self.raw.get("properties") or {}).items()
        }

    @cached_property
    def additional(self) -> Structural | None:
        """The schema of a map's values; None when the object is not a map."""
        extra = self.raw.get("additionalProperties")
        if extra is True:
            return Structural({"x-kubernetes-preserve-unknown-fields": True})
        return Structural.of(extra, self.definitions) if isinstance(extra, dict) else None

    @cached_property
    def items(self) -> Structural | None:
        """The schema of a list's items."""
        raw = self.raw.get("items")
        return Structural.of(raw, self.definitions) if isinstance(raw, dict) else None

    @cached_property
    def default(self) -> Json:
        """The default, or `NO_DEFAULT`."""
        return self.raw.get("default", NO_DEFAULT)

    @cached_property
    def preserve_unknown(self) -> bool:
        """Unknown fields are kept."""
        return bool(self.raw.get("x-kubernetes-preserve-unknown-fields"))

    @cached_property
    def is_embedded(self) -> bool:
        """The node is a whole object with metadata of its own."""
        return bool(self.raw.get("x-kubernetes-embedded-resource"))

    @cached_property
    def int_or_string(self) -> bool:
        """The value may be an integer or a string."""
        return bool(self.raw.get("x-kubernetes-int-or-string"))

    @cached_property
    def list_type(self) -> str:
        """`atomic` (also when unsaid), `set` or `map`."""
        return str(self.raw.get("x-kubernetes-list-type") or "atomic")

    @cached_property
    def list_keys(self) -> tuple[str, ...]:
        """The fields that identify an item of a `map` list."""
        return tuple(self.raw.get("x-kubernetes-list-map-keys") or ())

    @cached_property
    def map_type(self) -> str:
        """`granular` (also when unsaid) or `atomic`."""
        return str(self.raw.get("x-kubernetes-map-type") or "granular")

    @cached_property
    def merge_key(self) -> str:
        """The key by which a strategic merge patch matches list items; built-in types only."""
        return str(self.raw.get("x-kubernetes-patch-merge-key") or "")

    @cached_property
    def merge_strategies(self) -> tuple[str, ...]:
        """`merge`, `replace`, `retainKeys`:
        how a strategic merge patch treats the node; built-in types only.
        """
        return tuple(filter(None, str(self.raw.get("x-kubernetes-patch-strategy") or "").split(",")))

    def child(self, name: str) -> Structural | None:
        """Return the schema of a member, None when it is unknown."""
        return self.properties.get(name) or self.additional

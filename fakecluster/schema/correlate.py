"""Which old value belongs to a new one on update, and whether it changed (FK-268).

Members of objects belong together by name, items of `map`
lists by their keys; items of other lists have no history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from ..base.json_types import Json
from .lazy_mapping import LazyMapping

SCALARS = frozenset({str, int, float, bool, type(None)})
NO_OLD_VALUE: Any = object()
"""There is no old value that belongs to the new one."""


class Correlation(Struct, frozen=True, dict=True):
    """How the children of one schema node are matched with their old values."""

    raw: Mapping[str, Json]

    @classmethod
    def of(cls, raw: Mapping[str, Json]) -> Correlation:
        """Return the correlation of a schema node."""
        return cls(raw)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The fields that identify an item; empty when items have no history."""
        return (
            tuple(self.raw.get("x-kubernetes-list-map-keys") or ())
            if self.raw.get("x-kubernetes-list-type") == "map"
            else ()
        )

    @cached_property
    def _identifiers(self) -> tuple[tuple[str, Json], ...]:
        """The keys of an item with their defaults."""
        properties = self._items.raw.get("properties") or {}
        return tuple((key, (properties.get(key) or {}).get("default")) for key in self.keys)

    @cached_property
    def _names(self) -> Mapping[str, Json]:
        names: Mapping[str, Json] = self.raw.get("properties") or {}
        return names

    @cached_property
    def _properties(self) -> LazyMapping[str, Correlation]:
        return LazyMapping(
            lambda name: Correlation(self._names[name]) if name in self._names else self._extra or _UNKNOWN
        )

    @cached_property
    def _items(self) -> Correlation:
        items = self.raw.get("items")
        return Correlation(items if isinstance(items, dict) else {})

    @cached_property
    def _extra(self) -> Correlation | None:
        extra = self.raw.get("additionalProperties")
        return Correlation(extra) if isinstance(extra, dict) else None

    @cached_property
    def is_reordered(self) -> bool:
        """Whether an order that makes no difference is possible here or below; without one values are equal
        as Python says.
        """
        return self.raw.get("x-kubernetes-list-type") in {"set", "map"} or any(
            below.is_reordered for below in self._below
        )

    @property
    def _below(self) -> Iterator[Correlation]:
        yield from (self._properties[name] for name in self._names)
        if isinstance(self.raw.get("items"), dict):
            yield self._items
        if self._extra is not None:
            yield self._extra

    def member(self, old: Json, name: str) -> Json:
        """Return the old member of an object."""
        if type(old) is not dict:
            return NO_OLD_VALUE
        return old.get(name, NO_OLD_VALUE) if name in self._names or self._extra is not None else NO_OLD_VALUE

    def items(self, new: list[Json], old: Json) -> Callable[[int], Json]:
        """Return a function from an index to the old item."""
        if not self.keys or type(old) is not list:
            return lambda _: NO_OLD_VALUE
        by_key = {key: item for item in reversed(old) if None not in (key := self.identity(item))}
        return lambda index: by_key.get(self.identity(new[index]), NO_OLD_VALUE)

    def identity(self, item: Json) -> tuple[Json, ...]:
        """Return what identifies an item of a `map` list; defaults stand in for absent keys."""
        if type(item) is not dict:
            return (NO_OLD_VALUE,)
        return tuple([_hashable(item.get(key, default)) for key, default in self._identifiers])

    def equal(self, new: Json, old: Json) -> bool:
        """Tell whether nothing changed; the order of a `map` list does not count."""
        if new is old or new == old:
            return True
        if type(new) is not type(old) or not self.is_reordered:
            return False
        if type(new) is dict:
            return new.keys() == old.keys() and all(
                self._child(name).equal(new[name], old[name]) for name in new
            )
        if type(new) is list:
            return len(new) == len(old) and self._equal_items(new, old)
        return False

    def is_unchanged(self, new: Json, old: Json) -> bool:
        """Tell whether nothing changed in what has a history:
        an item of a `map` list without its keys has none.
        """
        return self.equal(new, old) and self.has_keys(new)

    def has_keys(self, value: Json) -> bool:
        """Tell whether every item of a `map` list has its keys."""
        if type(value) is dict:
            return all(self._child(name).has_keys(below) for name, below in value.items())
        if type(value) is list:
            return all(None not in self.identity(item) and self._items.has_keys(item) for item in value)
        return True

    def align(self, new: Json, old: Json) -> Json:
        """Return the old value with its `set` and `map` lists
        in the new order, so that order makes no difference.
        """
        if new is old or not self.is_reordered or type(new) is not type(old) or new == old:
            return old
        if type(old) is dict:
            return {name: self._child(name).align(new.get(name), value) for name, value in old.items()}
        if type(old) is not list or self.raw.get("x-kubernetes-list-type") not in {"set", "map"}:
            return old
        identify = self.identity if self.keys else _hashable
        index_of = {identify(item): i for i, item in enumerate(new)}
        ordered = sorted(old, key=lambda item: index_of.get(identify(item), len(index_of)))
        items = {identify(item): item for item in new}
        return [self._items.align(items.get(identify(item)), item) for item in ordered]

    def _child(self, name: str) -> Correlation:
        return self._properties[name]

    def _equal_items(self, new: list[Json], old: list[Json]) -> bool:
        if not self.keys:
            return all(self._items.equal(item, other) for item, other in zip(new, old, strict=True))
        olds = self.items(new, old)
        return all(
            olds(i) is not NO_OLD_VALUE and self._items.equal(item, olds(i)) for i, item in enumerate(new)
        )


def _hashable(value: Json) -> Json:
    return value if type(value) in SCALARS else repr(value)


_UNKNOWN = Correlation({})

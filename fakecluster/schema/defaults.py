"""Defaults are filled in, nulls that are not nullable are
dropped (FK-261, FK-262, FK-282), compiled to closures.

A node under which no default and no explicit null can matter costs nothing;
unchanged values are returned as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from ..base.json_types import Json
from ..base.work_budget import spend
from .identity_cache import IdentityCache, is_worth
from .lazy_mapping import LazyMapping

Filler = Callable[[Any], Any]
_NONE: Any = object()
LIMIT = 16 * 1024 * 1024
"""Bytes of JSON that defaults may add to one object, which no store would take."""


class DefaultsTooLarge(Exception):
    """The defaults of an object would make it larger than any store takes."""


class _Budget:
    """How many bytes the defaults of one object may still add; in memory they are shared, written down they
    are not. And whether nulls without a default are dropped.
    """

    __slots__ = ("drops", "left")

    def __init__(self, *, drops: bool) -> None:
        self.left = LIMIT
        self.drops = drops

    def spend(self, size: int) -> None:
        """Take a default's size from the budget. Raises DefaultsTooLarge."""
        self.left -= size
        if self.left < 0:
            raise DefaultsTooLarge


def compile_default(raw: Mapping[str, Json], *, drops: bool = True) -> Filler:
    """Return `fill(value) -> value`: absent members with a default get it, nulls that are not nullable are
    removed, or stay where there is no default, if none is to drop.

    It raises TooLarge.
    """
    budget = _Budget(drops=drops)
    root = _Node(raw, budget, 0)

    def fill(value: Json) -> Json:
        budget.left = LIMIT
        return root.fill(value)

    return fill


def _part(raw: Mapping[str, Json], budget: _Budget, level: int) -> _Node:
    return (_Remembering if is_worth(raw, level) else _Node)(raw, budget, level)


class _Node:
    """The defaulting of one schema node, so many levels below the root, and of its children."""

    __slots__ = ("budget", "children", "default", "extra", "items", "known", "nullable", "own", "size")

    def __init__(self, raw: Mapping[str, Json], budget: _Budget, level: int) -> None:
        self.budget = budget
        default = raw.get("default")
        self.default = _NONE if default is None else default
        self.size = 0 if default is None else len(orjson.dumps(default))
        self.nullable = bool(raw.get("nullable"))
        self.known: Mapping[str, Json] = raw.get("properties") or {}
        self.children: LazyMapping[str, _Node] = LazyMapping(
            lambda name: _part(self.known[name], budget, level + 1)
        )
        extra, items = raw.get("additionalProperties"), raw.get("items")
        self.extra = _part(extra, budget, level + 1) if isinstance(extra, dict) else None
        self.items = _part(items, budget, level + 1) if isinstance(items, dict) else None
        self.own = tuple(name for name, child in self.known.items() if child.get("default") is not None)

    def fill(self, value: Json) -> Json:
        if type(value) is dict and (self.known or self.extra):
            return self._object(value)
        if type(value) is list and self.items is not None:
            filled = [self.items.replace(item) for item in value]
            return value if all(item is other for item, other in zip(filled, value, strict=True)) else filled
        return value

    def replace(self, value: Json) -> Json:
        """Return the value for a place of this node: its default instead of a null that is not allowed."""
        if value is None and not self.nullable:
            self.budget.spend(self.size)
            value = None if self.default is _NONE else self.default
        return self.fill(value)

    def _object(self, value: dict[str, Json]) -> Json:
        changes: dict[str, Json] = {}
        for name, child in value.items():
            node = self.children[name] if name in self.known else self.extra
            if node is None:
                continue
            if child is None and not node.nullable and node.default is _NONE:
                if self.budget.drops:
                    changes[name] = _NONE
                continue
            filled = node.replace(child)
            if filled is not child:
                changes[name] = filled
        for name in self.own:
            if name not in value:
                node = self.children[name]
                spend("values of defaults", 1)
                self.budget.spend(node.size + len(name))
                changes[name] = node.replace(node.default)
        if not changes:
            return value
        return {name: child for name, child in {**value, **changes}.items() if child is not _NONE}


class _Remembering(_Node):
    """A node that passes what it has once returned as it was."""

    __slots__ = ("_whole",)

    def __init__(self, raw: Mapping[str, Json], budget: _Budget, level: int) -> None:
        super().__init__(raw, budget, level)
        self._whole = IdentityCache()

    def fill(self, value: Json) -> Json:
        if value in self._whole:
            return value
        filled = super().fill(value)
        if filled is value:
            self._whole.add(value)
        return filled

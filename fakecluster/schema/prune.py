"""Unknown fields go (FK-260): `prune(value) -> (value, dropped paths)`, compiled to closures; unchanged
values are returned as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..base.json_types import Json
from .identity_cache import IdentityCache, is_worth
from .lazy_mapping import LazyMapping

Pruner = Callable[[Any, str, list[str]], Any]

META = frozenset({"apiVersion", "kind", "metadata"})


def compile_prune(raw: Mapping[str, Json]) -> Pruner:
    """Return `prune(value, path, dropped)` for the root of a resource,
    whose type and metadata are always known.
    """
    return _Node({**raw, "x-kubernetes-embedded-resource": True}, 0).prune


def _remembering(prune: Pruner) -> Pruner:
    """Return a pruner that passes what it has once returned as it was."""
    clean = IdentityCache()

    def remembering(value: Json, path: str, dropped: list[str]) -> Json:
        if value in clean:
            return value
        pruned = prune(value, path, dropped)
        if pruned is value:
            clean.add(value)
        return pruned

    return remembering


def _node(raw: Mapping[str, Json] | None, level: int) -> Pruner:
    if raw is None:
        return _everything
    prune = _Node(raw, level).prune
    return _remembering(prune) if is_worth(raw, level) else prune


class _Node:
    """The pruning of one schema node, so many levels below the root."""

    __slots__ = ("children", "embedded", "extra", "items", "keep", "known")

    def __init__(self, raw: Mapping[str, Json], level: int) -> None:
        self.keep = bool(raw.get("x-kubernetes-preserve-unknown-fields"))
        self.embedded = META if raw.get("x-kubernetes-embedded-resource") else frozenset()
        self.known: Mapping[str, Json] = raw.get("properties") or {}
        self.children: LazyMapping[str, Pruner] = LazyMapping(lambda name: _node(self.known[name], level + 1))
        extra, items = raw.get("additionalProperties"), raw.get("items")
        self.extra = _node(extra if isinstance(extra, dict) else None, level + 1) if extra else None
        self.items = (
            _node(items if isinstance(items, dict) else None, level + 1) if items or not self.keep else None
        )

    def prune(self, value: Json, path: str, dropped: list[str]) -> Json:
        if type(value) is dict:
            return self._object(value, path, dropped)
        if type(value) is list and self.items is not None:
            return _list(value, path, dropped, self.items)
        return value

    def _object(self, value: dict[str, Json], path: str, dropped: list[str]) -> Json:
        prefix = path and path + "."
        changes: dict[str, Json] = {}
        gone: list[str] = []
        for name, child in value.items():
            if name in self.embedded:
                continue
            prune = self.children[name] if name in self.known else self.extra
            if prune is not None:
                pruned = prune(child, prefix + name, dropped)
                if pruned is not child:
                    changes[name] = pruned
            elif not self.keep:
                gone.append(name)
        return _without(value, changes, gone, prefix, dropped)


def _without(
    value: dict[str, Json], changes: dict[str, Json], gone: list[str], prefix: str, dropped: list[str]
) -> Json:
    if not changes and not gone:
        return value
    dropped.extend(prefix + name for name in gone)
    names = value.keys() - gone
    return {name: changes.get(name, child) for name, child in value.items() if name in names}


def _list(value: list[Json], path: str, dropped: list[str], prune: Pruner) -> Json:
    pruned = [prune(item, f"{path}[{i}]", dropped) for i, item in enumerate(value)]
    return value if all(item is other for item, other in zip(pruned, value, strict=True)) else pruned


def _everything(value: Json, path: str, dropped: list[str]) -> Json:
    """Prune below a node without schema: every member is unknown."""
    if type(value) is dict and value:
        return _without(value, {}, list(value), path and path + ".", dropped)
    return _list(value, path, dropped, _everything) if type(value) is list else value

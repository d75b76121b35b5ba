"""Formats that a definition names and that are not checked (FK-263)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import orjson

from ...base.json_types import Json
from ...schema.formats import format_of
from .dialect import children


def warn_unrecognized(new: Json, old: Json) -> list[str]:
    """Return a warning for each format that means nothing and was not there before."""
    # Only news: a client that writes a definition again is not warned again of what is stored.
    before = set(_formats(old)) if old else set()
    return [f'unrecognized format "{name}"' for name in _formats(new) if name not in before]


def _formats(crd: Json) -> Iterator[str]:
    for version in crd["spec"].get("versions") or ():
        # By its bytes, because a mapping is no key of a cache; definitions of one program are created again
        # and again.
        yield from _of_schema(orjson.dumps((version.get("schema") or {}).get("openAPIV3Schema") or {}))


@lru_cache(maxsize=256)
def _of_schema(content: bytes) -> tuple[str, ...]:
    return tuple(_below(orjson.loads(content)))


def _below(node: Mapping[str, Json]) -> Iterator[str]:
    if node.get("format") and not format_of(node):
        yield str(node["format"])
    for child, _ in children(node, ""):
        yield from _below(child)

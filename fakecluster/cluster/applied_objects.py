"""What may be applied: objects with apiVersion, kind and a name, and lists of such."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any

from ..base.json_types import Json


class ManifestError(Exception):
    """What was given holds no usable objects; the text says where, and what was expected."""


def flatten(manifest: Json, source: str) -> Iterator[Json]:
    """Yield an object, or the items of a List. Raises ManifestError, which begins with `where`."""
    if (
        not isinstance(manifest, dict)
        or not _is_text(manifest.get("kind"))
        or not _is_text(manifest.get("apiVersion"))
    ):
        raise ManifestError(f"{source} has no apiVersion and kind; expected Kubernetes objects")
    kind = manifest["kind"]
    if kind == "List":
        items = manifest.get("items") or []
        if not isinstance(items, list):
            raise ManifestError(f"{source} is a List whose items are {items!r}; expected Kubernetes objects")
        for number, item in enumerate(items):
            yield from flatten(item, f"{source}, items[{number}]")
        return
    metadata = manifest.get("metadata")
    if not isinstance(metadata, dict) or not _is_text(metadata.get("name")):
        raise ManifestError(f"{source}: a {kind} has no metadata.name, which applying it needs")
    if not isinstance(metadata.get("namespace", ""), str | None):
        raise ManifestError(f"{source}: a {kind} has the namespace {metadata['namespace']!r}; expected text")
    yield manifest


def require_list(argument: Any, method: str, item_noun: str) -> list[Any]:
    """Return the items of a list or another iterable.

    Raises ManifestError for a single one, or for what has no items.
    """
    # A single object or path is iterable as well, by its keys or characters, which is never meant.
    if isinstance(argument, Mapping | str | bytes | PathLike) or not isinstance(argument, Iterable):
        raise ManifestError(
            f"{method}() takes a list of {item_noun}, and was given {argument!r}: write {method}([…])"
        )
    return list(argument)


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and bool(value)

"""What may be applied: objects with apiVersion, kind and a name, and lists of such."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any

from ..base.json_types import Json


class ManifestError(Exception):
    """What was given holds no usable objects; the text says where, and what was expected."""


def flattened(given: Json, where: str) -> Iterator[Json]:
    """Yield an object, or the items of a List. Raises ManifestError, which begins with `where`."""
    if (
        not isinstance(given, dict)
        or not _is_text(given.get("kind"))
        or not _is_text(given.get("apiVersion"))
    ):
        raise ManifestError(f"{where} has no apiVersion and kind; expected Kubernetes objects")
    kind = given["kind"]
    if kind == "List":
        items = given.get("items") or []
        if not isinstance(items, list):
            raise ManifestError(f"{where} is a List whose items are {items!r}; expected Kubernetes objects")
        for number, item in enumerate(items):
            yield from flattened(item, f"{where}, items[{number}]")
        return
    metadata = given.get("metadata")
    if not isinstance(metadata, dict) or not _is_text(metadata.get("name")):
        raise ManifestError(f"{where}: a {kind} has no metadata.name, which applying it needs")
    if not isinstance(metadata.get("namespace", ""), str | None):
        raise ManifestError(f"{where}: a {kind} has the namespace {metadata['namespace']!r}; expected text")
    yield given


def several(given: Any, method: str, what: str) -> list[Any]:
    """Return the items of a list or another iterable.

    Raises ManifestError for a single one, or for what has no items.
    """
    if isinstance(given, Mapping | str | bytes | PathLike) or not isinstance(given, Iterable):
        raise ManifestError(
            f"{method}() takes a list of {what}, and was given {given!r}: write {method}([…])"
        )
    return list(given)


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and bool(value)

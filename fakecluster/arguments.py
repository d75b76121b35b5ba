"""What callers in the process hand over, looked at before anything is done with it; the text says what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from .validators import is_number, is_whole

Json = Any
_OBJECT = "a Kubernetes object with apiVersion, kind and metadata.name"


class ArgumentError(ValueError):
    """What was handed over cannot be used."""


def objects(given: Json) -> Iterator[Json]:
    """Yield the objects handed over, those of a List one by one. Raises ArgumentError."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ArgumentError(f"objects are {_shown(given)}, expected a list of objects")
    for number, one in enumerate(given, 1):
        yield from _flattened(one, f"object {number}")


def _flattened(one: Json, where: str) -> Iterator[Json]:
    if not isinstance(one, Mapping):
        raise ArgumentError(f"{where} is {_shown(one)}, expected {_OBJECT}")
    kind, items = one.get("kind"), one.get("items")
    for field in ("apiVersion", "kind"):
        if not isinstance(one.get(field), str) or not one[field]:
            raise ArgumentError(f"{where} has no {field}, expected {_OBJECT}")
    if kind == "List" and isinstance(items, list):
        for number, item in enumerate(items, 1):
            yield from _flattened(item, f"{where}, item {number}")
        return
    metadata = one.get("metadata")
    if not isinstance(metadata, Mapping) or not isinstance(metadata.get("name"), str) or not metadata["name"]:
        raise ArgumentError(f"{where}, a {kind}, has no metadata.name, expected {_OBJECT}")
    yield one


def paths(given: Json) -> list[Path]:
    """Return the paths of files handed over, as text or as paths. Raises ArgumentError."""
    if isinstance(given, str | bytes | PathLike) or not isinstance(given, Iterable):
        raise ArgumentError(f"paths are {_shown(given)}, expected a list of files or folders")
    found = list(given)
    for one in found:
        if not isinstance(one, str | PathLike):
            raise ArgumentError(f"a path is {_shown(one)}, expected a file or a folder")
    return [Path(one) for one in found]


def seconds(name: str, given: Json) -> float:
    """Return a stretch of time. Raises ArgumentError for what is none, or goes back."""
    if not is_number(given, 0):
        raise ArgumentError(f"{name} is {_shown(given)}, expected seconds, 0 or more")
    return float(given)


def number(name: str, given: Json) -> float:
    """Return a finite number. Raises ArgumentError."""
    if not is_number(given, float("-inf")):
        raise ArgumentError(f"{name} is {_shown(given)}, expected a number")
    return float(given)


def revision(given: Json, newest: int) -> int:
    """Return a revision that has been. Raises ArgumentError."""
    if not is_whole(given):
        raise ArgumentError(f"revision is {_shown(given)}, expected a whole number such as {newest}")
    if given > newest:
        raise ArgumentError(f"revision {given} is still to come, the newest is {newest}")
    return int(given)


def moment(given: Json, now: float) -> float:
    """Return a time that has been, in seconds since the epoch. Raises ArgumentError."""
    time = number("time", given)
    if time > now:
        raise ArgumentError(f"time {time:.3f} is still to come, the cluster's time is {now:.3f}")
    return time


def _shown(given: Json) -> str:
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:59]}…"

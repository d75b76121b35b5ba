"""Volumes of files that the cluster knows the contents of (FK-504)."""

from __future__ import annotations

from .....base.json_types import Json
from .....schema import fields
from ....validation.basics import Errors
from . import environment, paths

VOLUME_FIELDS = frozenset(
    {"metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid"}
)
MODE = "must be a number between 0 and 0777 (octal), both inclusive"
MODES = range(0o1000)
SHORTEST_TOKEN, LONGEST_TOKEN = 600, 2**32


def mode(value: int | None, path: str) -> Errors:
    """Judge the permissions of a file."""
    if value is not None and value not in MODES:
        yield fields.invalid(path, value, MODE)


def items(value: Json, path: str) -> Errors:
    """Judge which keys become files."""
    for number, one in enumerate(value.get("items") or ()):
        yield from _key(one, f"{path}.items[{number}]")


def _key(one: Json, path: str) -> Errors:
    for name in ("key", "path"):
        if not one.get(name):
            yield fields.required(f"{path}.{name}")
    yield from paths.below(one.get("path", ""), f"{path}.path")
    yield from mode(one.get("mode"), f"{path}.mode")


def downward(value: Json, path: str) -> Errors:
    """Judge a volume of files with what is known of the pod."""
    yield from mode(value.get("defaultMode"), f"{path}.defaultMode")
    for one in value.get("items") or ():
        yield from _downward_file(one, path)


def _downward_file(one: Json, path: str) -> Errors:
    whole, part = one.get("fieldRef"), one.get("resourceFieldRef")
    if not one.get("path"):
        yield fields.required(f"{path}.path")
    yield from paths.below(one.get("path", ""), f"{path}.path")
    if whole is not None:
        yield from environment.field_path(whole.get("fieldPath", ""), f"{path}.fieldRef", VOLUME_FIELDS)
        if part is not None:
            why = "fieldRef and resourceFieldRef can not be specified simultaneously"
            yield fields.invalid(path, "resource", why)
    elif part is not None:
        yield from environment.resource(part, f"{path}.resourceFieldRef", of_volume=True)
    else:
        yield fields.required(path, "one of fieldRef and resourceFieldRef is required")
    yield from mode(one.get("mode"), f"{path}.mode")


def projected(value: Json, path: str) -> Errors:
    """Judge a volume of files from several sources."""
    yield from mode(value.get("defaultMode"), f"{path}.defaultMode")
    taken: set[str] = set()
    for number, one in enumerate(value.get("sources") or ()):
        here = f"{path}.sources[{number}]"
        for name in ("secret", "configMap"):
            if one.get(name) is not None:
                yield from _projected_keys(one[name], f"{here}.{name}", path, taken)
        for file in (one.get("downwardAPI") or {}).get("items") or ():
            yield from _downward_file(file, f"{here}.downwardAPI")
            yield from _once(file.get("path", ""), path, file.get("path", ""), taken)
        if one.get("serviceAccountToken") is not None:
            yield from _token(one["serviceAccountToken"], f"{here}.serviceAccountToken", path)
        if len(one) > 1:
            yield fields.forbidden(here, "may not specify more than 1 volume type per source")


def _projected_keys(value: Json, path: str, volume: str, taken: set[str]) -> Errors:
    if not value.get("name"):
        yield fields.required(f"{path}.name")
    for number, one in enumerate(value.get("items") or ()):
        yield from _key(one, f"{path}.items[{number}]")
        yield from _once(one.get("path", ""), volume, value.get("name", ""), taken)


def _once(place: str, path: str, told: str, taken: set[str]) -> Errors:
    if place and place in taken:
        yield fields.invalid(path, told, "conflicting duplicate paths")
    taken |= {place}


def _token(value: Json, path: str, volume: str) -> Errors:
    """Judge a token of a service account; its file is blamed on the volume."""
    seconds, where = value.get("expirationSeconds", 0), f"{path}.expirationSeconds"
    if seconds < SHORTEST_TOKEN:
        yield fields.invalid(where, seconds, "may not specify a duration less than 10 minutes")
    if seconds > LONGEST_TOKEN:
        yield fields.invalid(where, seconds, "may not specify a duration larger than 2^32 seconds")
    if not value.get("path"):
        yield fields.required(f"{volume}.path")
    else:
        yield from paths.below(value["path"], f"{volume}.path")

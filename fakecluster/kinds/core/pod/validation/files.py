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
    for number, item in enumerate(value.get("items") or ()):
        yield from _key(item, f"{path}.items[{number}]")


def _key(item: Json, path: str) -> Errors:
    for name in ("key", "path"):
        if not item.get(name):
            yield fields.required(f"{path}.{name}")
    yield from paths.below(item.get("path", ""), f"{path}.path")
    yield from mode(item.get("mode"), f"{path}.mode")


def downward(value: Json, path: str) -> Errors:
    """Judge a downward API volume."""
    yield from mode(value.get("defaultMode"), f"{path}.defaultMode")
    # Without a number in the path: all items are blamed on the list.
    for item in value.get("items") or ():
        yield from _downward_file(item, path)


def _downward_file(item: Json, path: str) -> Errors:
    field, resource_field = item.get("fieldRef"), item.get("resourceFieldRef")
    if not item.get("path"):
        yield fields.required(f"{path}.path")
    yield from paths.below(item.get("path", ""), f"{path}.path")
    if field is not None:
        yield from environment.field_path(field.get("fieldPath", ""), f"{path}.fieldRef", VOLUME_FIELDS)
        if resource_field is not None:
            why = "fieldRef and resourceFieldRef can not be specified simultaneously"
            # The value that is shown is the word `resource`, in the real message too.
            yield fields.invalid(path, "resource", why)
    elif resource_field is not None:
        yield from environment.resource(resource_field, f"{path}.resourceFieldRef", of_volume=True)
    else:
        yield fields.required(path, "one of fieldRef and resourceFieldRef is required")
    yield from mode(item.get("mode"), f"{path}.mode")


def judge_projections(value: Json, path: str) -> Errors:
    """Judge a volume of files from several sources."""
    yield from mode(value.get("defaultMode"), f"{path}.defaultMode")
    # Paths must differ across all sources, as all of them end in one folder.
    taken: set[str] = set()
    for number, source in enumerate(value.get("sources") or ()):
        item_path = f"{path}.sources[{number}]"
        for name in ("secret", "configMap"):
            if source.get(name) is not None:
                yield from _projection_paths(source[name], f"{item_path}.{name}", path, taken)
        for file in (source.get("downwardAPI") or {}).get("items") or ():
            yield from _downward_file(file, f"{item_path}.downwardAPI")
            yield from _once(file.get("path", ""), path, file.get("path", ""), taken)
        if source.get("serviceAccountToken") is not None:
            yield from _token(source["serviceAccountToken"], f"{item_path}.serviceAccountToken", path)
        # The members of a source are its types, so more than one member is more than one type.
        if len(source) > 1:
            yield fields.forbidden(item_path, "may not specify more than 1 volume type per source")


def _projection_paths(value: Json, path: str, volume: str, taken: set[str]) -> Errors:
    if not value.get("name"):
        yield fields.required(f"{path}.name")
    # Files that a source does not list by `items` are unknown here, so only listed ones can be told to
    # conflict.
    for number, item in enumerate(value.get("items") or ()):
        yield from _key(item, f"{path}.items[{number}]")
        yield from _once(item.get("path", ""), volume, value.get("name", ""), taken)


def _once(file_path: str, path: str, description: str, taken: set[str]) -> Errors:
    if file_path and file_path in taken:
        yield fields.invalid(path, description, "conflicting duplicate paths")
    # The empty path has an error of its own.
    taken |= {file_path}


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

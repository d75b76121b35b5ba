"""Environment variables of a container and where they come from (FK-504)."""

from __future__ import annotations

import re
from collections.abc import Collection

from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors, Json
from ...config import key_problems

VARIABLE = re.compile(r"[ -<>-~]+")
VARIABLE_TEXT = (
    "a valid environment variable name must consist only of printable ASCII characters other than '='"
)
SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
SOURCE_TEXT = (
    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
)
MANY = "may not have more than one field specified at a time"
KNOWN_FIELDS = frozenset({
    "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
    "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName", "status.phase", "status.hostIP", "status.hostIPs",
    "status.podIP", "status.podIPs",
})  # fmt: skip
FIELDS = frozenset({
    "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP",
    "status.hostIPs", "status.podIP", "status.podIPs",
})  # fmt: skip
RESOURCES = (
    "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage",
    "requests.memory",
)  # fmt: skip
HUGE = ("limits.hugepages-", "requests.hugepages-")


def variables(found: list[Json], path: str) -> Errors:
    """Judge environment variables."""
    for number, one in enumerate(found):
        here = f"{path}[{number}]"
        if not one["name"]:
            yield fields.required(f"{here}.name")
        elif not VARIABLE.fullmatch(one["name"]):
            yield fields.invalid(f"{here}.name", one["name"], VARIABLE_TEXT)
        if one.get("valueFrom") is not None:
            yield from _source(one, f"{here}.valueFrom")


def _source(one: Json, path: str) -> Errors:
    given = [name for name in SOURCES if one["valueFrom"].get(name) is not None]
    if not given:
        yield fields.invalid(path, "", SOURCE_TEXT)
    elif one.get("value"):
        yield fields.invalid(path, "", "may not be specified when `value` is not empty")
    elif len(given) > 1:
        yield fields.invalid(path, "", MANY)
    for name in given:
        yield from _referenced(name, one["valueFrom"][name], f"{path}.{name}")


def _referenced(name: str, value: Json, path: str) -> Errors:
    if name == "fieldRef":
        yield from field_path(value.get("fieldPath", ""), path, FIELDS)
    elif name == "resourceFieldRef":
        yield from resource(value.get("resource", ""), path)
    elif name in {"configMapKeyRef", "secretKeyRef"}:
        yield from basics.named(value.get("key", ""), f"{path}.key", key_problems)


def field_path(given: str, path: str, allowed: Collection[str]) -> Errors:
    """Judge which field of a pod is referred to."""
    where = f"{path}.fieldPath"
    if not given:
        yield fields.required(where)
        return
    plain, key = _subscripted(given)
    if plain not in KNOWN_FIELDS:
        yield fields.invalid(where, given, f"error converting fieldPath: field label not supported: {given}")
    elif key is None:
        if plain not in allowed:
            yield fields.not_supported(where, plain, sorted(allowed))
    elif plain in {"metadata.annotations", "metadata.labels"}:
        yield from basics.label_key(key.lower() if plain.endswith("annotations") else key, path)
    else:
        yield fields.invalid(path, plain, "does not support subscript")


def _subscripted(given: str) -> tuple[str, str | None]:
    """Return the path before a subscript and its key, such as `metadata.labels['a']`; no key where there is
    no subscript.
    """
    path, opened, key = given.removesuffix("']").rpartition("['")
    is_one = opened and given.endswith("']") and "\n" not in given
    return (path, key) if is_one else (given, None)


def resource(given: str, path: str) -> Errors:
    """Judge which resource of a container is referred to."""
    if not given:
        yield fields.required(f"{path}.resource")
    elif given not in RESOURCES and not given.startswith(HUGE):
        yield fields.not_supported(f"{path}.resource", given, list(RESOURCES))


def sources(found: list[Json], path: str) -> Errors:
    """Judge the objects whose every key becomes a variable."""
    for number, one in enumerate(found):
        prefix = one.get("prefix", "")
        if prefix and not VARIABLE.fullmatch(prefix):
            yield fields.invalid(f"{path}[{number}].prefix", prefix, VARIABLE_TEXT)
        given = [name for name in ("configMapRef", "secretRef") if one.get(name) is not None]
        if not given:
            yield fields.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(given) > 1:
            yield fields.invalid(path, "", MANY)

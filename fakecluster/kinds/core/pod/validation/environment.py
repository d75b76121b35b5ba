"""Environment variables of a container and where they come from (FK-504)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from .....base.json_types import Json
from .....base.numbers.quantity import Quantity
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from ...config import key_problems
from . import paths

VARIABLE = re.compile(r"[ -<>-~]+")
VARIABLE_TEXT = (
    "a valid environment variable name must consist only of printable ASCII characters other than '='"
)
SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
SOURCE_TEXT = (
    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
)
MORE_THAN_ONE_SOURCE = "may not have more than one field specified at a time"
KNOWN_FIELDS = frozenset(
    {
        "metadata.annotations",
        "metadata.labels",
        "metadata.name",
        "metadata.namespace",
        "metadata.uid",
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.serviceAccountName",
        "spec.schedulerName",
        "status.phase",
        "status.hostIP",
        "status.hostIPs",
        "status.podIP",
        "status.podIPs",
    }
)
FIELDS = frozenset(
    {
        "metadata.name",
        "metadata.namespace",
        "metadata.uid",
        "spec.nodeName",
        "spec.serviceAccountName",
        "status.hostIP",
        "status.hostIPs",
        "status.podIP",
        "status.podIPs",
    }
)
RESOURCES = (
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
)
DIVISORS = ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")
RESOURCE_NAMES = {
    "memory": "memory",
    "ephemeral-storage": "local ephemeral storage",
    "hugepages": "hugepages",
}
HUGE_PAGES = ("limits.hugepages-", "requests.hugepages-")


def variables(env: list[Json], path: str) -> Errors:
    """Judge environment variables."""
    for number, variable in enumerate(env):
        item_path = f"{path}[{number}]"
        if not variable["name"]:
            yield fields.required(f"{item_path}.name")
        elif not VARIABLE.fullmatch(variable["name"]):
            yield fields.invalid(f"{item_path}.name", variable["name"], VARIABLE_TEXT)
        if variable.get("valueFrom") is not None:
            yield from _source(variable, f"{item_path}.valueFrom")


def _source(variable: Json, path: str) -> Errors:
    names_of_sources = [name for name in SOURCES if variable["valueFrom"].get(name) is not None]
    for name in names_of_sources:
        yield from _reference(name, variable["valueFrom"][name], f"{path}.{name}")
    # No error names a field here: the real validation blames the whole source, with an empty value.
    if not names_of_sources:
        yield fields.invalid(path, "", SOURCE_TEXT)
    elif variable.get("value"):
        yield fields.invalid(path, "", "may not be specified when `value` is not empty")
    elif len(names_of_sources) > 1:
        yield fields.invalid(path, "", MORE_THAN_ONE_SOURCE)


def _reference(name: str, value: Json, path: str) -> Errors:
    if name == "fieldRef":
        yield from field_path(value.get("fieldPath", ""), path, FIELDS)
    elif name == "resourceFieldRef":
        yield from resource(value, path)
    elif name == "fileKeyRef":
        yield from _file(value, path)
    else:
        yield from basics.nonempty_name(value.get("name", ""), f"{path}.name", basics.dns_subdomain)
        yield from basics.judge_name(value.get("key", ""), f"{path}.key", key_problems)


def _file(value: Json, path: str) -> Errors:
    key, file_path = value.get("key", ""), value.get("path", "")
    if not key:
        yield fields.required(f"{path}.key")
    elif not VARIABLE.fullmatch(key):
        yield fields.invalid(f"{path}.key", key, VARIABLE_TEXT)
    yield from basics.judge_name(value.get("volumeName", ""), f"{path}.volumeName", basics.dns_label)
    if not file_path:
        yield fields.required(f"{path}.path")
    else:
        yield from paths.no_backsteps(file_path, f"{path}.path")


def files(spec: Json, path: str) -> Errors:
    """Judge that variables that stand in files find these in volumes of the pod's own."""
    volumes = {volume["name"]: volume for volume in spec.get("volumes") or ()}
    for member in ("initContainers", "containers", "ephemeralContainers"):
        for number, container in enumerate(spec.get(member) or ()):
            for index, variable in enumerate(container.get("env") or ()):
                file = (variable.get("valueFrom") or {}).get("fileKeyRef")
                where = f"{path}.{member}[{number}].env[{index}].valueFrom.fileKeyRef.volumeName"
                if file is not None:
                    yield from _file_volume(file.get("volumeName", ""), where, volumes)


def _file_volume(name: str, path: str, volumes: Mapping[str, Json]) -> Errors:
    if name not in volumes:
        yield fields.not_found(path, name)
    elif volumes[name].get("emptyDir") is None:
        yield fields.invalid(path, name, "referenced volume must be of type emptyDir")


def field_path(field: str, path: str, allowed: Collection[str]) -> Errors:
    """Judge which field of a pod is referred to."""
    where = f"{path}.fieldPath"
    if not field:
        yield fields.required(where)
        return
    # A subscript is split off before the path is looked up.
    plain, key = _split_subscript(field)
    if plain not in KNOWN_FIELDS:
        yield fields.invalid(where, field, f"error converting fieldPath: field label not supported: {field}")
    elif key is None:
        if plain not in allowed:
            yield fields.not_supported(where, plain, sorted(allowed))
    elif plain in {"metadata.annotations", "metadata.labels"}:
        # Keys of annotations are judged in lower case: unlike a label's, their prefix may have upper case
        # letters.
        yield from basics.label_key(key.lower() if plain.endswith("annotations") else key, path)
    else:
        yield fields.invalid(path, plain, "does not support subscript")


def _split_subscript(field: str) -> tuple[str, str | None]:
    """Return the path before a subscript and its key,
    such as `metadata.labels['a']`; no key where there is no subscript.
    """
    # At the first one, as Go splits: a second one remains in the key, where it is judged.
    path, opened, key = field.removesuffix("']").partition("['")
    has_subscript = path and opened and field.endswith("']")
    return (path, key) if has_subscript else (field, None)


def resource(value: Json, path: str, *, of_volume: bool = False) -> Errors:
    """Judge which resource of a container is referred to; a volume has to say of which container."""
    # Absence is judged in this order, and only the first of it is reported.
    name = value.get("resource", "")
    if of_volume and not value.get("containerName"):
        yield fields.required(f"{path}.containerName")
    elif not name:
        yield fields.required(f"{path}.resource")
    elif name not in RESOURCES and not name.startswith(HUGE_PAGES):
        yield fields.not_supported(f"{path}.resource", name, list(RESOURCES))
    yield from _divisor(name, value.get("divisor", "0"), f"{path}.divisor")


def _divisor(name: str, divisor: str, path: str) -> Errors:
    # Zero stands for no divisor, which means one.
    if not Quantity.of(divisor).amount:
        return
    noun = name.partition(".")[2]
    kind = "hugepages" if name.startswith(HUGE_PAGES) else noun
    if kind == "cpu" and divisor not in {"1m", "1"}:
        why = "only divisor's values 1m and 1 are supported with the cpu resource"
        # The name of the resource is shown, though the divisor is wrong: the real message has it so.
        yield fields.invalid(path, name, why)
    if kind in RESOURCE_NAMES and divisor not in DIVISORS:
        why = f"only divisor's values {', '.join(DIVISORS)} are supported with the {RESOURCE_NAMES[kind]} resource"
        yield fields.invalid(path, name, why)


def sources(env_from: list[Json], path: str) -> Errors:
    """Judge the objects whose every key becomes a variable."""
    for number, source in enumerate(env_from):
        prefix = source.get("prefix", "")
        # A prefix is judged like a variable, of which it is the beginning.
        if prefix and not VARIABLE.fullmatch(prefix):
            yield fields.invalid(f"{path}[{number}].prefix", prefix, VARIABLE_TEXT)
        names_of_sources = [name for name in ("configMapRef", "secretRef") if source.get(name) is not None]
        for name in names_of_sources:
            where = f"{path}[{number}].{name}.name"
            yield from basics.nonempty_name(source[name].get("name", ""), where, basics.dns_subdomain)
        if not names_of_sources:
            # The path is that of the list: its number is missing in the real message as well.
            yield fields.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(names_of_sources) > 1:
            yield fields.invalid(path, "", MORE_THAN_ONE_SOURCE)

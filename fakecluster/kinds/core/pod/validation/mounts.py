"""Where a container mounts the volumes of its pod, and which it uses as devices (FK-504)."""

from __future__ import annotations

from collections.abc import Mapping

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from . import paths

PROPAGATIONS = ("Bidirectional", "HostToContainer", "None")
READ_ONLY = ("Disabled", "Enabled", "IfPossible")
PRIVILEGED = "Bidirectional mount propagation is available only to privileged containers"
BLOCK = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"


def judge(container: Json, path: str, volumes: Mapping[str, Json]) -> Errors:
    """Judge the mounts of a container."""
    names, places = _names_and_paths(container.get("volumeDevices") or [], "devicePath")
    mount_paths: set[str] = set()
    for number, mount in enumerate(container.get("volumeMounts") or ()):
        item_path, mount_path = f"{path}[{number}]", mount["mountPath"]
        # An empty name and an unknown one are both reported: validation goes on after the first.
        if not mount["name"]:
            yield fields.required(f"{item_path}.name")
        if mount["name"] not in volumes:
            yield fields.not_found(f"{item_path}.name", mount["name"])
        if not mount_path:
            yield fields.required(f"{item_path}.mountPath")
        if mount_path in mount_paths:
            yield fields.invalid(f"{item_path}.mountPath", mount_path, "must be unique")
        mount_paths.add(mount_path)
        yield from _no_device(mount, item_path, names, places)
        yield from _inside(mount, path, item_path)
        yield from _mount_propagation(mount, container, path)


def _names_and_paths(items: list[Json], member: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of volumes and the paths that mounts or devices use."""
    return frozenset(item["name"] for item in items), frozenset(item[member] for item in items)


def _no_device(mount: Json, path: str, names: frozenset[str], places: frozenset[str]) -> Errors:
    if mount["name"] in names:
        yield fields.invalid(f"{path}.name", mount["name"], "must not already exist in volumeDevices")
    if mount["mountPath"] in places:
        why = "must not already exist as a path in volumeDevices"
        yield fields.invalid(f"{path}.mountPath", mount["mountPath"], why)


def _inside(mount: Json, path: str, item_path: str) -> Errors:
    """Judge which part of the volume is mounted; most is blamed on the list."""
    plain, expression = mount.get("subPath"), mount.get("subPathExpr")
    if plain:
        # The path of the list, without the number of the mount: so has the real message.
        yield from paths.descending(plain, f"{path}.subPath")
    if expression and plain:
        why = "subPathExpr and subPath are mutually exclusive"
        yield fields.invalid(f"{item_path}.subPathExpr", expression, why)
    if expression:
        yield from paths.descending(expression, f"{path}.subPathExpr")


def _mount_propagation(mount: Json, container: Json, path: str) -> Errors:
    propagation, where = mount.get("mountPropagation"), f"{path}.mountPropagation"
    yield from basics.optional_choice(propagation, where, PROPAGATIONS)
    # Bidirectional mounts reach the host, which only a privileged container may.
    if propagation == "Bidirectional" and not (container.get("securityContext") or {}).get("privileged"):
        yield fields.forbidden(where, PRIVILEGED)
    mode, where = mount.get("recursiveReadOnly"), f"{path}.recursiveReadOnly"
    yield from basics.optional_choice(mode, where, READ_ONLY)
    if mode in {"Enabled", "IfPossible"}:
        if not mount.get("readOnly"):
            yield fields.forbidden(where, "may only be specified when readOnly is true")
        if propagation not in {None, "None"}:
            why = "may only be specified when mountPropagation is None or not specified"
            yield fields.forbidden(where, why)


def devices(container: Json, path: str, volumes: Mapping[str, Json]) -> Errors:
    """Judge the volumes that a container uses as devices."""
    if not container.get("volumeDevices"):
        return
    mounted, mount_paths = _names_and_paths(container.get("volumeMounts") or [], "mountPath")
    names: set[str] = set()
    places: set[str] = set()
    for number, device in enumerate(container["volumeDevices"]):
        item_path, name, device_path = f"{path}[{number}]", device["name"], device["devicePath"]
        yield from _device_name(name, f"{item_path}.name", names, volumes)
        if not device_path:
            yield fields.required(f"{item_path}.devicePath")
        if device_path in places:
            yield fields.invalid(f"{item_path}.devicePath", device_path, "must be unique")
        if any(paths.no_backsteps(device_path, "")):
            yield fields.invalid(f"{item_path}.devicePath", device_path, "can not contain backsteps ('..')")
        else:
            places.add(device_path)
        if name in mounted:
            yield fields.invalid(f"{item_path}.name", name, "must not already exist in volumeMounts")
        if device_path in mount_paths:
            why = "must not already exist as a path in volumeMounts"
            yield fields.invalid(f"{item_path}.devicePath", device_path, why)
        names |= {name} - {""}


def _device_name(name: str, path: str, names: set[str], volumes: Mapping[str, Json]) -> Errors:
    if not name:
        yield fields.required(path)
    if name in names:
        yield fields.invalid(path, name, "must be unique")
    if name not in volumes:
        yield fields.not_found(path, name)
    elif not {"persistentVolumeClaim", "ephemeral"} & {*volumes[name]}:
        yield fields.invalid(path, name, BLOCK)

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


def judged(container: Json, path: str, volumes: Mapping[str, Json]) -> Errors:
    """Judge the mounts of a container."""
    names, places = _used(container.get("volumeDevices") or [], "devicePath")
    seen: set[str] = set()
    for number, mount in enumerate(container.get("volumeMounts") or ()):
        here, place = f"{path}[{number}]", mount["mountPath"]
        if not mount["name"]:
            yield fields.required(f"{here}.name")
        if mount["name"] not in volumes:
            yield fields.not_found(f"{here}.name", mount["name"])
        if not place:
            yield fields.required(f"{here}.mountPath")
        if place in seen:
            yield fields.invalid(f"{here}.mountPath", place, "must be unique")
        seen.add(place)
        yield from _no_device(mount, here, names, places)
        yield from _inside(mount, path, here)
        yield from _propagated(mount, container, path)


def _used(found: list[Json], member: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of volumes and the paths that mounts or devices use."""
    return frozenset(one["name"] for one in found), frozenset(one[member] for one in found)


def _no_device(mount: Json, path: str, names: frozenset[str], places: frozenset[str]) -> Errors:
    if mount["name"] in names:
        yield fields.invalid(f"{path}.name", mount["name"], "must not already exist in volumeDevices")
    if mount["mountPath"] in places:
        why = "must not already exist as a path in volumeDevices"
        yield fields.invalid(f"{path}.mountPath", mount["mountPath"], why)


def _inside(mount: Json, path: str, here: str) -> Errors:
    """Judge which part of the volume is mounted; most is blamed on the list."""
    plain, expression = mount.get("subPath"), mount.get("subPathExpr")
    if plain:
        yield from paths.descending(plain, f"{path}.subPath")
    if expression and plain:
        why = "subPathExpr and subPath are mutually exclusive"
        yield fields.invalid(f"{here}.subPathExpr", expression, why)
    if expression:
        yield from paths.descending(expression, f"{path}.subPathExpr")


def _propagated(mount: Json, container: Json, path: str) -> Errors:
    propagation, where = mount.get("mountPropagation"), f"{path}.mountPropagation"
    yield from basics.optional_choice(propagation, where, PROPAGATIONS)
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
    mounted, mount_paths = _used(container.get("volumeMounts") or [], "mountPath")
    names: set[str] = set()
    places: set[str] = set()
    for number, device in enumerate(container["volumeDevices"]):
        here, name, place = f"{path}[{number}]", device["name"], device["devicePath"]
        yield from _device_name(name, f"{here}.name", names, volumes)
        if not place:
            yield fields.required(f"{here}.devicePath")
        if place in places:
            yield fields.invalid(f"{here}.devicePath", place, "must be unique")
        if any(paths.no_backsteps(place, "")):
            yield fields.invalid(f"{here}.devicePath", place, "can not contain backsteps ('..')")
        else:
            places.add(place)
        if name in mounted:
            yield fields.invalid(f"{here}.name", name, "must not already exist in volumeMounts")
        if place in mount_paths:
            why = "must not already exist as a path in volumeMounts"
            yield fields.invalid(f"{here}.devicePath", place, why)
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

"""Resource slices: which devices a node, or a part of the cluster, has (FK-504)."""

from __future__ import annotations

import re

from ...gotypes.golang import shown
from ...meta import names
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.basics import Errors, Json

PLACES = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
ONE_PLACE = f"exactly one of {', '.join(f'`{name}`' for name in PLACES)} is required"
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
IDENTIFIER_TEXT = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' "
    "(e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"
)
SEMVER = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")
EFFECTS = ("NoExecute", "NoSchedule", "None")
VALUES = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")
ONE_VALUE = "exactly one value must be specified"


def _driver_name(name: str) -> list[str]:
    """Judge the name of a driver, whose capital letters are warned of."""
    return basics.dns_subdomain(name.lower())


def resource_slice(obj: Json) -> list[FieldError]:
    """Judge a ResourceSlice."""
    spec = obj["spec"]
    return [
        *basics.named(spec.get("driver", ""), "spec.driver", _driver_name),
        *_pool(spec.get("pool") or {}),
        *basics.optional_name(spec.get("nodeName"), "spec.nodeName", basics.dns_subdomain),
        *_places(spec),
        *_either(spec),
        *_devices(spec.get("devices") or []),
        *_counters(spec.get("sharedCounters") or []),
    ]


def same_place(new: Json, old: Json) -> list[FieldError]:
    """Judge that a ResourceSlice keeps its driver, its pool and its place."""
    after, before = new["spec"], old["spec"]
    return [
        *basics.immutable(after["pool"].get("name"), before["pool"].get("name"), "spec.pool.name"),
        *basics.immutable(after.get("driver"), before.get("driver"), "spec.driver"),
        *(
            error
            for name in PLACES
            for error in basics.immutable(after.get(name), before.get(name), f"spec.{name}")
        ),
    ]


def _pool(pool: Json) -> Errors:
    yield from basics.named(pool.get("name", ""), "spec.pool.name", basics.dns_subdomain)
    count, generation = pool.get("resourceSliceCount", 0), pool.get("generation", 0)
    yield from basics.positive(count, "spec.pool.resourceSliceCount", "must be greater than zero")
    if generation < 0:
        yield fields.invalid("spec.pool.generation", generation, "must be greater than or equal to zero")


def _places(spec: Json) -> Errors:
    given = [name for name in PLACES if spec.get(name)]
    if not given:
        yield fields.required("spec", ONE_PLACE)
    elif len(given) > 1:
        told = "{" + ", ".join(f"`{name}`" for name in given) + "}"
        yield fields.invalid("spec", told, f"{ONE_PLACE}, but multiple fields are set")


def _either(spec: Json) -> Errors:
    if spec.get("sharedCounters") and spec.get("devices"):
        yield fields.invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")


def _devices(found: list[Json]) -> Errors:
    seen: set[str] = set()
    for number, one in enumerate(found):
        path, name = f"spec.devices[{number}]", one.get("name", "")
        yield from (fields.invalid(f"{path}.name", name, why) for why in names.label_problems(name))
        if name in seen:
            yield fields.duplicate(path, name)
        seen.add(name)
        for key, value in sorted((one.get("attributes") or {}).items()):
            yield from _identifier(key, f"{path}.attributes")
            yield from _attribute(value, f"{path}.attributes[{key}]")
        for key in sorted(one.get("capacity") or ()):
            yield from _identifier(key, f"{path}.capacity")
        for index, taint in enumerate(one.get("taints") or ()):
            yield from basics.choice(taint.get("effect"), f"{path}.taints[{index}].effect", EFFECTS)


def _identifier(name: str, path: str) -> Errors:
    domain, slash, plain = name.rpartition("/")
    if slash:
        yield from (fields.invalid(path, domain, why) for why in names.subdomain_problems(domain))
    if not IDENTIFIER.fullmatch(plain):
        yield fields.invalid(path, plain, IDENTIFIER_TEXT)


def _attribute(value: Json, path: str) -> Errors:
    given = [name for name in VALUES if value.get(name) is not None]
    if not given:
        yield fields.invalid(path, "", ONE_VALUE)
    elif len(given) > 1:
        yield fields.invalid(path, shown("resource.v1.DeviceAttribute", value), ONE_VALUE)
    elif given == ["version"] and not SEMVER.fullmatch(value["version"]):
        why = "must be a string compatible with semver.org spec 2.0.0"
        yield fields.invalid(f"{path}.version", value["version"], why)


def _counters(found: list[Json]) -> Errors:
    for number, one in enumerate(found):
        path, name = f"spec.sharedCounters[{number}]", one.get("name", "")
        yield from (fields.invalid(f"{path}.name", name, why) for why in names.label_problems(name))
        if not one.get("counters"):
            yield fields.required(f"{path}.counters")
